/** The columns of the rows that the engine writes and never reads. Their time is that of the batch. */
import {
  bigint,
  equitySnapshots,
  executions,
  ledgerEntries,
  notifications,
  nullable,
  numeric,
  symbolLeverages,
  text,
  transactions,
  uuid,
} from '@fulcrum/contract';
import type { LedgerRow } from '../ledger-rows.ts';
import type { Batch, Totals } from '../store.ts';
import { defineColumns } from './codec.ts';

export const ledgerEntryColumns = defineColumns<LedgerRow>()({
  public: ledgerEntries.columns,
  hidden: {},
  from: { id: null, user_id: 'accountId', created_at: null },
});

/** With the time of its batch. */
export const executionColumns = defineColumns<Batch['executions'][number]>()({
  public: executions.columns,
  hidden: { market_source: nullable(text) },
  from: { user_id: 'accountId', created_at: 'at' },
});

/** What an account may set for a symbol. */
export const leverageColumns = defineColumns<Batch['leverages'][number]>()({
  public: symbolLeverages.columns,
  hidden: {},
  from: { user_id: 'accountId' },
});

export const transactionColumns = defineColumns<Batch['transactions'][number]>()({
  public: transactions.columns,
  hidden: {},
  from: {
    id: 'transaction.id',
    user_id: 'wallet.accountId',
    wallet_id: 'wallet.id',
    type: 'transaction.type',
    amount: 'transaction.amount',
    status: null,
    created_at: null,
    completed_at: null,
    description: 'transaction.description',
  },
});

/** The context of the row: when it was made, milliseconds since the epoch. A new notification is unread. */
export const notificationColumns = defineColumns<Batch['notifications'][number], number>()({
  public: notifications.columns,
  hidden: {},
  from: {
    id: 'notification.id',
    user_id: 'accountId',
    kind: 'notification.kind',
    symbol: { write: ({ notification: { position, order } }) => position?.symbol ?? order?.symbol ?? null },
    position_id: {
      write: ({ notification: { position, order } }) => position?.id ?? order?.positionId ?? null,
    },
    order_id: { write: ({ notification: { order } }) => order?.id ?? null },
    created_at: { show: (_, at) => at },
    read_at: { show: () => null },
  },
});

export const equityColumns = defineColumns<Batch['equity'][number]>()({
  public: equitySnapshots.columns,
  hidden: {},
  from: { user_id: 'accountId', at: null },
});

export const answerColumns = defineColumns<Batch['answers'][number]>()({
  public: {},
  hidden: { user_id: uuid, client_id: text, procedure: text, body_hash: text, answer: text },
  from: {
    user_id: 'key.ownerId',
    client_id: 'key.clientId',
    procedure: 'key.procedure',
    body_hash: 'key.bodyHash',
    answer: { write: ({ answer }) => JSON.stringify(answer) },
  },
});

/** What is added to the day's row of `app.daily_totals`. */
export const totalsColumns = defineColumns<Totals>()({
  public: {},
  hidden: {
    volume: numeric,
    opened: bigint,
    closed: bigint,
    realized_pnl: numeric,
    deposits: numeric,
    withdrawals: numeric,
    fees: numeric,
    balance: numeric,
  },
  from: {},
});
