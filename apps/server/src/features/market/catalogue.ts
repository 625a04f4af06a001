/**
 * The pairs that Fulcrum lists: the trading screen's fixed set (FEED-55 to FEED-58) and three crypto pairs. Limits are
 * the stated defaults of the market unless a row says otherwise (A29, A99, A107); crypto rows carry the exchange's own.
 * Typical prices, volatilities and turnovers shape the simulated feed only: orders of magnitude of about October 2025,
 * not quotations.
 */
import {
  ALWAYS_OPEN,
  asPrice,
  asSize,
  DEFAULT_QUOTE_ASSET,
  defaultLimits,
  forexAssets,
  type MarketType,
  type PairLimits,
  parseDecimal,
  type TradingPair,
} from '@fulcrum/domain';

/** What a simulated market looks like in the long run. */
export interface TypicalMarket {
  /** Quote units per base unit. */
  readonly price: number;
  /** Standard deviation of a day's return in percent. */
  readonly dailyVolatilityPct: number;
  /** Traded in a day, in millions of quote units. */
  readonly turnoverMillions: number;
}

export interface ListedPair extends TradingPair {
  readonly typical: TypicalMarket;
}

const hours = {
  newYorkStocks: 'America/New_York|Mon-Fri 09:30-16:00',
  london: 'Europe/London|Mon-Fri 08:00-16:30',
  paris: 'Europe/Paris|Mon-Fri 09:00-17:30',
  forex: 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00',
  futures: 'America/New_York|Sun 18:00-24:00;Mon-Thu 00:00-17:00;Mon-Thu 18:00-24:00;Fri 00:00-17:00',
} as const;

type Row = Omit<ListedPair, 'id' | 'sortOrder'>;

function typical(price: number, dailyVolatilityPct: number, turnoverMillions: number): TypicalMarket {
  return { price, dailyVolatilityPct, turnoverMillions };
}

/** Limits of an exchange; the least price is one tick. */
function crypto(
  symbol: string,
  name: string,
  limits: { tick: string; step: string; maxQty: string },
  market: TypicalMarket,
): Row {
  const tickSize = asPrice(parseDecimal(limits.tick));
  const stepSize = asSize(parseDecimal(limits.step));
  return {
    symbol,
    name,
    nickname: null,
    type: 'crypto',
    baseAsset: symbol.slice(0, -'USDT'.length),
    quoteAsset: 'USDT',
    minPrice: tickSize,
    maxPrice: asPrice(parseDecimal('1000000')),
    tickSize,
    minQty: stepSize,
    maxQty: asSize(parseDecimal(limits.maxQty)),
    stepSize,
    tradingHours: ALWAYS_OPEN,
    typical: market,
  };
}

function pair(
  type: Exclude<MarketType, 'crypto'>,
  symbol: string,
  name: string,
  tradingHours: string,
  market: TypicalMarket,
  more: Partial<PairLimits & Pick<TradingPair, 'nickname' | 'baseAsset'>> = {},
): Row {
  const assets = (type === 'forex' ? forexAssets(symbol) : null) ?? {
    baseAsset: symbol,
    quoteAsset: DEFAULT_QUOTE_ASSET,
  };
  const limits = defaultLimits[type];
  return { symbol, name, nickname: null, type, ...assets, ...limits, tradingHours, typical: market, ...more };
}

const stock = (symbol: string, name: string, market: TypicalMarket) =>
  pair('stock', symbol, name, hours.newYorkStocks, market);
const forex = (
  symbol: string,
  name: string,
  nickname: string,
  market: TypicalMarket,
  limits: Partial<PairLimits> = {},
) => pair('forex', symbol, name, hours.forex, market, { nickname, ...limits });
const commodity = (symbol: string, name: string, nickname: string | null, market: TypicalMarket) =>
  pair('commodity', symbol, name, hours.futures, market, { nickname, baseAsset: symbol.slice(0, -3) });
const index = (symbol: string, name: string, nickname: string, tradingHours: string, market: TypicalMarket) =>
  pair('index', symbol, name, tradingHours, market, { nickname });

const rows: readonly Row[] = [
  crypto(
    'BTCUSDT',
    'Bitcoin',
    { tick: '0.01', step: '0.00001', maxQty: '9000' },
    typical(111_000, 2.4, 2_500),
  ),
  crypto(
    'ETHUSDT',
    'Ethereum',
    { tick: '0.01', step: '0.0001', maxQty: '9000000' },
    typical(3_900, 3.5, 1_500),
  ),
  crypto('ADAUSDT', 'Cardano', { tick: '0.0001', step: '0.1', maxQty: '9000000' }, typical(0.65, 4.5, 120)),
  stock('AAPL', 'Apple Inc.', typical(256, 1.7, 12_000)),
  stock('MSFT', 'Microsoft Corporation', typical(524, 1.4, 10_000)),
  stock('GOOGL', 'Alphabet Inc. Class A', typical(246, 1.8, 8_000)),
  stock('AMZN', 'Amazon.com, Inc.', typical(222, 1.9, 9_000)),
  stock('NVDA', 'NVIDIA Corporation', typical(185, 2.7, 30_000)),
  stock('META', 'Meta Platforms, Inc.', typical(713, 2.1, 8_000)),
  stock('TSLA', 'Tesla, Inc.', typical(433, 3.7, 35_000)),
  forex('EUR/USD', 'Euro / US Dollar', 'Fiber', typical(1.166, 0.45, 5_000)),
  forex('GBP/USD', 'British Pound / US Dollar', 'Cable', typical(1.343, 0.5, 3_000)),
  forex('USD/JPY', 'US Dollar / Japanese Yen', 'Gopher', typical(151.9, 0.6, 600_000), {
    tickSize: asPrice(parseDecimal('0.001')),
  }),
  forex('USD/CHF', 'US Dollar / Swiss Franc', 'Swissie', typical(0.7975, 0.48, 1_000)),
  forex('AUD/USD', 'Australian Dollar / US Dollar', 'Aussie', typical(0.6585, 0.6, 1_500)),
  commodity('XAUUSD', 'Gold (USD/oz)', 'Yellow metal', typical(4_000, 1.1, 20_000)),
  commodity('XAGUSD', 'Silver (USD/oz)', null, typical(48, 2, 5_000)),
  commodity('WTIUSD', 'Crude Oil WTI (USD/bbl)', 'Texas tea', typical(61.7, 2, 15_000)),
  commodity('BCOUSD', 'Crude Oil Brent (USD/bbl)', 'Brent', typical(65.5, 1.9, 12_000)),
  index('SPX', 'S&P 500', 'Spooz', hours.newYorkStocks, typical(6_715, 0.95, 40_000)),
  index('NDX', 'Nasdaq 100', 'Nas', hours.newYorkStocks, typical(24_840, 1.25, 30_000)),
  index('FTSE', 'FTSE 100', 'Footsie', hours.london, typical(9_480, 0.75, 8_000)),
  index('CAC', 'CAC 40', 'Cac', hours.paris, typical(7_975, 0.95, 5_000)),
];

export const catalogue: readonly ListedPair[] = rows.map((row, sortOrder) => ({
  id: row.symbol,
  ...row,
  sortOrder,
}));
