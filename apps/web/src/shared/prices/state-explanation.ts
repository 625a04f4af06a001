/** The sentence behind a price's label: its meaning, source and time. Times are in the user's zone. */
import type { Source } from '@fulcrum/contract';
import { delayedAfterMinutes } from '@fulcrum/domain';
import { formatClockWithSeconds, formatDatedClock, formatDay, formatWeekdayAndClock } from '../time/dates.ts';
import type { ShownState } from './state-labels.ts';

export const sourceNames: Readonly<Record<Source, string>> = {
  simulated: 'the simulation',
  replay: 'the recording',
  binance: 'Binance',
  yahoo: 'Yahoo',
};

export interface PriceStatus {
  readonly state: ShownState;
  readonly source: Source | null;
  /** When the source's last price arrived, and the time the source states; ms since the epoch, null when unknown. */
  readonly receivedAt: number | null;
  readonly marketTime: number | null;
  /** Stale although the source is current: the server holds the price. */
  readonly isHeld: boolean;
  readonly nowMs: number;
}

/** `14:03:22` today, `Fri 20 Nov, 22:00` on another day; instants in ms since the epoch. */
export const formatInstant = (at: number, nowMs: number, timeZone?: string): string =>
  formatDay(at, timeZone) === formatDay(nowMs, timeZone)
    ? formatClockWithSeconds(at, timeZone)
    : formatWeekdayAndClock(at, timeZone);

/** The sentence behind the label. */
export function explainState(status: PriceStatus, timeZone?: string): string {
  const { state, source, receivedAt, marketTime, isHeld, nowMs } = status;
  const from = source === null ? 'its source' : sourceNames[source];
  const at = (instant: number | null) =>
    instant === null ? 'an unknown time' : formatInstant(instant, nowMs, timeZone);
  switch (state) {
    case 'live':
      return `Live price from ${from} at ${at(receivedAt)}.`;
    case 'simulated':
      return `This price is made by a model, not by a market, at ${at(receivedAt)}.`;
    case 'replay':
      return marketTime === null
        ? 'A recorded market day, played back.'
        : `A recorded market day, played back: the price from ${formatDatedClock(marketTime, 'UTC')} UTC.`;
    case 'delayed':
      return `${sentence(from)} is more than ${delayedAfterMinutes} min behind this market: its last price is from ${at(marketTime)}. You can view it, but not trade on it.`;
    case 'stale':
      return isHeld
        ? 'This price is held: nothing opens or fires on it until the next price arrives or our staff accept it.'
        : `No price from ${from} since ${at(receivedAt)}. Nothing opens or fires on this price.`;
    case 'closed':
      return `The market is closed. This is the last price from ${from}: ${at(marketTime ?? receivedAt)}.`;
    case 'missing':
      return 'There is no price yet.';
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
