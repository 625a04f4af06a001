/** The columns of `app.wallets`. PostgreSQL computes the balance; the time of the last change is the batch's. */
import { numeric, oneOf, wallets } from '@fulcrum/contract';
import { balanceOf, type Wallet } from '@fulcrum/domain';
import { defineColumns } from './codec.ts';

/** The context of the row: when it last changed, milliseconds since the epoch. */
export const walletColumns = defineColumns<Wallet, number>()({
  public: { ...wallets.columns, currency: oneOf('USDT') },
  hidden: { margin: numeric, order_margin: numeric },
  from: {
    user_id: 'accountId',
    balance: { show: balanceOf },
    available_balance: 'available',
    currency: { show: () => 'USDT' },
    last_updated: { show: (_, at) => at },
  },
});
