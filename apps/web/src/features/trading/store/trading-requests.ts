/**
 * What the trading store asks the server for. Claims are checked there (A18): the user is the token's, prices, margin and
 * PnL are the server's. Amounts and prices may be numbers or decimal texts.
 */
import type { Database } from '@fulcrum/contract/database';
import {
  answerOf,
  type CamelCased,
  fromWire,
  rowsOf,
  type Supabase,
} from '../../../shared/supabase/index.ts';

type OrderRow = Database['public']['Tables']['orders']['Row'];
type Functions = Database['public']['Functions'];
export type Candle = CamelCased<Functions['get_candles']['Returns'][number]>;
type Timeframe = Functions['get_candles']['Args']['p_timeframe'];
type Decimal = number | string;

export interface CandleClaim {
  /** The selected pair, when none is named. */
  readonly symbol?: string;
  readonly timeframe?: Timeframe;
  /** At most 1000. */
  readonly limit?: number;
}

export interface PositionClaim {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly size: Decimal;
  readonly leverage?: number;
  /** The price seen, a bound on the fill; without it the position opens at the market's. */
  readonly price?: Decimal;
  readonly takeProfitPrice?: Decimal;
  readonly stopLossPrice?: Decimal;
}

export interface OrderClaim {
  readonly symbol: string;
  readonly type: 'MARKET' | 'LIMIT' | 'STOP';
  readonly side: 'BUY' | 'SELL';
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
/** @throws Error for what is no number: JSON would make nothing of it, and the order would go without that price. */
function figureOf(name: string, decimal: Decimal): number {
  const figure = typeof decimal === 'string' && decimal.trim() === '' ? Number.NaN : Number(decimal);
  if (!Number.isFinite(figure)) throw new Error(`Invalid ${name}: ${decimal}`);
  return figure;
}
const numberOrNull = (name: string, decimal: Decimal | undefined): number | null =>
  decimal === undefined ? null : figureOf(name, decimal);
const textOf = (decimal: Decimal | undefined): string | null =>
  decimal === undefined ? null : String(decimal);

export const tradingRequests = ({ rest }: Pick<Supabase, 'rest'>) => ({
  candles: async ({
    symbol,
    timeframe = defaultTimeframe,
    limit = defaultBars,
  }: CandleClaim & { symbol: string }) => {
    const asked = { p_symbol: symbol, p_timeframe: timeframe, p_limit: limit, p_before: null };
    return (await rowsOf(rest.rpc('get_candles', asked))).map(fromWire);
  },

  /** CALL-45. */
  insertOrder: async (claim: Repeatable<OrderClaim>): Promise<OrderRow> => {
    const row = {
      symbol: claim.symbol,
      type: claim.type,
      side: claim.side,
      price: numberOrNull('price', claim.price),
      size: figureOf('quantity', claim.quantity),
      leverage: claim.leverage ?? defaultLeverage,
      take_profit_price: numberOrNull('take profit price', claim.takeProfitPrice),
      stop_loss_price: numberOrNull('stop loss price', claim.stopLossPrice),
      client_id: claim.clientId,
    };
    return await rowsOf(rest.from('orders').insert(row).select('*').single());
  },

  /** CALL-46; null when there is no such order. */
  cancelOrder: async (orderId: string): Promise<OrderRow | null> => {
    const canceled = rest.from('orders').update({ status: 'CANCELED' }).eq('id', orderId);
    return await answerOf(canceled.select('*').maybeSingle());
  },

  /** CALL-47. */
  openPosition: (claim: Repeatable<PositionClaim>) =>
    rowsOf(
      rest.rpc('open_position', {
        p_symbol: claim.symbol,
        p_side: claim.side,
        p_entry_price: textOf(claim.price),
        p_size: String(claim.size),
        p_leverage: claim.leverage ?? defaultLeverage,
        p_required_margin: null,
        p_take_profit_price: textOf(claim.takeProfitPrice),
        p_stop_loss_price: textOf(claim.stopLossPrice),
        p_client_id: claim.clientId,
      }),
    ),

  /** CALL-48. */
  closePosition: (positionId: string, clientId: string) =>
    rowsOf(
      rest.rpc('close_position', {
        p_position_id: positionId,
        p_close_price: null,
        p_realized_pnl: null,
        p_size: null,
        p_client_id: clientId,
      }),
    ),
});
