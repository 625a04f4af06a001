/** The confirmation before an order is canceled, with the margin that this frees. */
import { useWallet } from '../../../shared/account/index.ts';
import { FigureLine, FigureLines } from '../../../shared/figure-lines/FigureLines.tsx';
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { Amount } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import { sumAmounts } from '../positions/figures.ts';
import type { Steps } from '../positions/steps.ts';
import type { Canceling } from './canceling.ts';
import { getOrderLabel, getPriceText, getRemainingText } from './labels.ts';

interface CancelDialogProps {
  readonly order: Order;
  readonly steps: Steps;
  readonly canceling: Canceling;
  /** Receives the focus when the order's own button is gone. */
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

export function CancelDialog({ order, steps, canceling, fallbackFocus }: CancelDialogProps) {
  const { keep, cancel, pending, error } = canceling;
  const { data: wallet } = useWallet();
  const { reserved } = order;
  const figure = 'figures font-medium text-text';
  return (
    <ConfirmDialog
      fallbackFocus={fallbackFocus}
      title={`Cancel ${order.symbol} ${getOrderLabel(order).toLowerCase()}?`}
      description={
        <p className="mt-2 text-14">
          <span className={figure}>{getRemainingText(order, steps.stepSize)}</span> {order.symbol}
          {order.trailRate === null ? ' at ' : ', '}
          <span className={figure}>{getPriceText(order, steps.tickSize)}</span>.
          {reserved === 0 ? null : (
            <>
              {' '}
              Canceling frees the <Amount value={reserved} unit="USDT" className={figure} /> that it reserves.
            </>
          )}
        </p>
      }
      keep="Keep it"
      onKeep={keep}
      confirm="Cancel order"
      onConfirm={cancel}
      pending={pending}
      error={error}
    >
      {reserved === 0 ? null : (
        <FigureLines>
          <FigureLine label="Available Balance becomes">
            <Amount value={wallet?.availableBalance} className="font-normal text-text-3" />{' '}
            <span className="text-text-3">→</span>{' '}
            <Amount value={sumAmounts([wallet?.availableBalance ?? 0, reserved])} />
          </FigureLine>
        </FigureLines>
      )}
    </ConfirmDialog>
  );
}
