/** The columns of `app.orders`. The reason of a rejection is stored as its text, so no stored order is read with one. */
import { nullable, numeric, orders, text } from '@fulcrum/contract';
import type { Order } from '@fulcrum/domain';
import { refusalError } from '../../refusals.ts';
import { defineColumns } from './codec.ts';

export const orderColumns = defineColumns<Order>()({
  public: orders.columns,
  hidden: { arrival_price: nullable(numeric), quote_id: nullable(text) },
  from: {
    user_id: 'accountId',
    reason: { write: ({ rejection }) => rejection && refusalError(rejection).message },
  },
});
