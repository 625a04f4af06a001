/** Formats names and figures of a headline: the pair's decimals, grouped, with a true minus (U+2212). */
import { dayMs, priceDecimals, type TradingPair } from '@fulcrum/domain';

const names: Readonly<Record<string, string>> = {
  ...{ ETHUSDT: 'ether', XAUUSD: 'gold', XAGUSD: 'silver', AMZN: 'Amazon' },
  ...{ WTIUSD: 'WTI crude', BCOUSD: 'Brent crude', NGUSD: 'US natural gas', HGUSD: 'Comex copper' },
  ...{ SPX: 'the S&P 500', NDX: 'the Nasdaq 100', FTSE: 'the FTSE 100', NIKKEI: 'the Nikkei 225' },
};
const legalForms = /(,? (Inc\.?|Corporation|Incorporated|Company|plc|& Co\.|Class [A-C]|\(.*\)))+$/;

/** Within a sentence. */
export const getMarketName = ({ symbol, name, type }: TradingPair): string =>
  names[symbol] ?? (type === 'forex' ? symbol : name.replace(legalForms, ''));

const formatters = new Map<string, Intl.NumberFormat>();
function formatNumber(value: number, decimals: number, signDisplay: 'negative' | 'exceptZero'): string {
  const key = `${signDisplay} ${decimals}`;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const formatter = formatters.get(key) ?? new Intl.NumberFormat('en-US', { ...digits, signDisplay });
  formatters.set(key, formatter);
  return formatter.format(value).replace('-', '\u2212');
}

export const formatFigure = (value: number, decimals: number): string =>
  formatNumber(value, decimals, 'negative');
export const formatSignedFigure = (value: number, decimals: number): string =>
  formatNumber(value, decimals, 'exceptZero');

export const formatPrice = (value: number, pair: TradingPair): string =>
  formatFigure(value, priceDecimals(pair));

/** Currencies move in hundredths of a per cent, everything else in tenths. */
export const percentDecimals = ({ type }: TradingPair): number => (type === 'forex' ? 2 : 1);
/** Without its sign: the verb states the direction. */
export const formatPercent = (percent: number, pair: TradingPair): string =>
  `${formatFigure(Math.abs(percent), percentDecimals(pair))}%`;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
/** The hour of an instant of the same day as `from`, the weekday of any other. */
export const formatWhen = (instant: number, from: number): string =>
  Math.floor(instant / dayMs) === Math.floor(from / dayMs)
    ? `at ${clock.format(instant)} UTC`
    : `on ${weekday.format(instant)}`;

interface Filling {
  readonly values: Readonly<Record<string, string>>;
  readonly isUp: boolean;
}
/** Fills a template: `{name}` is a value, `[up|down]` depends on the direction. The result begins with a capital. */
export function fillTemplate(template = '', { values, isUp }: Filling): string {
  const text = template
    .replace(/\[(.*?)\|(.*?)\]/g, isUp ? '$1' : '$2')
    .replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
