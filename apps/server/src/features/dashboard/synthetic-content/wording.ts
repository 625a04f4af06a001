/** Formats names and figures of a headline: the pair's decimals, grouped, with a true minus (U+2212). */
import { priceDecimals, type TradingPair } from '@fulcrum/domain';

const names: Readonly<Record<string, string>> = {
  ETHUSDT: 'Ether',
  XAUUSD: 'Gold',
  XAGUSD: 'Silver',
  XPTUSD: 'Platinum',
  XPDUSD: 'Palladium',
  WTIUSD: 'WTI crude',
  BCOUSD: 'Brent crude',
  NGUSD: 'US natural gas',
  HGUSD: 'Comex copper',
  XCUUSD: 'Copper',
  SPX: 'The S&P 500',
  NDX: 'The Nasdaq 100',
  FTSE: 'The FTSE 100',
  CAC: 'The CAC 40',
  NIKKEI: 'The Nikkei 225',
  HSI: 'The Hang Seng',
  ASX: 'The S&P/ASX 200',
  FETUSDT: 'Superintelligence Alliance',
  AMZN: 'Amazon',
};
const legalForms = /,? (Inc\.?|Corporation|Incorporated|Company|plc|& Co\.|Class [A-C]|\(.*\))$/;

/** As a headline begins with it. */
export function getMarketName({ symbol, name, type }: TradingPair): string {
  const known = names[symbol];
  if (known !== undefined) return known;
  if (type === 'forex') return symbol;
  let short = name;
  while (legalForms.test(short)) short = short.replace(legalForms, '');
  return short;
}

/** Within a sentence. */
export const midSentence = (name: string): string => name.replace(/^The /, 'the ');

const formatters = new Map<string, Intl.NumberFormat>();
function formatNumber(value: number, decimals: number, sign: 'negative' | 'exceptZero' = 'negative'): string {
  const key = `${decimals} ${sign}`;
  const known = formatters.get(key);
  const made =
    known ??
    new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: sign,
    });
  if (!known) formatters.set(key, made);
  return made.format(value).replace('-', '\u2212');
}

export const formatFigure = (value: number, decimals: number): string => formatNumber(value, decimals);
export const formatSignedFigure = (value: number, decimals: number): string =>
  formatNumber(value, decimals, 'exceptZero');

export const formatPrice = (value: number, pair: TradingPair): string =>
  formatFigure(value, priceDecimals(pair));

/** Currencies move in hundredths of a per cent, everything else in tenths. */
export const percentDecimals = ({ type }: TradingPair): number => (type === 'forex' ? 2 : 1);
/** Without its sign: the verb states the direction. */
export const formatPercent = (percent: number, pair: TradingPair): string =>
  `${formatFigure(Math.abs(percent), percentDecimals(pair))}%`;
export const formatSignedPercent = (percent: number, pair: TradingPair): string =>
  `${formatSignedFigure(percent, percentDecimals(pair))}%`;
/** Whether it reads as zero. */
export const isFlat = (percent: number, pair: TradingPair): boolean =>
  Math.abs(percent) < 0.5 / 10 ** percentDecimals(pair);

/** 2.41 billion, 612 million; without a currency. */
export function formatLarge(value: number): string {
  if (value >= 1e9) return `${formatFigure(value / 1e9, 2)} billion`;
  return `${formatFigure(value / 1e6, value >= 1e8 ? 0 : 1)} million`;
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
export const formatClock = (instant: number): string => `${clock.format(instant)} UTC`;
export const formatWeekday = (instant: number): string => weekday.format(instant);
