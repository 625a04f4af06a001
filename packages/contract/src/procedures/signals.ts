/** Signals from outside the platform: addresses of an account that take orders, and what came in by them. */
import { signalBodyMax, signalHookNameMax, signalOutcomes } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { storableText } from './arguments.ts';
import { command, query } from './procedure.ts';

const signalHook = z.object({
  id,
  account_id: id,
  name: z.string(),
  created_at: z.string(),
  /** Of the last signal that was stored; null: none so far. */
  last_used_at: z.string().nullable(),
});
export type SignalHook = z.infer<typeof signalHook>;

/** Makes an address of one of the caller's accounts. `address` is answered here and never again. */
export const createSignalHook = command('create_signal_hook', {
  roles: ['trader'],
  args: z.strictObject({ p_account_id: id, p_name: storableText(2 * signalHookNameMax) }),
  result: signalHook.extend({ address: z.string() }),
});

/** Ends an address at once. One that is revoked already is no error. */
export const revokeSignalHook = command('revoke_signal_hook', {
  roles: ['trader'],
  args: z.strictObject({ p_hook_id: id }),
  result: z.object({ id }),
});

/** The addresses of the account that are not revoked, the oldest first; by default of the account of the token. */
export const listSignalHooks = query('list_signal_hooks', {
  roles: ['trader'],
  args: z.strictObject({ p_account_id: id.nullish() }),
  result: z.array(signalHook),
});

const signalRow = z.object({
  id,
  hook_id: id,
  hook_name: z.string(),
  received_at: z.string(),
  finished_at: z.string().nullable(),
  outcome: z.enum(signalOutcomes),
  /** What the signal means, for example 'Buy 0.5 BTCUSDT at the market, 20x'; null while that is not decided, or for a body that means nothing. */
  summary: z.string().nullable(),
  /** Why it was refused, or came too late. */
  detail: z.string().nullable(),
  order_ids: z.array(id),
  position_ids: z.array(id),
  /** As it came in. */
  body: z.string(),
});
export type SignalRow = z.infer<typeof signalRow>;

/** The last 100 signals of the account, the newest first; by default of the account of the token. */
export const listSignals = query('list_signals', {
  roles: ['trader'],
  args: z.strictObject({ p_account_id: id.nullish() }),
  result: z.array(signalRow),
});

/** What a body would do in the account now, or why it would do nothing. It changes nothing. */
export const previewSignal = query('preview_signal', {
  roles: ['trader'],
  args: z.strictObject({ p_account_id: id, p_body: storableText(signalBodyMax) }),
  result: z.object({
    /** `ready`: it would be executed; `refused`: it can be read, and `message` is the refusal; `unreadable`: `message` names what to change. */
    status: z.enum(['ready', 'refused', 'unreadable']),
    message: z.string().nullable(),
    /** As in `list_signals`. */
    summary: z.string().nullable(),
    action: z.enum(['buy', 'sell', 'exit', 'cancel']).nullable(),
    symbol: z.string().nullable(),
    /** Of the order that it would place; null where it closes or cancels only. */
    order: z
      .object({
        type: z.enum(['MARKET', 'LIMIT']),
        side: z.enum(['BUY', 'SELL']),
        size: z.number(),
        price: z.number().nullable(),
        leverage: z.number(),
        take_profit_price: z.number().nullable(),
        stop_loss_price: z.number().nullable(),
        reduce_only: z.boolean(),
      })
      .nullable(),
    /** Positions that it would close, with the size of a partial close. */
    closes: z.array(z.object({ position_id: id, size: z.number().nullable() })),
    /** Orders that it would cancel. */
    cancels: z.array(id),
  }),
});
export type SignalPreview = z.infer<typeof previewSignal.result>;
