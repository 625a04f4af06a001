/**
 * Price moves by staff. A shock multiplies the price by 1 + percent / 100 from its instant on; with a
 * half-life the logarithm of that factor halves again and again, so the price returns to its path without the shock.
 * It belongs to a path, so everything that uses the path moves along: all pairs of a currency, both symbols of
 * copper, Brent with WTI.
 *
 * Invariant: a shock is part of the path for ever; with the same shocks every price comes out the same again.
 * Known limitation: it takes effect with the next step of the path, at most 117 ms after its instant.
 */
import { minuteMs } from '@fulcrum/domain';
import { type Composition, shockedLeg } from './composition.ts';
import { leafMs, leavesPerDay } from './rhythm.ts';

export interface PriceShock {
  readonly symbol: string;
  /** Ms since the epoch. */
  readonly at: number;
  /** Above -100. */
  readonly percent: number;
  /** Null: permanent. */
  readonly halfLifeMinutes: number | null;
}

/** What a shock adds to the logarithm of a price. */
export interface Move {
  /** The first leaf that it moves, counted from the epoch; within a day's `moves`, from 00:00 UTC of the day. */
  readonly from: number;
  readonly size: number;
  /** In leaves; Infinity for a permanent one. */
  readonly halfLife: number;
}

/** After this many half-lives less is left than the last bit of a price can show. */
const halfLivesMax = 64;

/** The path that a shock moves and its move; null where there is none. */
export function toPathMove(
  { at, percent, halfLifeMinutes }: PriceShock,
  composition: Composition,
): { readonly path: string; readonly move: Move } | null {
  const leg = shockedLeg(composition);
  if (!leg) return null;
  return {
    path: leg.path.name,
    move: {
      from: Math.ceil(at / leafMs),
      size: Math.log(1 + percent / 100) / leg.weight,
      halfLife: halfLifeMinutes === null ? Infinity : (halfLifeMinutes * minuteMs) / leafMs,
    },
  };
}

/** The sum of all moves at a leaf. */
export function moveAt(moves: readonly Move[], leaf: number): number {
  let sum = 0;
  for (const move of moves) sum += sizeAt(move, leaf);
  return sum;
}

/** No less than the greatest of `sign` times the sum of all moves from `first` to `last`, within which none begins. */
export function boundMoves(moves: readonly Move[], sign: 1 | -1, first: number, last: number): number {
  let sum = 0;
  // Each goes to 0 monotonically, so its greatest value is at one of the ends.
  for (const move of moves) sum += Math.max(sign * sizeAt(move, first), sign * sizeAt(move, last));
  return sum;
}

function sizeAt({ from, size, halfLife }: Move, leaf: number): number {
  return leaf < from ? 0 : size * 0.5 ** ((leaf - from) / halfLife);
}

/** What a day (since 1970-01-01) has of its pair's moves. */
interface DayMoves {
  /** Of the permanent ones that began before the day. */
  readonly settled: number;
  readonly moves: readonly Move[];
}

const none: DayMoves = { settled: 0, moves: [] };

export function movesOfDay(all: readonly Move[], day: number): DayMoves {
  if (all.length === 0) return none;
  const midnight = day * leavesPerDay;
  let settled = 0;
  const moves: Move[] = [];
  for (const { from, size, halfLife } of all) {
    if (from >= midnight + leavesPerDay || midnight - from > halfLivesMax * halfLife) continue;
    if (halfLife === Infinity && from <= midnight) settled += size;
    else moves.push({ from: from - midnight, size, halfLife });
  }
  return { settled, moves };
}
