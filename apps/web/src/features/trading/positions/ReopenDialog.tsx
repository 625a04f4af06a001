/** Asks before a position of a shut market is closed at its reopening (A98), and says that nobody knows the price yet. */
import { texts } from '@fulcrum/contract/texts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { sideName } from '../../../shared/account/index.ts';
import { formatPrice, formatSize, LiveFigure } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, Dialog, FormError } from '../../../shared/ui/index.ts';
import { Opening, usePriceStream } from '../../market/index.ts';
import { formatSigned } from '../ticket/AccountStrip.tsx';
import { followMark, openFigures } from './figures.ts';
import { useReopening } from './reopening.ts';
import type { Steps } from './steps.ts';

interface ReopenDialogProps {
  readonly position: Position;
  readonly steps: Steps;
  /** It is asked for, or not wanted after all. */
  readonly onEnd: () => void;
  /** Where the focus goes when the position's own button is gone. */
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

const same = (price: number) => price;

export function ReopenDialog({ position, steps, onEnd, fallbackFocus }: ReopenDialogProps) {
  const stream = usePriceStream();
  const keepButton = useRef<HTMLButtonElement>(null);
  const { want, pending } = useReopening(position);
  const [error, setError] = useState<string | null>(null);
  const { symbol, feeRate } = position;
  const { stepSize, tickSize, type, tradingHours } = steps;
  const pair = useMemo(() => ({ symbol, type, tradingHours }), [symbol, type, tradingHours]);
  const mark = useMemo(() => followMark(stream, position, same), [stream, position]);
  const booked = useMemo(
    () => followMark(stream, position, openFigures(position).booked),
    [stream, position],
  );
  const formatTick = useCallback(
    (value: number | null | undefined) => formatPrice(value, tickSize),
    [tickSize],
  );
  const side = sideName(position.side).toLowerCase();
  const ask = async () => {
    const failure = await want(true);
    setError(failure);
    if (failure === null) onEnd();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || onEnd()}
      initialFocus={keepButton}
      fallbackFocus={fallbackFocus}
      title={`Close ${symbol} ${side} at the reopening?`}
      description={
        <>
          <p className="mt-2 text-14">
            {texts.marketClosed} <Opening pair={pair} />
          </p>
          <p className="mt-2 text-14">
            Close <span className="figures font-medium text-text">{formatSize(position.size, stepSize)}</span>{' '}
            {symbol} {side} at the first price after the market opens? Nobody knows that price yet. At the
            last one, <LiveFigure source={mark} format={formatTick} className="font-medium text-text" />, it
            would book about{' '}
            <LiveFigure source={booked} format={formatSigned} colour="sign" className="font-medium" /> USDT
            {feeRate === 0 ? '' : ' before a fee'}. You can undo this until then.
          </p>
        </>
      }
      actions={
        <>
          <Button ref={keepButton} onClick={onEnd} muted={pending}>
            Keep it open
          </Button>
          <Button tone="primary" onClick={ask} pending={pending}>
            {texts.closeAtReopen}
          </Button>
        </>
      }
    >
      <FormError>{error}</FormError>
    </Dialog>
  );
}
