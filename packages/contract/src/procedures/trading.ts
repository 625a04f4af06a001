/** Commands on positions. */
import { z } from 'zod';
import { decimal, id, symbol } from '../columns.ts';
import { procedure } from './procedure.ts';

/** A position as the table API returns it, as an answer to a command. */
export const positionRow = z.object({
  id,
  user_id: id,
  symbol,
  side: z.enum(['BUY', 'SELL']),
  entry_price: z.number(),
  size: z.number(),
  leverage: z.number().int(),
  margin: z.number(),
  liquidation_price: z.number(),
  mark_price: z.number().nullable(),
  unrealized_pnl: z.number().nullable(),
  close_price: z.number().nullable(),
  realized_pnl: z.number().nullable(),
  status: z.enum(['open', 'closed']),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullable(),
  take_profit_price: z.number().nullable(),
  stop_loss_price: z.number().nullable(),
  close_reason: z.enum(['manual', 'liquidation', 'take_profit', 'stop_loss', 'staff']).nullable(),
  close_price_source: z.enum(['live', 'mark', 'entry']).nullable(),
  rules: z.enum(['standard', 'as-specified']),
  version: z.number().int(),
  account_version: z.number().int(),
});
export type PositionRow = z.infer<typeof positionRow>;

export const openPosition = procedure({
  name: 'open_position',
  kind: 'command',
  roles: ['trader'],
  whileActing: 'allowed',
  args: z.strictObject({
    /** Ignored: the user is the token's. Kept because the documents send it. */
    p_user_id: id.optional(),
    p_symbol: symbol,
    p_side: z.string().max(8),
    /** A bound on the fill (PRICE_TOLERANCE_PCT), never the fill; null is no bound. */
    p_entry_price: decimal.nullish(),
    p_size: decimal,
    p_leverage: z.number(),
    /** Ignored: margin is the domain's. */
    p_required_margin: decimal.nullish(),
    /** Made by the client, unique per user: a repeat returns the stored answer. */
    p_client_id: z.string().min(1).max(64).nullish(),
  }),
  result: positionRow,
});

export const closePosition = procedure({
  name: 'close_position',
  kind: 'command',
  roles: ['trader'],
  whileActing: 'allowed',
  args: z.strictObject({
    p_position_id: id,
    /** Ignored, both: price and PnL are the server's. */
    p_close_price: decimal.nullish(),
    p_realized_pnl: decimal.nullish(),
    p_client_id: z.string().min(1).max(64).nullish(),
  }),
  result: positionRow,
});
