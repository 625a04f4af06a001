/**
 * The server requests of the trading store. The server checks claims (A18): the user comes from the token, and
 * prices, margin and PnL are the server's own. Amounts and prices may be numbers or decimal texts.
 */
import type { Database } from '@fulcrum/contract/database';
import type { OrderType, Side } from '@fulcrum/domain';
import {
  type CamelCased,
  fromWire,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../../shared/supabase/index.ts';

type OrderRow = Database['public']['Tables']['orders']['Row'];
type Functions = Database['public']['Functions'];
export type Candle = CamelCased<Functions['get_candles']['Returns'][number]>;
type Timeframe = Functions['get_candles']['Args']['p_timeframe'];
type Decimal = number | string;

export interface CandleInput {
  /** Defaults to the selected pair. */
  readonly symbol?: string;
  readonly timeframe?: Timeframe;
  /** At most 1000. */
  readonly limit?: number;
}

export interface PositionInput {
  readonly symbol: string;
  readonly side: Side;
  readonly size: Decimal;
  readonly leverage?: number;
  /** The price seen, which bounds the fill; without it the position opens at the market price. */
  readonly price?: Decimal;
  readonly takeProfitPrice?: Decimal;
  readonly stopLossPrice?: Decimal;
}

export interface OrderInput {
  readonly symbol: string;
  readonly type: OrderType;
  readonly side: Side;
  readonly quantity: Decimal;
  readonly price?: Decimal;
  readonly leverage?: number;
  readonly takeProfitPrice?: Decimal;
  readonly stopLossPrice?: Decimal;
}

type Repeatable<Claim> = Claim & { readonly clientId: string };

const defaultTimeframe = '15m';
const defaultBars = 300;
const defaultLeverage = 1;
/**
 * @throws Error for a value that is not a number: JSON would turn it into null, and the order would lose that price.
 */
function parseFigure(name: string, decimal: Decimal): number {
  const figure = typeof decimal === 'string' && decimal.trim() === '' ? Number.NaN : Number(decimal);
  if (!Number.isFinite(figure)) throw new Error(`Invalid ${name}: ${decimal}`);
  return figure;
}
const numberOrNull = (name: string, decimal: Decimal | undefined): number | null =>
  decimal === undefined ? null : parseFigure(name, decimal);
const toTextOrNull = (decimal: Decimal | undefined): string | null =>
  decimal === undefined ? null : String(decimal);

export const tradingRequests = ({ rest }: Pick<Supabase, 'rest'>) => ({
  candles: async ({
    symbol,
    timeframe = defaultTimeframe,
    limit = defaultBars,
  }: CandleInput & { symbol: string }) => {
    const args = { p_symbol: symbol, p_timeframe: timeframe, p_limit: limit, p_before: null };
    return (await unwrap(rest.rpc('get_candles', args))).map(fromWire);
  },

  /** Places an order by inserting its row (CALL-45). */
  insertOrder: async (input: Repeatable<OrderInput>): Promise<OrderRow> => {
    const row = {
      symbol: input.symbol,
      type: input.type,
      side: input.side,
      price: numberOrNull('price', input.price),
      size: parseFigure('quantity', input.quantity),
      leverage: input.leverage ?? defaultLeverage,
      take_profit_price: numberOrNull('take profit price', input.takeProfitPrice),
      stop_loss_price: numberOrNull('stop loss price', input.stopLossPrice),
      client_id: input.clientId,
    };
    return await unwrap(rest.from('orders').insert(row).select('*').single());
  },

  /** Cancels an order; resolves with null when there is no such order (CALL-46). */
  cancelOrder: async (orderId: string): Promise<OrderRow | null> => {
    const canceled = rest.from('orders').update({ status: 'CANCELED' }).eq('id', orderId);
    return await unwrapOrNull(canceled.select('*').maybeSingle());
  },

  /** Opens a position at the market price; the sent price is only a bound (CALL-47). */
  openPosition: (input: Repeatable<PositionInput>) =>
    unwrap(
      rest.rpc('open_position', {
        p_symbol: input.symbol,
        p_side: input.side,
        p_entry_price: toTextOrNull(input.price),
        p_size: String(input.size),
        p_leverage: input.leverage ?? defaultLeverage,
        p_required_margin: null,
        p_take_profit_price: toTextOrNull(input.takeProfitPrice),
        p_stop_loss_price: toTextOrNull(input.stopLossPrice),
        p_client_id: input.clientId,
      }),
    ),

  /** Closes a whole position; the server finds price and profit itself (CALL-48). */
  closePosition: (positionId: string, clientId: string) =>
    unwrap(
      rest.rpc('close_position', {
        p_position_id: positionId,
        p_close_price: null,
        p_realized_pnl: null,
        p_size: null,
        p_client_id: clientId,
      }),
    ),
});
