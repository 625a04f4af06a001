/** What a change of money or of a position would do before it is made, and what was changed. The engine decides; nothing is written. */
import { z } from 'zod';
import { decimal, id } from '../../columns.ts';
import { procedure } from '../procedure.ts';

const time = z.string();
/** A column of a row as it was and as it is. */
const fieldValue = z.union([z.string(), z.number(), z.boolean()]).nullable();
const fieldChange = z.object({ column: z.string(), before: fieldValue, after: fieldValue });

const walletState = z.object({ balance: z.number(), available_balance: z.number(), margin: z.number() });
/** What a change would do, as the engine decides it now; nothing is changed. */
const walletPreview = {
  before: walletState,
  /** Null when it would be refused. */
  after: walletState.nullable(),
  /** In the words with which the command would refuse it. */
  refusal: z.string().nullable(),
};

/** A12: what `adjust_wallet_balance` would do. */
export const previewFunds = procedure({
  name: 'preview_funds',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({ p_user_id: id, p_amount: decimal }),
  result: z.object(walletPreview),
});

/** A09: what an update of `positions` by staff would do. What is absent stays, null empties. */
export const previewPositionEdit = procedure({
  name: 'preview_position_edit',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({
    p_position_id: id,
    p_changes: z.strictObject({
      entry_price: decimal.nullish(),
      close_price: decimal.nullish(),
      size: decimal.nullish(),
      leverage: z.number().nullish(),
      side: z.string().nullish(),
      realized_pnl: decimal.nullish(),
      liquidation_price: decimal.nullish(),
      created_at: z.string().max(40).nullish(),
      closed_at: z.string().max(40).nullish(),
    }),
  }),
  result: z.object({
    ...walletPreview,
    /** The version that was looked at; another one than the editor's means that somebody was faster. */
    version: z.number().int(),
    /** Columns that would change, with what follows from the asked ones. */
    changes: z.array(fieldChange),
    /** Realized PnL that follows from entry, close price, size and side; null for an open one. */
    derived_pnl: z.number().nullable(),
  }),
});

/** Who changed a position and how, the latest first; at most a hundred. */
export const getPositionHistory = procedure({
  name: 'get_position_history',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({ p_position_id: id }),
  result: z.array(
    z.object({
      at: time,
      action: z.string(),
      /** Null: deleted since, or the operator. */
      actor: z.string().nullable(),
      /** As whom they acted (A45). */
      on_behalf_of: z.string().nullable(),
      reason: z.string().nullable(),
      changes: z.array(fieldChange),
    }),
  ),
});
