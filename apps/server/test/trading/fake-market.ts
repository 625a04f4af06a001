/** The market's part towards the engine, with prices that a test sets. */
import { randomBytes } from 'node:crypto';
import { parseDecimal, type TradingPair } from '@fulcrum/domain';
import type { MarketPrice } from '../../src/features/market/index.ts';
import { createQuotes } from '../../src/features/market/quotes/index.ts';
import type { TradingDependencies } from '../../src/features/trading/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createLog } from '../../src/platform/log/index.ts';

function pairOf(
  symbol: string,
  limits: Partial<Record<'tickSize' | 'minQty' | 'stepSize', string>>,
): TradingPair {
  const decimal = (text: string) => parseDecimal(text) as never;
  return {
    id: symbol,
    symbol,
    name: symbol,
    nickname: null,
    type: 'crypto',
    baseAsset: symbol.replace('USDT', ''),
    quoteAsset: 'USDT',
    minPrice: decimal('0.00000001'),
    maxPrice: decimal('10000000'),
    tickSize: decimal(limits.tickSize ?? '0.01'),
    minQty: decimal(limits.minQty ?? '0.001'),
    maxQty: decimal('1000000'),
    stepSize: decimal(limits.stepSize ?? '0.001'),
    tradingHours: 'UTC|Mon-Sun 00:00-24:00',
    sortOrder: 0,
  };
}

/** The state of a price; it trades by default. A held one is stale, too. */
export type Standing = { readonly stale?: boolean; readonly held?: boolean; readonly marketOpen?: boolean };

export interface FakeMarket {
  readonly market: TradingDependencies['market'];
  setPrice(symbol: string, price: string, more?: Standing): void;
  forgetPrice(symbol: string): void;
  /** Lists a symbol in memory only: PostgreSQL will refuse its positions. */
  listUnbacked(symbol: string): void;
}

export const listed = [
  pairOf('BTCUSDT', {}),
  pairOf('ETHUSDT', {}),
  pairOf('DUSTUSDT', { tickSize: '0.00000001', minQty: '0.00000001', stepSize: '0.00000001' }),
];

export function createFakeMarket(): FakeMarket {
  const pairs = new Map(listed.map((pair) => [pair.symbol, pair]));
  const prices = new Map<string, MarketPrice>();
  const stale = new Set<string>();
  const quotes = createQuotes({
    bus: createBus(createLog({ logLevel: 'silent' })),
    key: randomBytes(32),
    pair: (symbol) => pairs.get(symbol),
    price: (symbol) => prices.get(symbol),
  });
  return {
    market: {
      quotes,
      pair: (symbol) => pairs.get(symbol),
      isListed: (symbol) => pairs.has(symbol),
      price: (symbol) => prices.get(symbol),
      isStale: (symbol) => stale.has(symbol),
      isPolled: () => false,
      ensureFresh: async () => {},
      setSymbolsInUse: () => {},
      setPendingSettlement: () => {},
    },
    setPrice(symbol, price, { held = false, stale: isStale = held, marketOpen = true } = {}) {
      prices.set(symbol, {
        symbol,
        price: parseDecimal(price),
        source: 'simulated',
        pricedAt: 0,
        marketTime: 0,
        marketOpen,
        held,
      } as MarketPrice);
      if (isStale) stale.add(symbol);
      else stale.delete(symbol);
    },
    forgetPrice: (symbol) => void prices.delete(symbol),
    listUnbacked: (symbol) => void pairs.set(symbol, pairOf(symbol, {})),
  };
}
