/**
 * Frames of an exchange for the whole catalogue, in the wire format of `<symbol>@ticker`: generated, about as long as the
 * real thing, prices within 0.5 % of the typical one, never twice the same in a row. The pair with the armed triggers stays
 * where it crosses none of them.
 */
import { barStart, dayMs, normaliseSymbol, previousBar, type Timeframe } from '@fulcrum/domain';
import { catalogue } from '../apps/server/src/features/market/catalogue/index.ts';
import type { Bar, CandleQuery } from '../apps/server/src/features/market/feed.ts';
import { restingPrice, symbol as waitedFor } from './armed-positions.ts';

export const pairs = catalogue.filter((pair) => pair.typical !== null);

const priceOf = ({ symbol, typical }: (typeof pairs)[number]): number =>
  symbol === waitedFor ? restingPrice : (typical?.price ?? 1);

/** A decimal of the platform has at most eight places. */
const onGrid = (value: number): number => Number(value.toFixed(8));

/** Bars around that price, up and down like a wave, so that a chart has something to show. */
export function syntheticBars(
  symbol: string,
  timeframe: Timeframe,
  { limit, before }: CandleQuery,
  now: number,
): Bar[] {
  const pair = pairs.find((one) => one.symbol === symbol);
  if (!pair) return [];
  const bars: Bar[] = [];
  const price = priceOf(pair);
  const at = (start: number): number => onGrid(price * (1 + Math.sin(start / 7e6) / 300));
  let time = barStart(timeframe, Math.min(now, (before ?? now + 1) - 1), pair.tradingHours);
  while (bars.length < limit) {
    const earlier = previousBar(timeframe, time);
    const [open, close] = [at(earlier), at(time)];
    const [high, low] = [onGrid(Math.max(open, close) * 1.0005), onGrid(Math.min(open, close) * 0.9995)];
    const volume = 12.5;
    bars.push({
      open_time: new Date(time).toISOString(),
      ...{ open, high, low, close, volume, quote_volume: onGrid(volume * close) },
    });
    time = earlier;
  }
  return bars.reverse();
}

/** The `n`th event of the pair, `E` in ms since the epoch. */
export function tickerFrame(pair: (typeof pairs)[number], n: number, eventTime: number): string {
  const typical = priceOf(pair);
  const price = typical * (1 + (((n * 7919) % 1000) - 500) / 100_000);
  const figure = (value: number): string => value.toFixed(8);
  return JSON.stringify({
    e: '24hrTicker',
    E: eventTime,
    s: normaliseSymbol(pair.symbol),
    p: figure(price - typical),
    P: (((price - typical) / typical) * 100).toFixed(3),
    w: figure(typical),
    x: figure(typical),
    c: figure(price),
    Q: '0.00352000',
    b: figure(price * 0.9999),
    B: '0.65849000',
    a: figure(price * 1.0001),
    A: '0.13802000',
    o: figure(typical),
    h: figure(typical * 1.006),
    l: figure(typical * 0.994),
    v: '33136.69765000',
    q: figure(33_136.69765 * typical),
    O: eventTime - dayMs,
    C: eventTime,
    F: 1_191_596_486,
    L: 1_191_596_486 + n,
    n: 1 + n,
  });
}
