/** Commands on positions. */
import { bookSources, sides } from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id, rowSchema, symbol } from '../columns.ts';
import { userRoles } from '../roles.ts';
import { orders, positions, wallets } from '../tables/trading.ts';
import { clientId } from './arguments.ts';
import { command, query, traderTrades } from './procedure.ts';

/** As `get_book` and executions have it, with what the account had used up of it. */
const quoteId = z.string().max(200);

/** Rows as the table API returns them, as answers to commands. */
export const positionRow = rowSchema(positions.columns).extend({ symbol });
export type PositionRow = z.infer<typeof positionRow>;
export const orderRow = rowSchema(orders.columns).extend({ symbol });
export type OrderRow = z.infer<typeof orderRow>;
export const walletRow = rowSchema(wallets.columns).extend({ currency: z.literal('USDT') });
export type WalletRow = z.infer<typeof walletRow>;

export const openPosition = command('open_position', {
  ...traderTrades,
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
    /** Of an account with net positions: it only makes a position smaller. */
    p_reduce_only: z.boolean().optional(),
    /** Likewise: the quote that was seen; it fills on that one or not at all. */
    p_quote_id: quoteId.nullish(),
    p_client_id: clientId,
  }),
  result: positionRow,
});

export const closePosition = command('close_position', {
  ...traderTrades,
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
export const reversePosition = command('reverse_position', {
  ...traderTrades,
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
export const closeAtReopen = command('close_at_reopen', {
  ...traderTrades,
  args: z.strictObject({ p_position_id: id, p_wanted: z.boolean(), p_client_id: clientId }),
  result: positionRow,
});

/** Sets take profit and stop loss to exactly these values; null or absent removes one (A21). */
export const setTakeProfitStopLoss = command('set_take_profit_stop_loss', {
  ...traderTrades,
  args: z.strictObject({
    p_position_id: id,
    p_take_profit_price: decimal.nullish(),
    p_stop_loss_price: decimal.nullish(),
    p_client_id: clientId,
  }),
  result: positionRow,
});

/** The leverage of the symbol's net position and of its next orders (A113). A higher one sets margin free. */
export const setLeverage = command('set_leverage', {
  ...traderTrades,
  args: z.strictObject({ p_symbol: symbol, p_leverage: z.number(), p_client_id: clientId }),
  result: z.object({ symbol: z.string(), leverage: z.number().int() }),
});

/** Adds margin to a net position (above zero) or takes it out (below), USDT (A113). */
export const adjustMargin = command('adjust_margin', {
  ...traderTrades,
  args: z.strictObject({ p_position_id: id, p_amount: decimal, p_client_id: clientId }),
  result: positionRow,
});

const level = z.object({ price: z.number(), size: z.number() });

/**
 * The book that orders of the caller's account fill on, or with `p_quote_id` the one that an execution names. Of an account that fills at
 * the market's one price it is the market's book, for looking only.
 */
export const getBook = query('get_book', {
  roles: userRoles,
  whileImpersonating: 'allowed',
  apiKey: 'read',
  args: z.strictObject({ p_symbol: symbol, p_quote_id: quoteId.nullish() }),
  result: z.object({
    symbol: z.string(),
    quote_id: z.string(),
    /**
     * `live`: the exchange's own levels, as the account's profile meets them. `live_best`: its best prices, with modelled levels
     * behind them. `modelled`: computed from the price and a model of the market; nobody offers these.
     */
    source: z.enum(bookSources),
    /** The market's price; of a live book half-way between its best prices, which may lie between two ticks. */
    mid: z.number(),
    /** The instant of the price or of the live book, ISO 8601 UTC. */
    priced_at: z.string(),
    /** The best level first, without what the account has used up itself in the last 4 s. */
    bids: z.array(level),
    asks: z.array(level),
    /** The market's last fifty trades, the newest first, of no account here; none of an earlier quote. */
    trades: z.array(
      z.object({
        price: z.number(),
        size: z.number(),
        /** The side of the taker's order. */
        side: z.enum(sides),
        /** ISO 8601 UTC. */
        traded_at: z.string(),
      }),
    ),
    /** `live`: the exchange's. `modelled`: what the market's prices would be as trades; nobody traded them. */
    trades_source: z.enum(['live', 'modelled']),
  }),
});

/**
 * Changes the price of the caller's waiting order, and its reserve with it; in an account with net positions also its size. Side and
 * leverage cannot change.
 * The checks are those of a new order at that price; after a refusal the order waits on at its old price.
 */
export const amendOrder = command('amend_order', {
  ...traderTrades,
  args: z.strictObject({
    p_order_id: id,
    /** Its limit; of an order at the market that waits for its trigger, the trigger price. */
    p_price: decimal,
    p_trigger_price: decimal.nullish(),
    p_size: decimal.nullish(),
    p_client_id: clientId,
  }),
  result: orderRow,
});

/** Cancels orders, closes positions and books the account back to the start balance; the history stays (A102). */
export const resetAccount = command('reset_account', {
  roles: ['trader'],
  args: z.strictObject({ p_client_id: clientId }),
  result: walletRow,
});
