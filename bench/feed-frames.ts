/**
 * What an exchange says of the whole catalogue, in the wire format of `<symbol>@ticker`: made up, about as long as the
 * real thing, prices within 0.5 % of the typical one, never twice the same in a row. The pair on which triggers wait stays
 * where it crosses none of them.
 */
import { normaliseSymbol } from '@fulcrum/domain';
import { catalogue } from '../apps/server/src/features/market/catalogue/index.ts';
import { restingPrice, symbol as waitedFor } from './waiting.ts';

export const pairs = catalogue.filter((pair) => pair.typical !== null);

/** The `n`th event of the pair, `E` in ms since the epoch. */
export function tickerFrame(pair: (typeof pairs)[number], n: number, eventTime: number): string {
  const typical = pair.symbol === waitedFor ? restingPrice : (pair.typical?.price ?? 1);
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
    O: eventTime - 86_400_000,
    C: eventTime,
    F: 1_191_596_486,
    L: 1_191_596_486 + n,
    n: 1 + n,
  });
}
