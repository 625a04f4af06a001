/**
 * Label and tone of each price state, for every screen. Invariant: a price that may not be traded on never looks like one that
 * may.
 */
import type { PriceState } from '@fulcrum/contract';

/** The state of a price, or `missing` without one. */
export type ShownState = PriceState | 'missing';
/** `quiet` for normal states, `warn` for prices that are not current market prices. */
export type StateTone = 'quiet' | 'warn';

export interface StateLabel {
  readonly word: string;
  readonly tone: StateTone;
}

export const stateLabels: Readonly<Record<ShownState, StateLabel>> = {
  live: { word: 'Live', tone: 'quiet' },
  simulated: { word: 'Simulated', tone: 'warn' },
  replay: { word: 'Recorded day', tone: 'warn' },
  delayed: { word: 'Delayed', tone: 'warn' },
  stale: { word: 'Stale', tone: 'warn' },
  closed: { word: 'Closed', tone: 'quiet' },
  missing: { word: 'No price', tone: 'quiet' },
};
