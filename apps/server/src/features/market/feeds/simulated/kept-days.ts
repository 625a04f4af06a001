/**
 * What the simulation wants of whoever keeps its finished trading days between two starts, and the name of a path, by
 * which a kept day is known again. Invariant: two paths that differ on or before a day, by seed, recipe, scale, hours,
 * pair or shock, have different names for it (64 bits of SHA-256). A shock renames all days from its own on, also those
 * on which nothing is left of it: they are computed once more.
 */
import { createHash } from 'node:crypto';
import { barSpan } from '@fulcrum/domain';
import type { Config } from '../../../../platform/config/index.ts';
import type { ListedPair } from '../../catalogue/index.ts';
import type { Composition } from './composition.ts';
import { engine } from './noise.ts';
import type { PathBar } from './path.ts';
import { leafMs } from './rhythm.ts';
import type { Move } from './shocks.ts';

/** A finished trading day. */
export interface KeptDay extends PathBar {
  /** 00:00 UTC of its date, ms since the epoch. */
  readonly day: number;
  /** The path that it was computed from: a 64-bit integer in decimal digits. */
  readonly path: string;
}

/** A cache: what it loses is computed again. None of its promises is ever rejected. */
export interface KeptDays {
  /** Those from `first` to `last` (both included), of whatever path, in any order; none when they cannot be read. */
  read(symbol: string, first: number, last: number): Promise<readonly KeptDay[]>;
  /** In the place of the symbol's days of the same dates. Resolves with whether they are kept. */
  keep(symbol: string, days: readonly KeptDay[]): Promise<boolean>;
}

/** What a path is computed from, but for its shocks. */
export interface PathOrigin {
  readonly seed: string;
  readonly sessions: Config['sessions'];
  readonly pair: ListedPair;
  readonly composition: Composition;
  readonly scale: number;
}

/** Names the path up to the end of a trading day (00:00 UTC of its date). `moves`: all of the path; the list may grow. */
export function createPathNames(origin: PathOrigin, moves: readonly Move[]): (day: number) => string {
  const { seed, sessions, pair, composition, scale } = origin;
  const { symbol, typical, tickSize, stepSize, minPrice, maxPrice, tradingHours } = pair;
  const rules = [tickSize, stepSize, minPrice, maxPrice].map(String);
  const honours = sessions === 'honour';
  const base = JSON.stringify([
    engine,
    seed,
    honours,
    symbol,
    typical,
    rules,
    tradingHours,
    composition,
    scale,
  ]);
  const names = new Map<string, string>();

  function nameOf(acting: string): string {
    const known = names.get(acting);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(base).update(acting).digest().readBigInt64BE(0).toString();
    names.set(acting, name);
    return name;
  }

  return (day) => {
    if (moves.length === 0) return nameOf('');
    const lastLeaf = Math.floor((barSpan('1d', day, tradingHours).to - 1) / leafMs);
    const acting = moves.filter(({ from }) => from <= lastLeaf);
    return nameOf(acting.map(({ from, size, halfLife }) => `${from} ${size} ${halfLife};`).join(''));
  };
}
