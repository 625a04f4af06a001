/**
 * The interface to the store of finished trading days between two starts, and the name of a path, which identifies a stored
 * day. Invariant: two paths that differ on or before a day, by key, recipe, scale, hours,
 * pair or shock, have different names for it (64 bits of SHA-256). A shock renames all days from its own on, also those
 * on which it has no effect any more: they are computed once more.
 */
import { createHash } from 'node:crypto';
import { barSpan } from '@fulcrum/domain';
import type { Config } from '../../../../platform/config/index.ts';
import type { ListedPair } from '../../catalogue/index.ts';
import type { Composition } from './composition.ts';
import type { MarketModel } from './model.ts';
import type { PathBar } from './path.ts';
import { leafMs } from './rhythm.ts';
import type { Move } from './shocks.ts';

/** A finished trading day. */
export interface CachedDay extends PathBar {
  /** 00:00 UTC of its date, ms since the epoch. */
  readonly day: number;
  /** The path that it was computed from: a 64-bit integer in decimal digits. */
  readonly path: string;
}

/** A cache: what it loses is computed again. None of its promises is ever rejected. */
export interface DayCache {
  /** Those from `first` to `last` (both included), of whatever path, in any order; none when they cannot be read. */
  read(symbol: string, first: number, last: number): Promise<readonly CachedDay[]>;
  /** Replaces the symbol's days of the same dates. Resolves with whether they are stored. */
  store(symbol: string, days: readonly CachedDay[]): Promise<boolean>;
}

/** What a path is computed from, but for its shocks. */
interface PathOrigin {
  readonly model: MarketModel;
  readonly sessions: Config['sessions'];
  readonly pair: ListedPair;
  readonly composition: Composition;
  readonly scale: number;
}

/** Names the path up to the end of a trading day (00:00 UTC of its date). `moves`: all of the path; the list may grow. */
export function createPathNames(origin: PathOrigin, moves: readonly Move[]): (day: number) => string {
  const { model, sessions, pair, composition, scale } = origin;
  const { noise, weekends } = model;
  const { symbol, typical, tickSize, stepSize, minPrice, maxPrice, tradingHours } = pair;
  const rules = [tickSize, stepSize, minPrice, maxPrice].map(String);
  const honours = sessions === 'honour';
  const base = JSON.stringify([
    noise.engine,
    noise.keyId,
    weekends,
    honours,
    symbol,
    typical,
    rules,
    tradingHours,
    composition,
    scale,
  ]);
  const names = new Map<string, string>();

  function nameOf(active: string): string {
    const known = names.get(active);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(base).update(active).digest().readBigInt64BE(0).toString();
    names.set(active, name);
    return name;
  }

  return (day) => {
    if (moves.length === 0) return nameOf('');
    const lastLeaf = Math.floor((barSpan('1d', day, tradingHours).to - 1) / leafMs);
    const active = moves.filter(({ from }) => from <= lastLeaf);
    return nameOf(active.map(({ from, size, halfLife }) => `${from} ${size} ${halfLife};`).join(''));
  };
}

/** Names of a path up to an instant (ms since the epoch). */
interface EarlierNames {
  readonly nameOf: (day: number) => string;
  readonly until: number;
}

/** Names the days of a path that was another one before: a day is named by all that it has a part of. `earlier`: oldest first. */
export function joinPathNames(
  earlier: readonly EarlierNames[],
  current: (day: number) => string,
  tradingHours: string,
): (day: number) => string {
  if (earlier.length === 0) return current;
  const all: readonly EarlierNames[] = [...earlier, { nameOf: current, until: Infinity }];
  return (day) => {
    const { from, to } = barSpan('1d', day, tradingHours);
    const parts = all.filter(({ until }, index) => until > from && (all[index - 1]?.until ?? -Infinity) < to);
    const [first] = parts;
    if (first && parts.length === 1) return first.nameOf(day);
    const text = parts.map(({ nameOf, until }) => `${nameOf(day)} ${until};`).join('');
    return createHash('sha256').update(text).digest().readBigInt64BE(0).toString();
  };
}
