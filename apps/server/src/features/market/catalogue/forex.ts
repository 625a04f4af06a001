/**
 * Fifty forex pairs with their usual names (FEED-60). Invariant: crosses follow from the two prices
 * against the dollar, so the typical prices of any three pairs agree.
 */
import { asPrice, defaultLimits, forexAssets, parseDecimal } from '@fulcrum/domain';
import type { Listing } from './listing.ts';

const hours = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';

const currencies: Readonly<Record<string, string>> = {
  EUR: 'Euro',
  USD: 'US Dollar',
  GBP: 'British Pound',
  JPY: 'Japanese Yen',
  CHF: 'Swiss Franc',
  AUD: 'Australian Dollar',
  CAD: 'Canadian Dollar',
  NZD: 'New Zealand Dollar',
  SEK: 'Swedish Krona',
  NOK: 'Norwegian Krone',
  DKK: 'Danish Krone',
  PLN: 'Polish Zloty',
  CZK: 'Czech Koruna',
  HUF: 'Hungarian Forint',
  TRY: 'Turkish Lira',
  ZAR: 'South African Rand',
  MXN: 'Mexican Peso',
  SGD: 'Singapore Dollar',
  HKD: 'Hong Kong Dollar',
  CNH: 'Offshore Chinese Yuan',
  THB: 'Thai Baht',
  INR: 'Indian Rupee',
  BRL: 'Brazilian Real',
  ILS: 'Israeli Shekel',
};

/** Currencies of which one unit is worth so little that prices in them have three decimals (A99). */
const smallCurrencies: ReadonlySet<string> = new Set(['JPY', 'HUF']);
const smallCurrencyTick = asPrice(parseDecimal('0.001'));

/** Turnover in millions of the base currency a day. */
type Row = readonly [
  symbol: string,
  nickname: string,
  price: number,
  dailyVolatilityPct: number,
  baseTurnoverMillions: number,
];

