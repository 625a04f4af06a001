/** Commands on positions. */
import { z } from 'zod';
import { decimal, id, rowSchema, symbol } from '../columns.ts';
import { orders, positions, wallets } from '../tables/trading.ts';
import { clientId } from './arguments.ts';
import { procedure } from './procedure.ts';

/** Rows as the table API returns them, as answers to commands. */
export const positionRow = rowSchema(positions.columns).extend({ symbol });
export type PositionRow = z.infer<typeof positionRow>;
export const orderRow = rowSchema(orders.columns).extend({ symbol });
export type OrderRow = z.infer<typeof orderRow>;
export const walletRow = rowSchema(wallets.columns).extend({ currency: z.literal('USDT') });
export type WalletRow = z.infer<typeof walletRow>;

export const openPosition = procedure({
  name: 'open_position',
  kind: 'command',
  roles: ['trader'],
  whileImpersonating: 'allowed',
  args: z.strictObject({
    /** Ignored: the token decides the user. Declared because the documents send it. */
    p_user_id: id.optional(),
    p_symbol: symbol,
    p_side: z.string().max(8),
    /** A bound on the fill (PRICE_TOLERANCE_PCT), never its price; null is no bound. */
    p_entry_price: decimal.nullish(),
    p_size: decimal,
    p_leverage: z.number(),
    /** Ignored: the domain computes the margin. */
    p_required_margin: decimal.nullish(),
    /** Take profit and stop loss; null or absent is none (A21). */
    p_take_profit_price: decimal.nullish(),
    p_stop_loss_price: decimal.nullish(),
    p_client_id: clientId,
  }),
  result: positionRow,
});

export const closePosition = procedure({
  name: 'close_position',
  kind: 'command',
  roles: ['trader'],
  whileImpersonating: 'allowed',
  args: z.strictObject({
    p_position_id: id,
    /** Ignored, both: the server computes price and PnL. */
    p_close_price: decimal.nullish(),
    p_realized_pnl: decimal.nullish(),
    /**
     * The size of a partial close (A23); the answer is the closed part with its own id. Null or absent closes the
     * whole.
     */
    p_size: decimal.nullish(),
    p_client_id: clientId,
  }),
  result: positionRow,
});

/**
 * Closes the whole position and opens the other side with the same size and leverage, both at the server's price or
 * neither. The answer is the new position, without take profit and stop loss.
 */
export const reversePosition = procedure({
  name: 'reverse_position',
  kind: 'command',
  roles: ['trader'],
  whileImpersonating: 'allowed',
  args: z.strictObject({
    p_position_id: id,
    /** A bound on the price (PRICE_TOLERANCE_PCT), never the price itself; null is no bound. */
    p_expected_price: decimal.nullish(),
    p_client_id: clientId,
  }),
  result: positionRow,
});

/**
 * Requests a close of the whole position at the next price that trades. While the market is closed that is the first
 * after the reopening (A98), while a price is held the one that ends the hold (A110). `p_wanted` false withdraws the
 * request at any time.
 */
export const closeAtReopen = procedure({
  name: 'close_at_reopen',
  kind: 'command',
  roles: ['trader'],
  whileImpersonating: 'allowed',
  args: z.strictObject({ p_position_id: id, p_wanted: z.boolean(), p_client_id: clientId }),
  result: positionRow,
});

/** Sets take profit and stop loss to exactly these values; null or absent removes one (A21). */
export const setTakeProfitStopLoss = procedure({
  name: 'set_take_profit_stop_loss',
  kind: 'command',
  roles: ['trader'],
  whileImpersonating: 'allowed',
  args: z.strictObject({
    p_position_id: id,
    p_take_profit_price: decimal.nullish(),
    p_stop_loss_price: decimal.nullish(),
    p_client_id: clientId,
  }),
  result: positionRow,
});

/**
 * Changes the price of the caller's waiting order, and its reserve with it. Size, side and leverage cannot change.
 * The checks are those of a new order at that price; after a refusal the order waits on at its old price.
 */
export const amendOrder = procedure({
  name: 'amend_order',
  kind: 'command',
  roles: ['trader'],
  whileImpersonating: 'allowed',
  args: z.strictObject({ p_order_id: id, p_price: decimal, p_client_id: clientId }),
  result: orderRow,
});

/** Cancels orders, closes positions and books the account back to the start balance; the history stays (A102). */
export const resetAccount = procedure({
  name: 'reset_account',
  kind: 'command',
  roles: ['trader'],
  args: z.strictObject({ p_client_id: clientId }),
  result: walletRow,
});
