/** The steps of a plan as the trading feature takes them, and the ids in its answers. */
import type { DryRunRequest } from '../trading/index.ts';
import type { OrderStep, Step } from './plan.ts';

type StepRequest = DryRunRequest;

export function toRequest(step: Step, clientId: string): StepRequest {
  switch (step.kind) {
    case 'place':
      return step.type === 'MARKET'
        ? toOpening(step, clientId)
        : {
            kind: 'place',
            row: {
              symbol: step.symbol,
              type: step.type,
              side: step.side,
              size: step.size,
              price: step.price,
              leverage: step.leverage,
              take_profit_price: step.takeProfitPrice,
              stop_loss_price: step.stopLossPrice,
              reduce_only: step.reduceOnly,
              client_id: clientId,
            },
          };
    case 'close':
      return {
        kind: 'close',
        args: { p_position_id: step.positionId, p_size: step.size, p_client_id: clientId },
      };
    case 'cancel':
      return { kind: 'cancel', orderId: step.orderId };
  }
}

/** The command of the ticket: it answers when the position is open, or why not, however long the account's latency is. */
const toOpening = (step: OrderStep, clientId: string): StepRequest => ({
  kind: 'open',
  args: {
    p_symbol: step.symbol,
    p_side: step.side,
    p_size: step.size,
    p_leverage: step.leverage,
    p_take_profit_price: step.takeProfitPrice,
    p_stop_loss_price: step.stopLossPrice,
    p_reduce_only: step.reduceOnly,
    p_client_id: clientId,
  },
});

export interface Changed {
  readonly orderIds: readonly string[];
  readonly positionIds: readonly string[];
}

const idIn = (row: Readonly<Record<string, unknown>>, name: string): readonly string[] => {
  const value = row[name];
  return typeof value === 'string' ? [value] : [];
};

/** The answer to a step: the row of a limit order with its position, or that of a position. */
export const changedBy = (step: Step, answer: Readonly<Record<string, unknown>>): Changed =>
  step.kind === 'close' || (step.kind === 'place' && step.type === 'MARKET')
    ? { orderIds: [], positionIds: idIn(answer, 'id') }
    : { orderIds: idIn(answer, 'id'), positionIds: idIn(answer, 'position_id') };
