/**
 * Previews of a change of money or of a position, and the history of changes. The engine decides a preview; nothing
 * is written.
 */

import { z } from 'zod';
import { decimal, id } from '../../columns.ts';
import { managingRoles } from '../../roles.ts';
import { query } from '../procedure.ts';

const time = z.string();
/** A column of a row as it was and as it is. */
const fieldValue = z.union([z.string(), z.number(), z.boolean()]).nullable();
const fieldChange = z.object({ column: z.string(), before: fieldValue, after: fieldValue });

const walletState = z.object({ balance: z.number(), available_balance: z.number(), margin: z.number() });
/** The result of a change, as the engine decides it now; nothing is changed. */
const walletPreview = {
  before: walletState,
  /** Null when it would be refused. */
  after: walletState.nullable(),
  /** The text of the command's refusal. */
  refusal: z.string().nullable(),
};

/** Previews `adjust_wallet_balance` (A12). */
export const previewFunds = query('preview_funds', {
  roles: managingRoles,
  args: z.strictObject({ p_user_id: id, p_account_id: id.nullish(), p_amount: decimal }),
  result: z.object(walletPreview),
});

/** Previews an update of `positions` by staff. An absent field stays, null empties one (A09). */
export const previewPositionEdit = query('preview_position_edit', {
  roles: managingRoles,
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
    /** The version of the preview; a different one at the edit means that another change came first. */
    version: z.number().int(),
    /** Columns that would change, including those that follow from the requested ones. */
    changes: z.array(fieldChange),
    /** Realized PnL that follows from entry, close price, size and side; null for an open one. */
    derived_pnl: z.number().nullable(),
  }),
});

/** The edits of a position, the latest first; at most a hundred. */
export const getPositionHistory = query('get_position_history', {
  roles: managingRoles,
  args: z.strictObject({ p_position_id: id }),
  result: z.array(
    z.object({
      at: time,
      action: z.string(),
      /** Null: deleted since, or the operator. */
      actor: z.string().nullable(),
      /** The user that the actor impersonated (A45). */
      on_behalf_of: z.string().nullable(),
      reason: z.string().nullable(),
      changes: z.array(fieldChange),
    }),
  ),
});