const rows: readonly Row[] = [
  ['EUR/USD', 'Fiber', 1.166, 0.45, 4_300],
  ['GBP/USD', 'Cable', 1.343, 0.5, 2_200],
  ['USD/JPY', 'Gopher', 151.9, 0.6, 4_000],
  ['USD/CHF', 'Swissie', 0.7975, 0.48, 1_250],
  ['AUD/USD', 'Aussie', 0.6585, 0.6, 2_300],
  ['USD/CAD', 'Loonie', 1.395, 0.38, 1_800],
  ['NZD/USD', 'Kiwi', 0.58, 0.62, 900],
  ['EUR/GBP', 'Chunnel', 0.86821, 0.32, 900],
  ['EUR/JPY', 'Yuppy', 177.115, 0.58, 900],
  ['EUR/CHF', 'Euro-Swissie', 0.92988, 0.34, 600],
  ['EUR/AUD', 'Euro-Aussie', 1.77069, 0.5, 350],
  ['EUR/CAD', 'Euro-Loonie', 1.62657, 0.42, 300],
  ['EUR/NZD', 'Euro-Kiwi', 2.01034, 0.52, 180],
  ['GBP/JPY', 'Guppy', 204.002, 0.65, 800],
  ['GBP/CHF', 'Sterling-Swissie', 1.07104, 0.45, 200],
  ['GBP/AUD', 'Sterling-Aussie', 2.03948, 0.5, 250],
  ['GBP/CAD', 'Sterling-Loonie', 1.87349, 0.45, 200],
  ['GBP/NZD', 'Sterling-Kiwi', 2.31552, 0.53, 140],
  ['AUD/JPY', 'Aussie-Yen', 100.026, 0.75, 550],
  ['AUD/CHF', 'Aussie-Swissie', 0.52515, 0.6, 130],
  ['AUD/CAD', 'Aussie-Loonie', 0.91861, 0.42, 250],
  ['AUD/NZD', 'Aussie-Kiwi', 1.13534, 0.35, 300],
  ['NZD/JPY', 'Kiwi-Yen', 88.102, 0.75, 250],
  ['NZD/CHF', 'Kiwi-Swissie', 0.46255, 0.62, 70],
  ['NZD/CAD', 'Kiwi-Loonie', 0.8091, 0.45, 110],
  ['CAD/JPY', 'Loonie-Yen', 108.889, 0.62, 280],
  ['CAD/CHF', 'Loonie-Swissie', 0.57168, 0.48, 90],
  ['CHF/JPY', 'Swissie-Yen', 190.47, 0.55, 220],
  ['USD/SEK', 'Stokkie', 9.41, 0.65, 450],
  ['USD/NOK', 'Nokkie', 9.95, 0.7, 420],
  ['USD/DKK', 'Copey', 6.405, 0.45, 150],
  ['USD/PLN', 'Polly', 3.645, 0.65, 220],
  ['USD/CZK', 'Koruna', 20.87, 0.55, 120],
  ['USD/HUF', 'Forint', 335, 0.75, 130],
  ['USD/TRY', 'Turkish Lira', 41.7, 0.3, 180],
  ['USD/ZAR', 'Rand', 17.17, 0.9, 350],
  ['USD/MXN', 'Peso', 18.38, 0.75, 550],
  ['USD/SGD', 'Sing', 1.294, 0.28, 600],
  ['USD/HKD', 'Honkie', 7.782, 0.06, 700],
  ['USD/CNH', 'Yuan', 7.145, 0.2, 1_100],
  ['USD/THB', 'Baht', 32.5, 0.45, 130],
  ['USD/INR', 'Rupee', 88.75, 0.25, 450],
  ['USD/BRL', 'Real', 5.35, 0.9, 380],
  ['USD/ILS', 'Shekel', 3.28, 0.6, 120],
  ['EUR/SEK', 'Euro-Stokkie', 10.97206, 0.35, 260],
  ['EUR/NOK', 'Euro-Nokkie', 11.6017, 0.48, 240],
  ['EUR/PLN', 'Euro-Polly', 4.25007, 0.35, 170],
  ['EUR/TRY', 'Euro-Lira', 48.622, 0.5, 60],
  ['EUR/HUF', 'Euro-Forint', 390.61, 0.45, 90],
  ['SGD/JPY', 'Sing-Yen', 117.388, 0.52, 60],
];

export const forexPairs: readonly Listing[] = rows.map(
  ([symbol, nickname, price, dailyVolatilityPct, baseTurnoverMillions]) => {
    const assets = forexAssets(symbol);
    if (!assets) throw new Error(`'${symbol}' is no forex pair`);
    const { baseAsset, quoteAsset } = assets;
    return {
      symbol,
      name: `${nameOf(baseAsset)} / ${nameOf(quoteAsset)}`,
      nickname,
      type: 'forex',
      baseAsset,
      quoteAsset,
      ...defaultLimits.forex,
      ...(smallCurrencies.has(quoteAsset) && { tickSize: smallCurrencyTick }),
      tradingHours: hours,
      typical: { price, dailyVolatilityPct, turnoverMillions: Math.round(baseTurnoverMillions * price) },
      // Against the dollar the provider leaves it out; `EUR=X` would be the dollar in euros, the wrong way round.
      yahoo: baseAsset === 'USD' ? `${quoteAsset}=X` : forexTicker(assets),
    };
  },
);

/** FEED-24: the provider's ticker of any forex pair, `EURUSD=X`. */
export function forexTicker({ baseAsset, quoteAsset }: Pick<Listing, 'baseAsset' | 'quoteAsset'>): string {
  return `${baseAsset}${quoteAsset}=X`;
}

function nameOf(currency: string): string {
  const name = currencies[currency];
  if (name === undefined) throw new Error(`currency '${currency}' has no name`);
  return name;
}
