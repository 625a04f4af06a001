/**
 * Finds the pair that a ticker means: `BINANCE:BTCUSDT`, `BTCUSDT.P`, `BTC/USDT:USDT`, `FX:EURUSD`, `NASDAQ:AAPL`. Invariant: a
 * ticker that could mean two pairs means none.
 */
import { normaliseSymbol, type TradingPair } from '@fulcrum/domain';

/** The exchange before the ticker, as TradingView writes it. */
const exchangePrefix = /^[A-Z0-9_]+:(?=.)/;
/** The settlement asset after a contract, as ccxt writes it. */
const settlementSuffix = /:[A-Z]+$/;
/** Perpetual contracts of TradingView, today and before. */
const contractSuffix = /(\.P|PERP)$/;

export function findPair(ticker: string, pairs: readonly TradingPair[]): TradingPair | null {
  const upper = ticker.trim().toUpperCase();
  const bare = (upper.includes('/') ? upper.replace(settlementSuffix, '') : upper).replace(
    exchangePrefix,
    '',
  );
  for (const name of [upper, bare, bare.replace(contractSuffix, '')]) {
    const exact = pairs.find(({ symbol }) => symbol === name);
    if (exact) return exact;
    const normal = normaliseSymbol(name);
    const [alike, ...others] = pairs.filter(({ symbol }) => normaliseSymbol(symbol) === normal);
    if (alike) return others.length === 0 ? alike : null;
  }
  return null;
}
