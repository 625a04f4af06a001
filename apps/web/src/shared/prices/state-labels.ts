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
  readonly label: string;
  readonly tone: StateTone;
}

export const stateLabels: Readonly<Record<ShownState, StateLabel>> = {
  live: { label: 'Live', tone: 'quiet' },
  simulated: { label: 'Simulated', tone: 'warn' },
  replay: { label: 'Recorded day', tone: 'warn' },
  delayed: { label: 'Delayed', tone: 'warn' },
  stale: { label: 'Stale', tone: 'warn' },
  closed: { label: 'Closed', tone: 'quiet' },
  missing: { label: 'No price', tone: 'quiet' },
};
