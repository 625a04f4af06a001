/**
 * A filled price that is not live: stale, delayed or of a closed market. The text beside the field uses the labels of
 * shared/prices, in two lengths; times are in the user's time zone. Pure.
 */
import { formatInstant, type PriceStatus } from '../../shared/prices/state-explanation.ts';
import { stateLabels } from '../../shared/prices/state-labels.ts';
import { formatClock, formatDay, formatDayAndMonth } from '../../shared/time/dates.ts';
import type { Fault } from './field-parsing.ts';

const nonLiveStates = ['stale', 'delayed', 'closed'] as const;

export interface NonLivePrice {
  readonly state: (typeof nonLiveStates)[number];
  /** Ms since the epoch; null if unknown, or while a newer price is held. */
  readonly since: number | null;
}

export const isNonLiveState = (state: unknown): state is NonLivePrice['state'] =>
  nonLiveStates.some((still) => still === state);

/** Null for a live price. */
export function getNonLivePrice(priceStatus: Omit<PriceStatus, 'nowMs' | 'source'>): NonLivePrice | null {
  const { state, receivedAt, marketTime, isHeld } = priceStatus;
  if (!isNonLiveState(state)) return null;
  if (state !== 'stale') return { state, since: marketTime ?? receivedAt };
  return { state, since: isHeld ? null : receivedAt };
}

/** `14:03` today, `20 Nov` on another day: short enough for a label in a column of four. */
const formatShortInstant = (at: number, nowMs: number, timeZone: string | undefined): string =>
  formatDay(at, timeZone) === formatDay(nowMs, timeZone)
    ? formatClock(at, timeZone)
    : formatDayAndMonth(at, timeZone);

export function explainNonLivePrice({ state, since }: NonLivePrice, nowMs: number, timeZone?: string): Fault {
  const { label } = stateLabels[state];
  if (since === null) return { short: label, sentence: `${label}: this price is on hold.` };
  return {
    short: `${label} · ${formatShortInstant(since, nowMs, timeZone)}`,
    sentence: `${label}: this price has not changed since ${formatInstant(since, nowMs, timeZone)}.`,
  };
}
