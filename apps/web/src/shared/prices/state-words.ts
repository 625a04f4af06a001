/**
 * What every screen calls the worth of a price: one word and a tone. Invariant: a price that may not be traded on never looks
 * like one that may.
 */
import type { PriceState } from '@fulcrum/contract';

/** A price's state, or that there is none. */
export type ShownState = PriceState | 'missing';
/** Quiet for what is as it should be, `warn` for what must not be taken for a current market price. */
export type StateTone = 'quiet' | 'warn';

export interface StateWord {
  readonly word: string;
  readonly tone: StateTone;
}

export const stateWords: Readonly<Record<ShownState, StateWord>> = {
  live: { word: 'Live', tone: 'quiet' },
  simulated: { word: 'Simulated', tone: 'warn' },
  replay: { word: 'Recorded day', tone: 'warn' },
  delayed: { word: 'Delayed', tone: 'warn' },
  stale: { word: 'Stale', tone: 'warn' },
  closed: { word: 'Closed', tone: 'quiet' },
  missing: { word: 'No price', tone: 'quiet' },
};
