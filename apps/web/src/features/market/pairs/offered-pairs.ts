/**
 * Which pairs the selector offers (A28): the whole catalogue, or under the rules as specified the document's fixed set and
 * crypto. Any other pair is still reached by its address and by what is open on it.
 */
import type { RuleSetName } from '@fulcrum/domain';
import type { Pair } from './usePairs.ts';

/** FEED-55 to FEED-58. */
const fixedSet: ReadonlySet<string> = new Set([
  ...['AAPL', 'MSFT', 'GOOGL', 'AMZN', 'NVDA', 'META', 'TSLA'],
  ...['EUR/USD', 'GBP/USD', 'USD/JPY', 'USD/CHF', 'AUD/USD'],
  ...['XAUUSD', 'XAGUSD', 'WTIUSD', 'BCOUSD'],
  ...['SPX', 'NDX', 'FTSE', 'CAC'],
]);

export const offeredPairs = <Row extends Pick<Pair, 'symbol' | 'type'>>(
  pairs: readonly Row[],
  rules: RuleSetName,
): readonly Row[] =>
  rules === 'standard'
    ? pairs
    : pairs.filter(({ symbol, type }) => type === 'crypto' || fixedSet.has(symbol));
