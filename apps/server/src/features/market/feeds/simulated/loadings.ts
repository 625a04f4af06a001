/**
 * What moves what: how strongly each simulated path follows the factors that markets share, how fat its tails are and how
 * fast it comes back to its anchor. A loading is the correlation of the path's day with that of the factor; factors are
 * independent of each other, so two paths correlate by the sum of the products of their loadings. What the factors
 * leave over is the path's own: sqrt(1 - sum of squares).
 *
 * The loadings of the leading symbols follow the measured recipe of the project's research; the others are set by sector
 * or region. Known limitation: they are orders of magnitude, no estimates of a sample, and constant over time.
 */
import type { MarketType } from '@fulcrum/domain';

/**
 * Shares, technology, the dollar's strength, the European bloc, Australia and New Zealand, metals, energy, crypto and
 * the fields (grains and softs).
 */
export const factors = ['EQ', 'TECH', 'USD', 'EUB', 'ANZ', 'METAL', 'EN', 'CR', 'CROP'] as const;
export type Factor = (typeof factors)[number];
export type Loadings = Readonly<Partial<Record<Factor, number>>>;

const industrials: Loadings = { EQ: 0.62 };
const banks: Loadings = { EQ: 0.65 };
const payments: Loadings = { EQ: 0.62, TECH: 0.12 };
const software: Loadings = { EQ: 0.62, TECH: 0.35 };
const chips: Loadings = { EQ: 0.62, TECH: 0.45 };
const hardware: Loadings = { EQ: 0.6, TECH: 0.2 };
const health: Loadings = { EQ: 0.45 };
const staples: Loadings = { EQ: 0.42 };
const consumers: Loadings = { EQ: 0.56 };
const platforms: Loadings = { EQ: 0.52, TECH: 0.3 };
const oilCompanies: Loadings = { EQ: 0.45, EN: 0.5 };

const stocks: Readonly<Record<string, Loadings>> = {
  AAPL: { EQ: 0.62, TECH: 0.25 },
  ...each(software, ['MSFT', 'GOOGL', 'AMZN', 'META', 'ORCL', 'CRM', 'ADBE']),
  ...each(chips, ['NVDA', 'AVGO', 'AMD', 'INTC', 'QCOM', 'TXN']),
  ...each(hardware, ['CSCO', 'IBM', 'ACN']),
  ...each(platforms, ['NFLX', 'TSLA', 'UBER', 'PLTR', 'PYPL']),
  ...each(banks, ['JPM', 'BAC', 'WFC', 'GS']),
  ...each(payments, ['V', 'MA']),
  ...each(health, ['UNH', 'LLY', 'JNJ', 'MRK', 'ABBV', 'TMO', 'ABT']),
  ...each(staples, ['WMT', 'PG', 'COST', 'KO', 'PEP', 'MCD']),
  ...each(consumers, ['HD', 'DIS', 'NKE']),
  ...each(industrials, ['LIN', 'GE', 'CAT', 'BA']),
  ...each(oilCompanies, ['XOM', 'CVX']),
};

const indices: Readonly<Record<string, Loadings>> = {
  SPX: { EQ: 0.97 },
  NDX: { EQ: 0.9, TECH: 0.35 },
  FTSE: { EQ: 0.68 },
  CAC: { EQ: 0.72 },
  NIKKEI: { EQ: 0.55 },
  HSI: { EQ: 0.45 },
  ASX: { EQ: 0.55, METAL: 0.15 },
};

