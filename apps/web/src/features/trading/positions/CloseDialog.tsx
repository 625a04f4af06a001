/** Asks before a position is closed, and says in live figures what that will book. */
import { texts } from '@fulcrum/contract/texts';
import { useCallback, useId, useMemo, useRef } from 'react';
import { formatPrice, LiveFigure, Size } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, Dialog, FormError } from '../../../shared/ui/index.ts';
import { usePriceStream, useSampled } from '../../market/index.ts';
import { formatSigned } from '../ticket/AccountStrip.tsx';
import type { Closing } from './closing.ts';
import { followMark, openFigures } from './figures.ts';
import { sideName } from './PositionFigures.tsx';
import type { Steps } from './steps.ts';

interface CloseDialogProps {
  readonly position: Position;
  readonly steps: Steps;
  readonly closing: Closing;
  /** Where the focus goes when the position's own button is gone. */
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

const same = (price: number) => price;

export function CloseDialog({ position, steps, closing, fallbackFocus }: CloseDialogProps) {
  const stream = usePriceStream();
  const { close, cancel, pending, error } = closing;
  const keepButton = useRef<HTMLButtonElement>(null);
  const reasonId = useId();
  // A stale price still closes, at the mark; a closed market does not.
  const isClosed = useSampled(position.symbol, () => stream.latest(position.symbol)?.market_open === false);
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
      onOpenChange={(open) => open || pending || cancel()}
      initialFocus={keepButton}
      fallbackFocus={fallbackFocus}
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
          <Button ref={keepButton} onClick={cancel} muted={pending}>
            Keep it open
          </Button>
          <Button
            tone="primary"
            onClick={close}
            pending={pending}
            muted={isClosed}
            aria-describedby={isClosed ? reasonId : undefined}
          >
            Close position
          </Button>
        </>
      }
    >
      {isClosed ? (
        <p id={reasonId} className="text-13 text-warn">
          {texts.marketClosed}
        </p>
      ) : null}
      <FormError>{error}</FormError>
    </Dialog>
  );
}
