/**
 * The keys of days as they are committed and published (A109). The bytes of a day are the keys of its streams in one order: the daily layer, then
 * paths, factors and clocks. Of the days before, the daily layer alone is needed, because its levels add up from the first day on.
 * Invariants: keys of volumes are never among them; nothing here leads from one day to another.
 */
import { createHash } from 'node:crypto';
import type { ListedPair } from '../../catalogue/index.ts';
import { compositionOf } from './composition.ts';
import { firstDay } from './daily.ts';
import { type DayKeys, everyName, marketKeyBytes } from './engine-3.ts';
import { factors } from './loadings.ts';

type Stream = readonly [purpose: Parameters<DayKeys>[0], name: string];
export type DayStreams = readonly Stream[];

/** The streams that the prices of these pairs are drawn from. Pairs that cannot be simulated have none. */
export function committedStreams(pairs: readonly ListedPair[]): DayStreams {
  const paths = new Set<string>();
  const clocks = new Set<string>();
  for (const pair of pairs) {
    const composition = compositionOf(pair);
    if (!composition) continue;
    clocks.add(composition.clock);
    for (const { path } of composition.legs) paths.add(path.name);
  }
  return [
    ['daily', everyName],
    ...[...paths].sort().map((name): Stream => ['path', name]),
    ...factors.map((name): Stream => ['factor', name]),
    ...[...clocks].sort().map((name): Stream => ['clock', name]),
  ];
}

/** `day`: since 1970-01-01. */
export const keysOfDay = (keyOf: DayKeys, streams: DayStreams, day: number): Buffer =>
  Buffer.concat(streams.map(([purpose, name]) => keyOf(purpose, name, day)));

/** One by one: those of the daily layer, from the first day of all markets until the one before `day`. */
export function* keysOfPast(keyOf: DayKeys, day: number): Generator<Buffer, void> {
  for (let past = firstDay; past < day; past += 1) yield keyOf('daily', everyName, past);
}

/** Hexadecimal. Keys are random, so their hash tells nothing of them. */
export const hashOfKeys = (keys: Buffer): string => createHash('sha256').update(keys).digest('hex');

interface PublishedKeys {
  readonly streams: DayStreams;
  readonly past: Buffer;
  /** Of consecutive days, from `from` (since 1970-01-01) on. */
  readonly days: readonly Buffer[];
  readonly from: number;
}

/** Volumes have no keys there; theirs are zeros. */
export function publishedKeys({ streams, past, days, from }: PublishedKeys): DayKeys {
  const indices = new Map(streams.map(([purpose, name], index) => [`${purpose} ${name}`, index]));
  return (purpose, name, day) => {
    if (purpose === 'volume') return Buffer.alloc(marketKeyBytes);
    const isPast = day < from && purpose === 'daily';
    const keys = isPast ? past : days[day - from];
    const index = isPast ? day - firstDay : indices.get(`${purpose} ${name}`);
    const at = (index ?? 0) * marketKeyBytes;
    if (keys === undefined || index === undefined || at + marketKeyBytes > keys.length)
      throw new RangeError(`The key of ${purpose} ${name} on day ${day} is not published`);
    return keys.subarray(at, at + marketKeyBytes);
  };
}
