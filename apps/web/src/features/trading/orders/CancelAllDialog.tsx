/** The confirmation before all shown orders are canceled, with the margin that this frees, if any reserve some. */
import { useMemo } from 'react';
import { useWallet } from '../../../shared/account/index.ts';
import { FigureLine, FigureLines } from '../../../shared/figure-lines/FigureLines.tsx';
import { Amount } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import { BatchDialog } from '../BatchDialog.tsx';
import { getSendable, type PlanRow } from '../batch-plan.ts';
import { sumAmounts } from '../positions/figures.ts';
import type { PanelDialogProps } from '../positions/panel-dialog.ts';
import type { CancelingAll } from './canceling-all.ts';
import { getOrderLabel, getPriceText, getRemainingText } from './labels.ts';

interface CancelAllDialogProps extends PanelDialogProps {
  readonly cancelingAll: CancelingAll;
  readonly rows: readonly PlanRow<Order, Order | null>[];
}

const counted = (count: number) => (count === 1 ? '1 order' : `${count} orders`);
const nameOf = (order: Order) => `${order.symbol} ${getOrderLabel(order).toLowerCase()}`;

export function CancelAllDialog({ cancelingAll, rows, only, stepsOf, fallbackFocus }: CancelAllDialogProps) {
  const { running, cancel, stop, end } = cancelingAll;
  const { data: wallet } = useWallet();
  const freed = useMemo(() => sumAmounts(getSendable(rows).map(({ reserved }) => reserved)), [rows]);
  return (
    <BatchDialog<Order, Order | null>
      labels={{
        title: only === null ? 'Cancel all orders?' : `Cancel all ${only} orders?`,
        keep: 'Keep them',
        action: (count) => `Cancel ${counted(count)}`,
        done: 'canceled',
        blocked: () => '',
        gone: 'No longer open',
        noneLeft: 'No order is left to cancel',
        nameOf,
      }}
      rows={rows}
      running={running}
      onRun={cancel}
      onStop={stop}
      onEnd={end}
      fallbackFocus={fallbackFocus}
      label={(order) => {
        const { tickSize, stepSize } = stepsOf(order.symbol);
        return (
          <span className="min-w-0">
            <span className="font-semibold">{order.symbol}</span>{' '}
            <span className="figures text-text-2">
              {`${getOrderLabel(order)}, ${getRemainingText(order, stepSize)}`.toLowerCase()}
              {`${order.trailRate === null ? ' at' : ','} ${getPriceText(order, tickSize)}`}
            </span>
          </span>
        );
      }}
      estimate={({ reserved }) =>
        reserved === 0 ? null : (
          <span className="text-text-2">
            frees <Amount value={reserved} className="font-medium text-text" />
          </span>
        )
      }
      result={() => <span className="text-text-2">Canceled</span>}
    >
      {freed === 0 ? null : (
        <FigureLines>
          <FigureLine label="Freed">
            <Amount value={freed} unit="USDT" />
          </FigureLine>
          <FigureLine label="Available Balance becomes">
            <Amount value={wallet?.availableBalance} className="font-normal text-text-3" />{' '}
            <span className="text-text-3">→</span>{' '}
            <Amount value={sumAmounts([wallet?.availableBalance ?? 0, freed])} />
          </FigureLine>
        </FigureLines>
      )}
    </BatchDialog>
  );
}
