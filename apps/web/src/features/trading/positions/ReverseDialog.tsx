/** The confirmation before a position is reversed: what closes, what opens, and the figures of both. */
import { useCallback, useMemo } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { formatPrice, LiveFigure, Size } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { FigureLine } from '../FigureLines.tsx';
import { ClosingSums } from './ClosingSums.tsx';
import { followMark } from './figures.ts';
import { MarkPriceStatus } from './PositionFigures.tsx';
import type { Reversing } from './reversing.ts';
import type { Steps } from './steps.ts';

interface ReverseDialogProps {
  readonly position: Position;
  readonly steps: Steps;
  readonly reversing: Reversing;
  /** Receives the focus when the position's own button is gone. */
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

const same = (price: number) => price;

export function ReverseDialog({ position, steps, reversing, fallbackFocus }: ReverseDialogProps) {
  const { symbol, side, size, leverage, takeProfitPrice, stopLossPrice } = position;
  const { tickSize, stepSize } = steps;
  const stream = usePriceStream();
  const mark = useMemo(() => followMark(stream, position, same), [stream, position]);
  const positions = useMemo(() => [position], [position]);
  const formatTick = useCallback(
    (value: number | null | undefined) => formatPrice(value, tickSize),
    [tickSize],
  );
  const now = sideLabel(side).toLowerCase();
  const next = sideLabel(side === 'BUY' ? 'SELL' : 'BUY').toLowerCase();
  const figure = 'font-medium text-text';
  return (
    <ConfirmDialog
      fallbackFocus={fallbackFocus}
      title={`Reverse ${symbol} ${now}?`}
      description={
        <p className="mt-2 text-14">
          Close <Size value={size} stepSize={stepSize} className={figure} /> {symbol} {now} and open the same
          size {next} at <LiveFigure source={mark} format={formatTick} className={figure} />
          <MarkPriceStatus symbol={symbol} steps={steps} className="ml-1" />. Both happen, or neither.
        </p>
      }
      keep="Keep it"
      onKeep={reversing.cancel}
      confirm={`Reverse to ${next}`}
      onConfirm={reversing.reverse}
      pending={reversing.pending}
      error={reversing.error}
    >
      <ClosingSums positions={positions}>
        <FigureLine label="Opens">
          {next} <Size value={size} stepSize={stepSize} /> {leverage}×
        </FigureLine>
      </ClosingSums>
      {takeProfitPrice === null && stopLossPrice === null ? null : (
        <p className="mt-2 text-12 text-text-2">
          Take profit and stop loss do not follow. Set them on the new position.
        </p>
      )}
    </ConfirmDialog>
  );
}
