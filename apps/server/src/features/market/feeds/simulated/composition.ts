/**
 * The composition of a pair's price: an anchor times the exponential of a weighted sum of paths. Most pairs are one path. A
 * forex pair is the value of its base currency in dollars over that of its quote currency, so that all pairs of three
 * currencies agree at every instant; two symbols of one good share its path; Brent is WTI plus a spread that stays small.
 * Invariant: a composition depends on the pair and the shipped catalogue alone, never on which other pairs are simulated.
 * Known limitation: the volatility of a cross follows from those of its currencies; its catalogue row is ignored.
 */
import type { MarketType } from '@fulcrum/domain';
import { catalogue, type ListedPair } from '../../catalogue/index.ts';
import {
  getPathDynamics,
  type Loadings,
  loadingsOfCurrency,
  loadingsOfSymbol,
  type PathDynamics,
} from './loadings.ts';
import type { RhythmName } from './rhythm.ts';

/** One random walk. Paths of one name are one and the same. */
export interface PathTerms extends PathDynamics {
  readonly name: string;
  /** Of which market it takes the calm and the storms: an index shares those of stocks. */
  readonly weather: Exclude<MarketType, 'index'>;
  /** The hours at which it moves, where weekends are honoured. */
  readonly rhythm: RhythmName;
  /** Standard deviation of a day's logarithmic return in the long run. */
  readonly volatility: number;
  readonly loadings: Loadings;
}

export interface Leg {
  readonly path: PathTerms;
  /** The pair's logarithm moves by so much when that of the path moves by 1. */
  readonly weight: number;
}

export interface Composition {
  /** Quote units per base unit where all paths are at 0. */
  readonly anchor: number;
  readonly legs: readonly Leg[];
  /** The hours of the day at which the pair is busy, and the name of the stream of its bursts; legs share both. */
  readonly rhythm: RhythmName;
  readonly clock: string;
}

interface Currency {
  readonly anchor: number;
  /** Null for the dollar itself, the unit of all values. */
  readonly path: PathTerms | null;
}

const shipped = new Map(catalogue.map((pair) => [pair.symbol, pair]));

/** The same good under two symbols. */
const sameGood: Readonly<Record<string, string>> = { XCUUSD: 'HGUSD' };
/** The krone is pegged to the euro (ERM II): in reality within 0.1 %, here at a fixed rate. */
const pegs: Readonly<Record<string, string>> = { DKK: 'EUR' };

/** Brent and WTI: how their days correlate, and how soon what parts them closes again. */
const oil = { symbol: 'BCOUSD', leader: 'WTIUSD', correlation: 0.93, spreadHalfLifeDays: 30 } as const;

const currencies = currenciesOf(catalogue);

/** Null for a pair without typical figures: it cannot be simulated. */
export function compositionOf(pair: ListedPair): Composition | null {
  if (!pair.typical) return null;
  const rhythm = rhythmOf(pair);
  if (pair.type === 'forex') {
    const base = currencies.get(pair.baseAsset);
    const quote = currencies.get(pair.quoteAsset);
    if (base && quote) {
      const legs = [...legOf(base.path, 1), ...legOf(quote.path, -1)];
      return { anchor: base.anchor / quote.anchor, legs, rhythm, clock: 'forex' };
    }
  }
  if (pair.symbol === oil.symbol) {
    const leader = ownPath(oil.leader);
    if (leader) {
      const volatility = pair.typical.dailyVolatilityPct / 100;
      const spread: PathTerms = {
        name: `${oil.symbol} over ${oil.leader}`,
        weather: 'commodity',
        rhythm: leader.rhythm,
        volatility: volatility * Math.sqrt(1 - oil.correlation ** 2),
        loadings: {},
        degrees: leader.degrees,
        halfLifeDays: oil.spreadHalfLifeDays,
      };
      const legs = [
        { path: leader, weight: (oil.correlation * volatility) / leader.volatility },
        { path: spread, weight: 1 },
      ];
      return { anchor: pair.typical.price, legs, rhythm, clock: leader.name };
    }
  }
  const path = ownPath(sameGood[pair.symbol] ?? pair.symbol) ?? pathOf(pair);
  return { anchor: pair.typical.price, legs: legOf(path, 1), rhythm, clock: path?.name ?? pair.symbol };
}

/** The path that a shock of the pair moves: that of a forex pair's base currency, unless that is the dollar. */
export const shockedLeg = ({ legs }: Composition): Leg | undefined => legs[0];

const legOf = (path: PathTerms | null, weight: number): Leg[] => (path ? [{ path, weight }] : []);

function ownPath(symbol: string): PathTerms | null {
  const pair = shipped.get(symbol);
  return pair ? pathOf(pair) : null;
}

function pathOf(pair: ListedPair): PathTerms | null {
  const { symbol, type, typical } = pair;
  if (!typical) return null;
  return {
    name: symbol,
    weather: type === 'index' ? 'stock' : type,
    rhythm: rhythmOf(pair),
    volatility: typical.dailyVolatilityPct / 100,
    loadings: loadingsOfSymbol(symbol, type),
    ...getPathDynamics(symbol, type, typical.dailyVolatilityPct),
  };
}

/** Each currency that a pair of the list prices against the dollar. */
function currenciesOf(pairs: readonly ListedPair[]): ReadonlyMap<string, Currency> {
  const found = new Map<string, Currency>([['USD', { anchor: 1, path: null }]]);
  const typicalPrices = pairs.flatMap(({ type, baseAsset, quoteAsset, typical }) => {
    if (type !== 'forex' || !typical) return [];
    const { price, dailyVolatilityPct } = typical;
    if (quoteAsset === 'USD') return [{ currency: baseAsset, anchor: price, dailyVolatilityPct }];
    return baseAsset === 'USD' ? [{ currency: quoteAsset, anchor: 1 / price, dailyVolatilityPct }] : [];
  });
  for (const { currency, anchor, dailyVolatilityPct } of typicalPrices) {
    const path: PathTerms = {
      name: currency,
      weather: 'forex',
      rhythm: 'forex',
      volatility: dailyVolatilityPct / 100,
      loadings: loadingsOfCurrency(currency),
      ...getPathDynamics(currency, 'forex', dailyVolatilityPct),
    };
    found.set(currency, { anchor, path });
  }
  for (const [currency, leader] of Object.entries(pegs)) {
    const pegged = found.get(currency);
    const path = found.get(leader)?.path;
    if (pegged && path) found.set(currency, { anchor: pegged.anchor, path });
  }
  return found;
}

function rhythmOf({ type, tradingHours }: ListedPair): RhythmName {
  if (type === 'crypto' || type === 'forex') return type;
  if (tradingHours.startsWith('Europe/')) return 'europe';
  if (tradingHours.startsWith('Asia/') || tradingHours.startsWith('Australia/')) return 'asia';
  return type === 'commodity' ? 'futures' : 'newYork';
}
