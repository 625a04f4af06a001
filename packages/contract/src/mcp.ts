/**
 * The tools of `/mcp`, declared once. Each is carried out by requests to `/rest/v1` with the caller's own API key, so a tool grants
 * nothing that the key has not there (docs/decisions/0029). Names and descriptions are read by language models.
 */
import { orderTypes, sides, timeframes, timesInForce } from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id, symbol } from './columns.ts';
import type { ApiKeyScope } from './roles.ts';

export interface Tool<Name extends string = string, Args extends z.ZodObject = z.ZodObject> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  /** What an API key needs for it; it is not listed for another key. */
  readonly scope: ApiKeyScope;
  readonly args: Args;
}

const tool = <N extends string, A extends z.ZodObject>(declaration: Tool<N, A>): Tool<N, A> => declaration;

const ofSymbol = symbol.describe('A listed symbol, such as BTCUSDT');
const price = decimal.nullish();
const clientId = z
  .string()
  .min(1)
  .max(64)
  .describe(
    'Make a new one for each action. A repeat with the same one does nothing and is answered like the first.',
  );

export const tools = [
  tool({
    name: 'account',
    title: 'Account',
    description:
      "The account of the key: balance, available balance and equity in USDT, open positions, waiting orders, rules. 'perpetual' has one net position a symbol; any other one has a position for each opening.",
    scope: 'read',
    args: z.strictObject({}),
  }),
  tool({
    name: 'positions',
    title: 'Positions',
    description:
      "Open positions with the orders that wait, or the latest closed positions with their results. Of open positions and of orders the newest 200: with 'truncated' there are more, which 'account' counts.",
    scope: 'read',
    args: z.strictObject({
      status: z.enum(['open', 'closed']).default('open'),
      limit: z.number().int().min(1).max(100).default(20).describe('Of closed positions'),
    }),
  }),
  tool({
    name: 'quote',
    title: 'Quote',
    description:
      'The current price of a symbol with its source, and the limits of its orders: price tick, size step, smallest and largest size.',
    scope: 'read',
    args: z.strictObject({ symbol: ofSymbol }),
  }),
  tool({
    name: 'candles',
    title: 'Candles',
    description: 'Bars of a symbol, the oldest first.',
    scope: 'read',
    args: z.strictObject({
      symbol: ofSymbol,
      timeframe: z.enum(timeframes),
      limit: z.number().int().min(1).max(1000).default(100),
      before: z.iso.datetime({ offset: true }).nullish().describe('Only bars that opened before it'),
    }),
  }),
  tool({
    name: 'book',
    title: 'Order book',
    description:
      'The order book that orders of the account fill on, the best level first, and the latest trades.',
    scope: 'read',
    args: z.strictObject({ symbol: ofSymbol }),
  }),
  tool({
    name: 'review_trade',
    title: 'Review of a trade',
    description:
      'What the rules of the coach find in one closed trade, and the facts behind it. Without a model.',
    scope: 'read',
    args: z.strictObject({ position_id: id }),
  }),
  tool({
    name: 'review_period',
    title: 'Review of a period',
    description:
      'The costliest and the best habits of the trades that closed in a period of at most 31 days, with sums by setup, symbol, side and hour.',
    scope: 'read',
    args: z.strictObject({
      from: z.iso.datetime({ offset: true }),
      to: z.iso.datetime({ offset: true }).describe('Not included'),
      time_zone: z.string().min(1).max(64).default('UTC').describe('IANA, such as Europe/Berlin'),
    }),
  }),
  tool({
    name: 'place',
    title: 'Place an order',
    description:
      'Places an order with simulated money. MARKET fills at once, the other types wait. Conditional types, time in force, reduce-only and closing orders are for perpetual accounts.',
    scope: 'trade',
    args: z.strictObject({
      symbol: ofSymbol,
      side: z.enum(sides),
      type: z.enum(orderTypes).default('MARKET'),
      size: decimal.optional().describe('In units of the base; left out only with close_position'),
      leverage: z.number().int().min(1),
      price: price.describe('Of a LIMIT the limit, of a STOP the trigger'),
      trigger_price: price,
      trail_rate: price.describe('Of a trailing stop, in per cent'),
      time_in_force: z.enum(timesInForce).optional(),
      expires_at: z.iso.datetime({ offset: true }).optional().describe('With GTD'),
      reduce_only: z.boolean().optional(),
      close_position: z.boolean().optional(),
      take_profit_price: price,
      stop_loss_price: price,
      client_id: clientId,
    }),
  }),
  tool({
    name: 'cancel',
    title: 'Cancel an order',
    description: 'Cancels an order that waits.',
    scope: 'trade',
    args: z.strictObject({ order_id: id }),
  }),
  tool({
    name: 'close',
    title: 'Close a position',
    description: 'Closes an open position at the market, the whole or a part of it.',
    scope: 'trade',
    args: z.strictObject({
      position_id: id,
      size: decimal.nullish().describe('Of a part; left out, the whole'),
      client_id: clientId,
    }),
  }),
  tool({
    name: 'protect',
    title: 'Protect a position',
    description:
      'Sets take profit and stop loss of an open position to exactly these two values; null removes one.',
    scope: 'trade',
    args: z.strictObject({
      position_id: id,
      take_profit_price: decimal.nullable(),
      stop_loss_price: decimal.nullable(),
      client_id: clientId,
    }),
  }),
] as const;
export type ToolName = (typeof tools)[number]['name'];
export type ToolArgs<N extends ToolName> = z.output<Extract<(typeof tools)[number], { name: N }>['args']>;
