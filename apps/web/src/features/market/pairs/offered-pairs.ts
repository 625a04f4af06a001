/**
 * The pairs that the selector offers (A28): the whole catalogue, or under the rules as specified the document's fixed
 * set and crypto. During a replay, only pairs of the recording are offered. Other pairs are reachable by their
 * address and by their open positions or orders.
 */
import type { RuleSetName } from '@fulcrum/domain';
import type { Pair } from './usePairs.ts';

/** The small fixed set of the trading screen, without crypto (FEED-55 to FEED-58). */
const fixedSet: ReadonlySet<string> = new Set([
  ...['AAPL', 'MSFT', 'GOOGL', 'AMZN', 'NVDA', 'META', 'TSLA'],
  ...['EUR/USD', 'GBP/USD', 'USD/JPY', 'USD/CHF', 'AUD/USD'],
  ...['XAUUSD', 'XAGUSD', 'WTIUSD', 'BCOUSD'],
  ...['SPX', 'NDX', 'FTSE', 'CAC'],
]);

export const getOfferedPairs = <Row extends Pick<Pair, 'symbol' | 'type'>>(
  pairs: readonly Row[],
  rules: RuleSetName,
  recorded: readonly string[] | null,
): readonly Row[] => {
  const catalogue =
    rules === 'standard'
      ? pairs
      : pairs.filter(({ symbol, type }) => type === 'crypto' || fixedSet.has(symbol));
  return recorded === null ? catalogue : catalogue.filter(({ symbol }) => recorded.includes(symbol));
};
