/**
 * One-minute bars sampled from the ticks of live sources, by the market's own time. A minute with at least one tick has a
 * bar, even a flat one; a silent source makes none. Invariants: only live prices of an open market count; a minute stays
 * here until it is written.
 *
 * Known limitations: ticks carry the volume of 24 hours, which gives none for a minute, so sampled bars have no
 * volume. A minute that began before the process is only as complete as its stored part.
 */
import type { Tick } from '@fulcrum/contract';
import { type BarPrices, minuteMs } from '@fulcrum/domain';

const liveSources = ['binance', 'yahoo'] as const;
export type LiveSource = (typeof liveSources)[number];
export const isLiveSource = (source: string | null): source is LiveSource =>
  liveSources.some((live) => live === source);

/** A sampled minute; `openTime` in ms since the epoch. */
export interface Minute extends BarPrices {
  readonly symbol: string;
  readonly source: LiveSource;
  readonly openTime: number;
}

/** A source without a tick of a symbol for longer was silent: its sampled bars are incomplete. */
export const silenceMs = 2 * minuteMs;
/** A provider's clock may be ahead of ours; a price from beyond would make a bar of the future. */
const clockLeadMsMax = minuteMs;
/** Maximum number of unwritten minutes of a symbol; in a longer outage of the database, the oldest are dropped. */
const unwrittenMax = 240;

type MutableMinute = { -readonly [Field in keyof Minute]: Minute[Field] };

interface SymbolMinutes {
  current: MutableMinute;
  /** Whether `current` has something that is not written. */
  isChanged: boolean;
  /** Earlier minutes that are not written, by time. */
  readonly finished: Minute[];
  contactAt: number;
  contactSince: number;
}

/** Time of a symbol's last tick, ms since the epoch of our clock. */
export interface SourceContact {
  readonly at: number;
  /** Since then it has not been silent. */
  readonly since: number;
}

interface Sampler {
  take(tick: Tick): void;
  /** What is not stored yet of a symbol, oldest first, the running minute last. */
  unwritten(symbol: string): readonly Minute[];
  /** Minutes to be written, oldest first; 'all' includes the running ones. */
  due(which: 'over' | 'all', limit: number): Minute[];
  /** To be called with what `due` gave, once it is stored. */
  markWritten(minutes: readonly Minute[]): void;
  /** Null before the first tick in this process. */
  contact(symbol: string): SourceContact | null;
  /** How many minutes were dropped since the last call. */
  takeDropped(): number;
}

interface SamplerOptions {
  readonly now: () => number;
  readonly isListed: (symbol: string) => boolean;
  /** A symbol speaks again after a silence. */
  readonly onResumed: (symbol: string) => void;
}

const isSame = (left: Minute, right: Minute): boolean =>
  left.openTime === right.openTime &&
  left.high === right.high &&
  left.low === right.low &&
  left.close === right.close;

export function createSampler({ now, isListed, onResumed }: SamplerOptions): Sampler {
  const markets = new Map<string, SymbolMinutes>();
  let dropped = 0;

  function recordContact(sampled: SymbolMinutes, symbol: string, at: number): void {
    const wasSilent = at - sampled.contactAt > silenceMs;
    sampled.contactAt = at;
    if (!wasSilent) return;
    sampled.contactSince = at;
    onResumed(symbol);
  }

  function beginMinute(sampled: SymbolMinutes, minute: MutableMinute): void {
    if (sampled.isChanged) sampled.finished.push(sampled.current);
    if (sampled.finished.length > unwrittenMax) {
      sampled.finished.shift();
      dropped += 1;
    }
    sampled.current = minute;
    sampled.isChanged = true;
  }

  function grow(sampled: SymbolMinutes, price: number): void {
    const { current } = sampled;
    if (current.close === price) return;
    current.high = Math.max(current.high, price);
    current.low = Math.min(current.low, price);
    current.close = price;
    sampled.isChanged = true;
  }

  return {
    take({ symbol, source, state, market_open, market_time, price }) {
      if (state !== 'live' || !market_open || !isLiveSource(source) || !isListed(symbol)) return;
      const marketTime = Date.parse(market_time);
      const at = now();
      if (!(marketTime <= at + clockLeadMsMax)) return;
      const openTime = Math.floor(marketTime / minuteMs) * minuteMs;
      const minute = { symbol, source, openTime, open: price, high: price, low: price, close: price };
      const sampled = markets.get(symbol);
      if (!sampled) {
        markets.set(symbol, {
          current: minute,
          isChanged: true,
          finished: [],
          contactAt: at,
          contactSince: at,
        });
        return;
      }
      recordContact(sampled, symbol, at);
      if (openTime > sampled.current.openTime) beginMinute(sampled, minute);
      else if (openTime === sampled.current.openTime) grow(sampled, price);
    },
    unwritten(symbol) {
      const sampled = markets.get(symbol);
      if (!sampled) return [];
      return sampled.isChanged ? [...sampled.finished, sampled.current] : sampled.finished;
    },
    due(which, limit) {
      const overBy = now() - minuteMs;
      const minutes: Minute[] = [];
      for (const { finished, current, isChanged } of markets.values()) {
        minutes.push(...finished);
        if (isChanged && (which === 'all' || current.openTime <= overBy)) minutes.push({ ...current });
      }
      return minutes.sort((left, right) => left.openTime - right.openTime).slice(0, limit);
    },
    markWritten(minutes) {
      for (const minute of minutes) {
        const sampled = markets.get(minute.symbol);
        if (!sampled) continue;
        // One that has grown since waits for the next write.
        const at = sampled.finished.findIndex((finished) => isSame(finished, minute));
        if (at >= 0) sampled.finished.splice(at, 1);
        if (isSame(sampled.current, minute)) sampled.isChanged = false;
      }
    },
    contact(symbol) {
      const sampled = markets.get(symbol);
      return sampled ? { at: sampled.contactAt, since: sampled.contactSince } : null;
    },
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
