/** Klines of the loopback exchange: one row per interval up to now, its opening price counted up by one with each. */
import { dayMs, hourMs, minuteMs, weekMs } from '@fulcrum/domain';

const fixedMs: Readonly<Record<string, number>> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': hourMs,
  '4h': 240 * minuteMs,
  '1d': dayMs,
};
/** 5 January 1970 was a Monday. */
const firstMonday = 4 * dayMs;

/** The opening times of the `n`th interval since 1970 (since its first Monday, for weeks). */
function openTime(interval: string, n: number): number {
  if (interval === '1M') return Date.UTC(1970, n, 1);
  return interval === '1w' ? firstMonday + n * weekMs : n * fixedMs[interval]!;
}

function indexAt(interval: string, instant: number): number {
  const date = new Date(instant);
  if (interval === '1M') return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return interval === '1w'
    ? Math.floor((instant - firstMonday) / weekMs)
    : Math.floor(instant / fixedMs[interval]!);
}

interface KlineRange {
  readonly now: number;
  readonly endTime: number | null;
  readonly limit: number;
}

/** Rows as documented: times as numbers, everything else as strings. */
export function klineRows(price: string, interval: string, { now, endTime, limit }: KlineRange): unknown[][] {
  const newest = indexAt(interval, Math.min(now, endTime ?? now));
  return Array.from({ length: limit }, (_, back) => {
    const n = newest - limit + 1 + back;
    const open = Number(price) + (n % 100);
    const prices = [open, open + 2, open - 2, open + 1].map((one) => one.toFixed(8));
    const [from, next] = [openTime(interval, n), openTime(interval, n + 1)];
    return [from, ...prices, '148.97611427', next - 1, '2434.19055334', 308, '75.68', '1756.87402397', '0'];
  });
}
