/**
 * Names of pairs at the exchange's door: `BTCUSDT` stays, every other symbol is its letters and digits with `USDT` behind
 * (EUR/USD is EURUSDUSDT, AAPL is AAPLUSDT). All are settled in USDT, so clients take them for linear perpetuals. The rule that a
 * symbol ending with USDT is crypto (FEED-01) never sees such a name: only this map translates.
 */
import { normaliseSymbol, type TradingPair } from './pairs.ts';

/** What prices and balances at that door are in. */
export const EXCHANGE_QUOTE = 'USDT';

interface ExchangeName {
  /** The symbol at the exchange's door. */
  readonly id: string;
  readonly baseAsset: string;
}

/** A crypto pair in USDT keeps its name. */
export function exchangeNameOf({
  symbol,
  type,
  baseAsset,
  quoteAsset,
}: Pick<TradingPair, 'symbol' | 'type' | 'baseAsset' | 'quoteAsset'>): ExchangeName {
  if (type === 'crypto' && quoteAsset === EXCHANGE_QUOTE) return { id: symbol, baseAsset };
  const base = normaliseSymbol(symbol);
  return { id: `${base}${EXCHANGE_QUOTE}`, baseAsset: base };
}

/** By their names at the exchange's door. Of two pairs with one name the crypto pair is the one. */
export function pairsByExchangeId<Pair extends TradingPair>(
  pairs: readonly Pair[],
): ReadonlyMap<string, Pair> {
  const byId = new Map<string, Pair>();
  for (const pair of pairs) {
    const { id } = exchangeNameOf(pair);
    const other = byId.get(id);
    if (!other || (pair.type === 'crypto' && other.type !== 'crypto')) byId.set(id, pair);
  }
  return byId;
}
