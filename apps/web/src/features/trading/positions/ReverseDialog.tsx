/** The confirmation before a position is reversed: what closes, what opens, and the figures of both. */
import { NO_FEE } from '@fulcrum/domain';
import { useMemo } from 'react';
import { getAccountTerms, sideLabel } from '../../../shared/account/index.ts';
import { feePercent } from '../../../shared/explained/explanation.ts';
import { FigureLine } from '../../../shared/figure-lines/FigureLines.tsx';
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { formatAmount, LiveFigure, Size } from '../../../shared/numbers/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { ClosingSums } from './ClosingSums.tsx';
import { followOpeningCost } from './figures.ts';
import { MarkPrice, MarkPriceStatus } from './PositionFigures.tsx';
import type { PositionDialogProps } from './panel-dialog.ts';
import type { Reversing } from './reversing.ts';

interface ReverseDialogProps extends PositionDialogProps {
  readonly reversing: Reversing;
}

export function ReverseDialog({ position, steps, reversing, fallbackFocus }: ReverseDialogProps) {
  const { symbol, side, size, leverage, takeProfitPrice, stopLossPrice } = position;
  const { tickSize, stepSize } = steps;
  const { feeRate } = getAccountTerms(useSignedIn());
  const stream = usePriceStream();
  const positions = useMemo(() => [position], [position]);
  const opening = useMemo(
    () => ({
      margin: followOpeningCost(stream, position, feeRate, 'margin'),
      fee: followOpeningCost(stream, position, feeRate, 'fee'),
    }),
    [stream, position, feeRate],
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
          size {next} at <MarkPrice {...position} tickSize={tickSize} className={figure} />
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
      <ClosingSums positions={positions} reopening={feeRate}>
        <FigureLine label="Opens">
          {next} <Size value={size} stepSize={stepSize} /> {leverage}×
        </FigureLine>
        <FigureLine label="New margin, about">
          <LiveFigure source={opening.margin} format={formatAmount} flashes={false} />
        </FigureLine>
        {feeRate === NO_FEE ? null : (
          <FigureLine label={`Fee to open, ${feePercent(feeRate)}`}>
            <LiveFigure source={opening.fee} format={formatAmount} flashes={false} />
          </FigureLine>
        )}
      </ClosingSums>
      {takeProfitPrice === null && stopLossPrice === null ? null : (
        <p className="mt-2 text-12 text-text-2">
          Take profit and stop loss do not follow. Set them on the new position.
        </p>
      )}
    </ConfirmDialog>
  );
}
