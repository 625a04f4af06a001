/** The sentence behind a price's label: its meaning, source and time. Times are in the user's zone. */
import type { Source } from '@fulcrum/contract';
import { delayedAfterMinutes } from '@fulcrum/domain';
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

const createFormats = (timeZone: string | undefined) => ({
  day: new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }),
  clock: new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  }),
  dateAndClock: new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }),
  dated: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }),
});
const localFormats = createFormats(undefined);

/** `14:03:22` today, `Fri 20 Nov, 22:00` on another day; instants in ms since the epoch. */
export function formatInstant(at: number, nowMs: number, timeZone?: string): string {
  const { day, clock, dateAndClock } = timeZone === undefined ? localFormats : createFormats(timeZone);
  return day.format(at) === day.format(nowMs) ? clock.format(at) : dateAndClock.format(at);
}

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
        : `A recorded market day, played back: the price from ${localFormats.dated.format(marketTime)} UTC.`;
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
