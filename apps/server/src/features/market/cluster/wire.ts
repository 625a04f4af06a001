/**
 * What the market's leader and the mirrors tell each other, as JSON. Prices of frames are whole numbers of 1e-8, which are exact below
 * 2^53 (`priceMax`); other amounts are decimal strings of such numbers. Fields that a neighbour of the next version adds are passed over.
 */
import type { AppError } from '@fulcrum/contract';
import {
  asPrice,
  asSize,
  type Level,
  type MarketTrade,
  type ModelRow,
  type StreamedBook,
  type TradingPair,
} from '@fulcrum/domain';
import { fromWireError, toWireError, type WireError } from '../../../platform/cluster/wire-errors.ts';
import type { MarketState } from '../index.ts';
import type { MarketPrice, PriceNumber } from '../price.ts';
import type { ObservedMarket } from '../quotes/model-rows.ts';
import type { SourceState } from '../source-states.ts';

export type WirePrice = Omit<MarketPrice, 'price'> & { readonly price: number };

/** What the leader knows beside the prices, once a second. */
export interface MarketStatus {
  readonly state: MarketState;
  readonly sources: readonly SourceState[];
  readonly recordedSymbols: readonly string[] | null;
  readonly isPolled: boolean;
  /** Symbols whose market shuts outside its hours. */
  readonly withHours: readonly string[];
  /** Number of the list of pairs; another one calls for a new snapshot. */
  readonly pairs: number;
}

/** What the exchange has streamed of a symbol since the frame before. */
export interface WireBook {
  readonly symbol: string;
  readonly book?: Omit<StreamedBook, 'bids' | 'asks'> & {
    readonly bids: readonly WireLevel[];
    readonly asks: readonly WireLevel[];
  };
  readonly trades?: readonly WireTrade[];
}
type WireLevel = readonly [price: string, size: string];
type WireTrade = Omit<MarketTrade, 'price' | 'size'> & { readonly price: string; readonly size: string };

/** What the leader took over within some milliseconds, in its order. `at`: the leader's time of it, ms since the epoch. */
export interface Frame extends PriceNumber {
  readonly at: number;
  readonly ticks: readonly WirePrice[];
  readonly status?: MarketStatus;
  readonly orderBooks?: readonly WireBook[];
}

/** All that a mirror needs to go on with frame `seq + 1`. */
export interface Snapshot extends PriceNumber {
  readonly pairs: readonly WirePair[];
  readonly delisted: readonly string[];
  readonly prices: readonly WirePrice[];
  readonly models: readonly WireModel[];
  readonly status: MarketStatus;
}

/** Frames from a number on; null where the leader does not have them (any more), or leads another term. */
export interface FramesSince {
  readonly term: number;
  readonly frames: readonly Frame[] | null;
}

/** Which symbols a process needs, once a second. Null: it knows of no positions and orders. */
export interface Demand {
  readonly process: string;
  readonly shown: readonly string[];
  readonly showsAll: boolean;
  readonly inUse: readonly string[] | null;
  /** In order of need. */
  readonly booked: readonly string[];
}

export const subjects = {
  frames: 'price',
  since: 'price.since',
  all: 'price.all',
  /** A leader answers for its own term only, so two that believe to lead never do the same twice. */
  method: (term: number, method: string) => `market.${term}.${method}`,
  demand: (process: string) => `symbols.${process}`,
  demands: 'symbols.*',
} as const;

export const toWirePrice = (price: MarketPrice): WirePrice => ({ ...price, price: Number(price.price) });
export const fromWirePrice = (wire: WirePrice): MarketPrice => ({
  ...wire,
  price: asPrice(BigInt(wire.price)),
});

const priceFields = ['minPrice', 'maxPrice', 'tickSize'] as const;
const sizeFields = ['minQty', 'maxQty', 'stepSize'] as const;
type AmountField = (typeof priceFields)[number] | (typeof sizeFields)[number];
type WirePair = Omit<TradingPair, AmountField> & Readonly<Record<AmountField, string>>;

export function toWirePair(pair: TradingPair): WirePair {
  const { id, symbol, name, nickname, type, baseAsset, quoteAsset, tradingHours, sortOrder } = pair;
  const amounts = [...priceFields, ...sizeFields].map((field) => [field, String(pair[field])]);
  return {
    ...{ id, symbol, name, nickname, type, baseAsset, quoteAsset, tradingHours, sortOrder },
    ...(Object.fromEntries(amounts) as Record<AmountField, string>),
  };
}

export const fromWirePair = (wire: WirePair): TradingPair => ({
  ...wire,
  minPrice: asPrice(BigInt(wire.minPrice)),
  maxPrice: asPrice(BigInt(wire.maxPrice)),
  tickSize: asPrice(BigInt(wire.tickSize)),
  minQty: asSize(BigInt(wire.minQty)),
  maxQty: asSize(BigInt(wire.maxQty)),
  stepSize: asSize(BigInt(wire.stepSize)),
});

type WireRow = Readonly<Record<'halfSpread' | 'volatility' | 'dayVolume', string>> & Pick<ModelRow, 'depth'>;
type WireModel = Omit<ObservedMarket, 'row'> & { readonly row: WireRow | null };

export function toWireModel({ row, ...observed }: ObservedMarket): WireModel {
  if (!row) return { ...observed, row: null };
  const [halfSpread, volatility, dayVolume] = [row.halfSpread, row.volatility, row.dayVolume].map(String);
  return { ...observed, row: { halfSpread, volatility, dayVolume, depth: row.depth } as WireRow };
}

export const fromWireModel = ({ row, ...observed }: WireModel): ObservedMarket => ({
  ...observed,
  row: row && {
    halfSpread: BigInt(row.halfSpread),
    volatility: BigInt(row.volatility),
    dayVolume: asSize(BigInt(row.dayVolume)),
    depth: row.depth,
  },
});

const toWireLevels = (levels: readonly Level[]): WireLevel[] =>
  levels.map(({ price, size }) => [String(price), String(size)]);
const fromWireLevels = (levels: readonly WireLevel[]): Level[] =>
  levels.map(([price, size]) => ({ price: asPrice(BigInt(price)), size: asSize(BigInt(size)) }));

export const toWireBook = ({ bids, asks, ...book }: StreamedBook): NonNullable<WireBook['book']> => ({
  ...book,
  bids: toWireLevels(bids),
  asks: toWireLevels(asks),
});
export const fromWireBook = ({ bids, asks, ...book }: NonNullable<WireBook['book']>): StreamedBook => ({
  ...book,
  bids: fromWireLevels(bids),
  asks: fromWireLevels(asks),
});

export const toWireTrade = ({ price, size, ...trade }: MarketTrade): WireTrade => ({
  ...trade,
  price: String(price),
  size: String(size),
});
export const fromWireTrade = ({ price, size, ...trade }: WireTrade): MarketTrade => ({
  ...trade,
  price: asPrice(BigInt(price)),
  size: asSize(BigInt(size)),
});

/** Of a call of the leader; `fault`: it failed in another way, which its log has. */
export type Answer = { readonly ok: unknown } | { readonly error: WireError } | { readonly fault: true };

export const toAnswerOf = (error: AppError): Answer => ({ error: toWireError(error) });

/** @throws AppError as the leader threw it; Error for a fault */
export function resultOf(answer: Answer): unknown {
  if ('ok' in answer) return answer.ok;
  if ('fault' in answer) throw new Error('the leader of the market failed');
  throw fromWireError(answer.error, 'busy');
}
