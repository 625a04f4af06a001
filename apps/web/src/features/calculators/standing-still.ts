/**
 * A price that was filled in although it does not move: stale, delayed or of a closed market. Said beside the field with the
 * words of shared/prices, in two lengths; times are of the reader's zone. Pure.
 */
import { instantText, type PriceStanding } from '../../shared/prices/state-explanation.ts';
import { stateWords } from '../../shared/prices/state-words.ts';
import type { Fault } from './figures.ts';

const stillStates = ['stale', 'delayed', 'closed'] as const;

export interface StandingStill {
  readonly state: (typeof stillStates)[number];
  /** Ms since the epoch; null where it is not known, or a new price is there and held back. */
  readonly since: number | null;
}

export const isStillState = (state: unknown): state is StandingStill['state'] =>
  stillStates.some((still) => still === state);

/** Null for a price that moves. */
export function stillOf(standing: Omit<PriceStanding, 'nowMs' | 'source'>): StandingStill | null {
  const { state, heardAt, marketTime, isHeld } = standing;
  if (!isStillState(state)) return null;
  if (state !== 'stale') return { state, since: marketTime ?? heardAt };
  return { state, since: isHeld ? null : heardAt };
}

/** `14:03` today, `20 Nov` on another day: what has room beside a label in a column of four. */
function shortInstant(at: number, nowMs: number, timeZone: string | undefined): string {
  const day = (instant: number) => new Date(instant).toLocaleDateString('en-GB', { timeZone });
  return day(at) === day(nowMs)
    ? new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
    : new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone });
}

export function stillWords({ state, since }: StandingStill, nowMs: number, timeZone?: string): Fault {
  const { word } = stateWords[state];
  if (since === null) return { short: word, sentence: `${word}: this price was held back.` };
  return {
    short: `${word} · ${shortInstant(since, nowMs, timeZone)}`,
    sentence: `${word}: this price stands still since ${instantText(since, nowMs, timeZone)}.`,
  };
}
