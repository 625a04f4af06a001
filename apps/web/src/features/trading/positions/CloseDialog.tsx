/** Asks before a position is closed, and says in live figures what that will book. */
import { useCallback, useMemo } from 'react';
import { formatPrice, LiveFigure, Size } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, Dialog, FormError } from '../../../shared/ui/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { formatSigned } from '../ticket/AccountStrip.tsx';
import { useClosing } from './closing.ts';
import { followMark, openFigures } from './figures.ts';
import { sideName } from './PositionFigures.tsx';
import type { Steps } from './steps.ts';

interface CloseDialogProps {
  readonly position: Position;
  readonly steps: Steps;
  readonly onDone: () => void;
}

const same = (price: number) => price;

export function CloseDialog({ position, steps, onDone }: CloseDialogProps) {
  const stream = usePriceStream();
  const { close, pending, error } = useClosing(position, steps, onDone);
  const mark = useMemo(() => followMark(stream, position, same), [stream, position]);
  const booked = useMemo(
    () => followMark(stream, position, openFigures(position).booked),
    [stream, position],
  );
  const { tickSize } = steps;
  const formatTick = useCallback(
    (value: number | null | undefined) => formatPrice(value, tickSize),
    [tickSize],
  );
  const side = sideName(position.side).toLowerCase();
  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || onDone()}
      title={`Close ${position.symbol} ${side}?`}
      description={
        <p className="mt-2 text-14">
          Close <Size value={position.size} stepSize={steps.stepSize} className="font-medium text-text" />{' '}
          {position.symbol} {side}? At{' '}
          <LiveFigure source={mark} format={formatTick} className="font-medium text-text" /> this books about{' '}
          <LiveFigure source={booked} format={formatSigned} colour="sign" className="font-medium" /> USDT.
        </p>
      }
      actions={
        <>
          <Button onClick={onDone} muted={pending}>
            Keep it open
          </Button>
          <Button tone="primary" onClick={close} pending={pending}>
            Close position
          </Button>
        </>
      }
    >
      <FormError>{error}</FormError>
    </Dialog>
  );
}
