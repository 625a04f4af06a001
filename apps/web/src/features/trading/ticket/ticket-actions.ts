/**
 * The keyboard actions of the order form. Invariant: a key does no more than its control, and nothing while no form
 * is on screen.
 */
import type { BasicOrderType, Side } from '@fulcrum/domain';
import type { Action } from '../../../shared/actions/index.ts';
import { orderTypeNames } from './order-types.ts';
import type { Ticket } from './useTicket.ts';
import { buttonNames } from './validators.ts';

const sideKeys = { BUY: 'Shift+B', SELL: 'Shift+S' } as const satisfies Record<Side, string>;
const typeKeys = { MARKET: 'M', LIMIT: 'L', STOP: 'T' } as const satisfies Record<BasicOrderType, string>;

export function useTicketActions(ticket: Ticket): readonly Action[] {
  const { state, dispatch, submit, chooseType, amountField, offeredTypes } = ticket;
  const action = (
    id: string,
    label: string,
    keys: readonly string[],
    perform: (field: HTMLInputElement) => void,
  ): Action => ({
    id: `ticket-${id}`,
    label,
    group: 'Trading',
    keys,
    isTrading: true,
    perform: () => {
      if (amountField.current) perform(amountField.current);
    },
  });
  const order = (side: Side) =>
    action(side.toLowerCase(), buttonNames[side], [sideKeys[side]], () => submit(side));
  const kind = (type: BasicOrderType) =>
    action(type.toLowerCase(), `${orderTypeNames[type]} order`, [typeKeys[type]], () => chooseType(type));
  const leverage = (id: string, label: string, keys: readonly string[], by: number) =>
    action(id, label, keys, () => dispatch({ type: 'leverage', leverage: state.leverage + by }));
  return [
    order('BUY'),
    order('SELL'),
    action('amount', 'Go to the amount', ['A'], (field) => {
      field.focus();
      field.select();
    }),
    ...offeredTypes.map(kind),
    leverage('more-leverage', 'More leverage', ['+', '='], 1),
    leverage('less-leverage', 'Less leverage', ['-'], -1),
  ];
}
