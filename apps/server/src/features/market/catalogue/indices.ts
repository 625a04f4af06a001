/** The seven indices (FEED-62), with the hours of the exchange that each is computed from. */
import { DEFAULT_QUOTE_ASSET, defaultLimits } from '@fulcrum/domain';
import { type Listing, newYorkStockHours } from './listing.ts';

const hours = {
  london: 'Europe/London|Mon-Fri 08:00-16:30',
  paris: 'Europe/Paris|Mon-Fri 09:00-17:30',
  tokyo: 'Asia/Tokyo|Mon-Fri 09:00-11:30;Mon-Fri 12:30-15:30',
  hongKong: 'Asia/Hong_Kong|Mon-Fri 09:30-12:00;Mon-Fri 13:00-16:00',
  sydney: 'Australia/Sydney|Mon-Fri 10:00-16:00',
} as const;

/** Turnover of the index's shares in millions of points, which is how volume times price counts it. */
type Row = readonly [
  symbol: string,
  name: string,
  nickname: string,
  ticker: string,
  tradingHours: string,
  price: number,
  dailyVolatilityPct: number,
  turnoverMillions: number,
];

const rows: readonly Row[] = [
  ['SPX', 'S&P 500', 'Spooz', '^GSPC', newYorkStockHours, 6_715, 0.95, 40_000],
  ['NDX', 'Nasdaq 100', 'Nas', '^NDX', newYorkStockHours, 24_840, 1.25, 30_000],
  ['FTSE', 'FTSE 100', 'Footsie', '^FTSE', hours.london, 9_480, 0.75, 8_000],
  ['CAC', 'CAC 40', 'Cac', '^FCHI', hours.paris, 7_975, 0.95, 5_000],
  ['NIKKEI', 'Nikkei 225', 'Nik', '^N225', hours.tokyo, 47_950, 1.3, 4_000_000],
  ['HSI', 'Hang Seng', 'Hang Seng', '^HSI', hours.hongKong, 26_950, 1.45, 150_000],
  ['ASX', 'S&P/ASX 200', 'Aussie 200', '^AXJO', hours.sydney, 8_955, 0.75, 7_000],
];

export const indexPairs: readonly Listing[] = rows.map(
  ([symbol, name, nickname, yahoo, tradingHours, price, dailyVolatilityPct, turnoverMillions]) => ({
    symbol,
    name,
    nickname,
    type: 'index',
    baseAsset: symbol,
    quoteAsset: DEFAULT_QUOTE_ASSET,
    ...defaultLimits.index,
    tradingHours,
    typical: { price, dailyVolatilityPct, turnoverMillions },
    yahoo,
  }),
);