/** Of one unit of the currency in dollars. */
const currencies: Readonly<Record<string, Loadings>> = {
  EUR: { USD: -0.8, EUB: 0.42 },
  GBP: { USD: -0.8, EQ: 0.12 },
  JPY: { USD: -0.62, EQ: -0.25 },
  CHF: { USD: -0.7, EQ: -0.2, EUB: 0.42 },
  AUD: { USD: -0.62, EQ: 0.38, ANZ: 0.55 },
  NZD: { USD: -0.6, EQ: 0.34, ANZ: 0.57 },
  CAD: { USD: -0.62, EQ: 0.32 },
  SEK: { USD: -0.72, EUB: 0.55, EQ: 0.15 },
  NOK: { USD: -0.66, EUB: 0.45, EQ: 0.15, EN: 0.2 },
  PLN: { USD: -0.72, EUB: 0.55, EQ: 0.15 },
  CZK: { USD: -0.72, EUB: 0.52 },
  HUF: { USD: -0.68, EUB: 0.52, EQ: 0.18 },
  TRY: { USD: -0.15 },
  ZAR: { USD: -0.5, EQ: 0.36, METAL: 0.15 },
  MXN: { USD: -0.4, EQ: 0.4 },
  SGD: { USD: -0.75, EQ: 0.15 },
  HKD: { USD: -0.2 },
  CNH: { USD: -0.55, EQ: 0.1 },
  THB: { USD: -0.5 },
  INR: { USD: -0.4, EQ: 0.1 },
  BRL: { USD: -0.38, EQ: 0.35 },
  ILS: { USD: -0.45, EQ: 0.32 },
};

const baseMetals: Loadings = { USD: -0.3, METAL: 0.45, EQ: 0.3 };
const crops: Loadings = { CROP: 0.4 };

const commodities: Readonly<Record<string, Loadings>> = {
  XAUUSD: { USD: -0.4, METAL: 0.75 },
  XAGUSD: { USD: -0.3, METAL: 0.78 },
  XPTUSD: { USD: -0.3, METAL: 0.6, EQ: 0.12 },
  XPDUSD: { USD: -0.2, METAL: 0.5, EQ: 0.18 },
  ...each(baseMetals, ['HGUSD', 'XALUSD', 'XNIUSD', 'XZNUSD']),
  WTIUSD: { EN: 0.96 },
  NGUSD: { EN: 0.12 },
  ...each(crops, ['CORNUSD', 'WHEATUSD', 'SOYUSD', 'SUGARUSD', 'COFFEEUSD', 'COTTONUSD', 'COCOAUSD']),
  LUMBERMB: { EQ: 0.25 },
};

const cryptos: Readonly<Record<string, Loadings>> = {
  BTCUSDT: { CR: 0.9, EQ: 0.3 },
  ETHUSDT: { CR: 0.85, EQ: 0.28 },
};

const stated: Readonly<Record<string, Loadings>> = { ...stocks, ...indices, ...commodities, ...cryptos };
/** Of a symbol that no table names. */
const usual = {
  crypto: { CR: 0.72, EQ: 0.25 },
  stock: { EQ: 0.58 },
  forex: { USD: -0.5, EQ: 0.1 },
  commodity: {},
  index: { EQ: 0.6 },
} as const satisfies Record<MarketType, Loadings>;

export const loadingsOfSymbol = (symbol: string, type: MarketType): Loadings => stated[symbol] ?? usual[type];
export const loadingsOfCurrency = (currency: string): Loadings => currencies[currency] ?? usual.forex;

/** A coin that moves this much is one of the small ones: fatter tails, and back at its anchor sooner. */
const smallCoinVolatilityPct = 4.5;

/** Degrees of freedom of the t distribution of the path's own shocks, and the half-life of its way back to the anchor. */
export interface PathDynamics {
  readonly degrees: number;
  readonly halfLifeDays: number;
}

/** `dailyVolatilityPct` as the catalogue has it. */
export function getPathDynamics(symbol: string, type: MarketType, dailyVolatilityPct: number): PathDynamics {
  switch (type) {
    case 'crypto':
      return dailyVolatilityPct >= smallCoinVolatilityPct
        ? { degrees: 3.5, halfLifeDays: 180 }
        : { degrees: 4, halfLifeDays: 250 };
    case 'stock':
      return { degrees: 4, halfLifeDays: 250 };
    case 'forex':
      return { degrees: 5, halfLifeDays: 400 };
    case 'commodity':
      return { degrees: 5, halfLifeDays: symbol === 'NGUSD' ? 120 : 250 };
    case 'index':
      return { degrees: 5, halfLifeDays: 250 };
  }
}

function each(loadings: Loadings, symbols: readonly string[]): Record<string, Loadings> {
  return Object.fromEntries(symbols.map((symbol) => [symbol, loadings]));
}
