/** What staff do to a trader's account or a price. Each wants a reason and is written to the audit log. */
import { z } from 'zod';
import { decimal, id, symbol } from '../columns.ts';
import { procedure } from './procedure.ts';
import { walletRow } from './trading.ts';

/** Required; absent or blank is answered with what to do. */
const reason = z
  .string()
  .max(500)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed')
  .nullish();
/** Made by the client, unique per staff member: a repeat returns the stored answer. */
const clientId = z.string().min(1).max(64).nullish();

/** CALL-52, A12: a deposit above zero, a withdrawal below; traders only, a manager's own only. */
export const adjustWalletBalance = procedure({
  name: 'adjust_wallet_balance',
  kind: 'command',
  roles: ['manager', 'admin'],
  args: z.strictObject({ p_user_id: id, p_amount: decimal, p_reason: reason, p_client_id: clientId }),
  /** The wallet as it then is, and the line of its history. */
  result: walletRow.extend({ transaction_id: id }),
});

/** A72: a restricted trader opens nothing; restricting cancels what waits. */
export const restrictUser = procedure({
  name: 'restrict_user',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id, p_restricted: z.boolean(), p_reason: reason, p_client_id: clientId }),
  result: z.object({ user_id: id, restricted: z.boolean(), orders_canceled: z.number().int() }),
});

/** CALL-53, A73: for good. Not for admins and not for oneself. */
export const deleteUserWithData = procedure({
  name: 'delete_user_with_data',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id, p_reason: reason, p_client_id: clientId }),
  result: z.object({ user_id: id }),
});

/** A106: lets a price through that was held back as absurd, because somebody knows that it is right. */
export const acceptPrice = procedure({
  name: 'accept_price',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_symbol: symbol, p_reason: reason }),
  result: z.object({ symbol, price: z.number() }),
});
