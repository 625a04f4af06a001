/**
 * The confirmation for a position that cannot be closed now and closes at the next tradable price (A98, A110). It
 * states that this price is not known yet.
 */
import { useMemo, useState } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { formatSize } from '../../../shared/numbers/index.ts';
import { OpeningCountdown } from '../../market/index.ts';
import { LiveClosingPnl, MarkPrice } from './PositionFigures.tsx';
import type { PositionDialogProps } from './panel-dialog.ts';
import { type LaterClose, laterCloseTexts, useReopening } from './reopening.ts';

interface ReopenDialogProps extends PositionDialogProps {
  readonly later: LaterClose;
  /** Called when the request is made or dismissed. */
  readonly onEnd: () => void;
}

export function ReopenDialog({ position, later, steps, onEnd, fallbackFocus }: ReopenDialogProps) {
  const { want, pending } = useReopening(position);
  const [error, setError] = useState<string | null>(null);
  const { symbol, feeRate } = position;
  const { stepSize, tickSize, type, tradingHours } = steps;
  const pair = useMemo(() => ({ symbol, type, tradingHours }), [symbol, type, tradingHours]);
  const side = sideLabel(position.side).toLowerCase();
  const { reason, button } = laterCloseTexts[later];
  const ask = async () => {
    const failure = await want(true);
    setError(failure);
    if (failure === null) onEnd();
  };
  return (
    <ConfirmDialog
      fallbackFocus={fallbackFocus}
      title={`Close ${symbol} ${side} at the ${later}?`}
      description={
        <>
          <p className="mt-2 text-14">
            {reason} {later === 'reopening' ? <OpeningCountdown pair={pair} /> : null}
          </p>
          <p className="mt-2 text-14">
            Close <span className="figures font-medium text-text">{formatSize(position.size, stepSize)}</span>{' '}
            {symbol} {side}{' '}
            {later === 'reopening'
              ? 'at the first price after the market opens? That price is not known yet.'
              : 'at the next price that is accepted? The market reports a different price, which is not confirmed yet.'}{' '}
            At the last one, <MarkPrice {...position} tickSize={tickSize} className="font-medium text-text" />
            , it would book about <LiveClosingPnl position={position} className="font-medium" /> USDT
            {feeRate === 0 ? '' : ' before a fee'}. You can undo this until then.
          </p>
        </>
      }
      keep="Keep it open"
      onKeep={onEnd}
      confirm={button}
      onConfirm={ask}
      pending={pending}
      error={error}
    />
  );
}
