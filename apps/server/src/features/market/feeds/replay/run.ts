/**
 * A replay in played time (`timeline.ts`), without timers: its position, and the price of each symbol there.
 * Invariants: the run advances by one recorded instant at a time, and the prices of an instant do not depend on the step; it
 * stops before a move beyond the bound of the guard until a decision arrives, unless it was decided before; before its first
 * candle a symbol has no price.
 */
import type { Timeframe } from '@fulcrum/domain';
import type { Bar, CandleQuery, FeedTick } from '../../feed.ts';
import type { Recording } from './recording.ts';
import { createTimeline } from './timeline.ts';
import { createTrack, type Jump, type Track, type TrackEvent } from './track.ts';

/** How a recording goes on at a jump: `gap` to the price behind it, or `without` the symbol. */
export type JumpDecision = 'gap' | 'without';

/** How staff went on at a jump, and where the run was then. */
export interface DecidedJump {
  readonly symbol: string;
  /** Recorded time, ms since the epoch. */
  readonly at: number;
  readonly decision: JumpDecision;
  readonly position: number;
}

export interface ReplayRun {
  /**
   * Advances to the next instant that has a price, at most to `until`; null when there is none on the way, or a jump
   * before it. Played ms.
   */
  step(until: number): FeedTick[] | null;
  /** What each symbol shows, with its figures of the day. */
  present(): FeedTick[];
  /**
   * Advances by so many played ms and returns the ticks of that time, ending with the present price of each symbol.
   * At the end a looping run starts over; any other stays there. A step of 0 returns the present prices again.
   */
  advance(playedMs: number): FeedTick[];
  /** Back to where it began. */
  restart(): void;
  /** The jump that it waits at; null while it does not wait. */
  jump(): Jump | null;
  /** How to go on at it. */
  decide(decision: JumpDecision): void;
  decided(): readonly DecidedJump[];
  /** Goes on where an earlier run of the same recording was. */
  goOn(position: number, decided: readonly DecidedJump[]): void;
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Bar[];
  has(symbol: string): boolean;
  /** Played ms since the first midnight, up to and including which everything has happened. */
  position(): number;
  /** Where it begins to play, and where the last candle ends, in the same measure. */
  readonly begin: number;
  readonly end: number;
}

export interface ReplayRunOptions {
  readonly loop: boolean;
  /** Whether it waits at a jump; left out, it does. */
  readonly onJump?: 'pause' | 'gap';
  /** Bars that charts show before the beginning, ms; left out: none. */
  readonly historyMs?: number;
}

export function createReplayRun(recordings: readonly Recording[], options: ReplayRunOptions): ReplayRun {
  const { loop, onJump = 'pause', historyMs = 0 } = options;
  const timeline = createTimeline(recordings);
  const tracks = recordings.map((recording) => createTrack(recording, timeline));
  const trackOf = new Map(tracks.map((track) => [track.symbol, track]));
  const { end } = timeline;
  const begin = timeline.begin + historyMs;
  /** Symbols with a price since the beginning. */
  const started = new Set<string>();
  /** Jumps that are decided, so that a loop does not wait again. */
  const settled = new Set<string>();
  const decided: DecidedJump[] = [];
  let waiting: Jump | null = null;
  /** Jumps of the instant that it waits before, until each is emitted: the prices before them open nothing. */
  const jumping = new Set<string>();
  let position = begin;

  function restart(): void {
    position = begin - 1;
    waiting = null;
    jumping.clear();
    started.clear();
    for (const track of tracks) track.seek(begin);
  }
  restart();

  function markFirst(tick: FeedTick): FeedTick {
    if (started.has(tick.symbol)) return tick;
    started.add(tick.symbol);
    return { ...tick, breaks: true };
  }

  function step(until: number): FeedTick[] | null {
    if (waiting) return null;
    const last = Math.min(until, end);
    let at = Number.POSITIVE_INFINITY;
    for (const track of tracks) at = Math.min(at, track.next()?.at ?? Number.POSITIVE_INFINITY);
    if (at > last) {
      position = Math.max(position, last);
      return null;
    }
    const due = dueAt(at);
    stopBefore(due);
    if (waiting) {
      position = Math.max(position, at - 1);
      return null;
    }
    position = at;
    return due.flatMap((track) => {
      const event = track.next();
      track.advance();
      jumping.delete(track.symbol);
      return event ? markFirst(event.tick) : [];
    });
  }

  const dueAt = (at: number) => tracks.filter((track) => track.next()?.at === at);

  /** Waits before an instant with a jump that is not decided yet; `due` are its symbols. */
  function stopBefore(due: readonly Track[]): void {
    if (onJump === 'gap') return;
    const events = due.flatMap((track) => track.next() ?? []);
    for (const { jump } of events) if (jump) jumping.add(jump.symbol);
    waiting = firstJump(events);
  }

  function settle(jump: DecidedJump): void {
    decided.push(jump);
    settled.add(nameOf(jump));
    if (jump.decision === 'without') trackOf.get(jump.symbol)?.endAt(jump.position);
  }

  const firstJump = (events: readonly TrackEvent[]): Jump | null =>
    events.find(({ jump }) => jump && !settled.has(nameOf(jump)))?.jump ?? null;

  const present = (): FeedTick[] =>
    tracks.flatMap((track) => {
      const tick = track.present(Math.max(position, begin), jumping.has(track.symbol));
      return tick ? markFirst(tick) : [];
    });

  return {
    begin,
    end,
    step,
    present,
    restart,
    position: () => position,
    advance(playedMs) {
      if (position >= end && loop && playedMs > 0) restart();
      const until = position + playedMs;
      const passed: FeedTick[] = [];
      for (let ticks = step(until); ticks; ticks = step(until)) {
        // The present prices already include the last instant.
        if (position < until) passed.push(...ticks);
        else for (const { symbol, breaks } of ticks) if (breaks) started.delete(symbol);
      }
      return [...passed, ...present()];
    },
    jump: () => waiting,
    decide(decision) {
      if (!waiting) return;
      const { symbol, at } = waiting;
      settle({ symbol, at, decision, position });
      if (decision === 'without') jumping.delete(symbol);
      waiting = null;
    },
    decided: () => decided,
    goOn(from, earlier) {
      restart();
      for (const jump of earlier) settle(jump);
      position = from;
      for (const track of tracks) {
        track.goOn(from);
        // Its prices go on from those of the earlier run.
        if (track.present(from, false)) started.add(track.symbol);
      }
      // Where it waited, or its jump was decided and not emitted yet, the price before the jump opens nothing.
      stopBefore(dueAt(from + 1));
    },
    has: (symbol) => trackOf.has(symbol),
    candles: (symbol, timeframe, query) => trackOf.get(symbol)?.candles(position, timeframe, query) ?? [],
  };
}

const nameOf = ({ symbol, at }: Pick<Jump, 'symbol' | 'at'>): string => `${symbol} ${at}`;
