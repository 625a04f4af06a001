/** The sentence behind a price's word: what it means, and its source and time. Times are of the reader's zone. */
import type { Source } from '@fulcrum/contract';
import type { ShownState } from './state-words.ts';

export const sourceNames: Readonly<Record<Source, string>> = {
  simulated: 'the simulation',
  replay: 'the recording',
  binance: 'Binance',
  yahoo: 'Yahoo',
};

export interface PriceStanding {
  readonly state: ShownState;
  readonly source: Source | null;
  /** When the source was heard, and what it says of itself; ms since the epoch, null when unknown. */
  readonly heardAt: number | null;
  readonly marketTime: number | null;
  /** Stale although the source was heard just now: the server holds the price back. */
  readonly isHeld: boolean;
  readonly nowMs: number;
}

const formatsOf = (timeZone: string | undefined) => ({
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
const ofReader = formatsOf(undefined);

/** `14:03:22` today, `Fri 20 Nov, 22:00` on another day; instants in ms since the epoch. */
export function instantText(at: number, nowMs: number, timeZone?: string): string {
  const { day, clock, dateAndClock } = timeZone === undefined ? ofReader : formatsOf(timeZone);
  return day.format(at) === day.format(nowMs) ? clock.format(at) : dateAndClock.format(at);
}

/** The sentence behind the word. */
export function stateExplanation(standing: PriceStanding, timeZone?: string): string {
  const { state, source, heardAt, marketTime, isHeld, nowMs } = standing;
  const from = source === null ? 'its source' : sourceNames[source];
  const at = (instant: number | null) =>
    instant === null ? 'an unknown time' : instantText(instant, nowMs, timeZone);
  switch (state) {
    case 'live':
      return `Live price from ${from}, of ${at(heardAt)}.`;
    case 'simulated':
      return `This price is made by a model, not by a market; of ${at(heardAt)}.`;
    case 'replay':
      return marketTime === null
        ? 'A recorded market day, played back.'
        : `A recorded market day, played back: the price of ${ofReader.dated.format(marketTime)} UTC.`;
    case 'delayed':
      return `${sentence(from)} lags more than 20 min behind this market: its last price is of ${at(marketTime)}. It is to look at, not to trade on.`;
    case 'stale':
      return isHeld
        ? 'This price is held back: nothing opens or fires on it before the next one, or before our staff have accepted it.'
        : `No word from ${from} since ${at(heardAt)}. Nothing opens or fires on this price.`;
    case 'closed':
      return `The market is closed. This is the last price from ${from}, of ${at(marketTime ?? heardAt)}.`;
    case 'missing':
      return 'There is no price yet.';
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
