/** The inputs of the trading store's actions, and the requests that they become. Sizes and prices may be numbers or decimal texts. */
import type { Database } from '@fulcrum/contract/database';
import { type BasicOrderType, DEFAULT_LEVERAGE, type Side } from '@fulcrum/domain';
import { newClientId } from '../../../shared/ids/index.ts';
import { type CamelCased, fromWire, type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import type { OpenRequest, OrderRequest } from '../requests.ts';

type GetCandles = Database['public']['Functions']['get_candles'];
export type Candle = CamelCased<GetCandles['Returns'][number]>;
type Decimal = number | string;

export interface CandleInput {
  /** Defaults to the selected pair. */
  readonly symbol?: string;
  readonly timeframe?: GetCandles['Args']['p_timeframe'];
  /** At most 1000. */
  readonly limit?: number;
}

interface Input {
  readonly symbol: string;
  readonly side: Side;
  readonly price?: Decimal;
  readonly leverage?: number;
  readonly takeProfitPrice?: Decimal;
  readonly stopLossPrice?: Decimal;
}
/** The price is the one seen, which bounds the fill; without it the position opens at the market price. */
export interface PositionInput extends Input {
  readonly size: Decimal;
}
export interface OrderInput extends Input {
  readonly type: BasicOrderType;
  readonly quantity: Decimal;
}

const defaultTimeframe = '15m';
const defaultBars = 300;

/** Oldest first. */
export async function readCandles(
  { rest }: Pick<Supabase, 'rest'>,
  { symbol, timeframe = defaultTimeframe, limit = defaultBars }: CandleInput & { readonly symbol: string },
): Promise<readonly Candle[]> {
  const args = { p_symbol: symbol, p_timeframe: timeframe, p_limit: limit, p_before: null };
  return (await unwrap(rest.rpc('get_candles', args))).map(fromWire);
}

type Format = (name: string, decimal: Decimal) => string;
/** @throws Error for what is not a number: an order has numbers, and JSON would turn it into null */
const toNumberText: Format = (name, decimal) => {
  const text = String(decimal);
  if (text.trim() === '' || !Number.isFinite(Number(text))) throw new Error(`Invalid ${name}: ${decimal}`);
  return text;
};

function toRequest(input: Input, format: Format) {
  const orNull = (name: string, decimal: Decimal | undefined): string | null =>
    decimal === undefined ? null : format(name, decimal);
  return {
    symbol: input.symbol,
    side: input.side,
    price: orNull('price', input.price),
    leverage: input.leverage ?? DEFAULT_LEVERAGE,
    takeProfitPrice: orNull('take profit price', input.takeProfitPrice),
    stopLossPrice: orNull('stop loss price', input.stopLossPrice),
    clientId: newClientId(),
  };
}

export const toOpenRequest = (input: PositionInput): OpenRequest => ({
  ...toRequest(input, (_, decimal) => String(decimal)),
  size: String(input.size),
  requiredMargin: null,
});

/** @throws Error for a figure that is not a number */
export const toOrderRequest = (input: OrderInput): OrderRequest => ({
  ...toRequest(input, toNumberText),
  type: input.type,
  netTerms: null,
  size: toNumberText('quantity', input.quantity),
});
