/**
 * The replay feed: recorded market days at any speed. Candles keep their recorded time; the hub stamps prices with wall
 * time. Four times a second the run advances, one recorded instant after another, and emits each symbol's price, changed or
 * not, so gaps and pauses never make prices stale. What an instant crosses is settled before the next instant is emitted: a
 * run that cannot keep up plays slower. After the process was suspended, the run resumes at its position.
 * Invariants: a change of speed or a pause takes effect at its own moment, so no recorded time is skipped or repeated; the
 * emitted prices and their recorded times are the same at any speed.
 */
import { createHash } from 'node:crypto';
import { minuteMs, type TradingPair } from '@fulcrum/domain';
import type { Services } from '../../../../platform/services.ts';
import type { Feed, FeedTick } from '../../feed.ts';
import { logStart } from './log-start.ts';
import { createPace } from './pace.ts';
import { type Recording, readRecordings } from './recording.ts';
import { createReplayRun, type DecidedJump, type JumpDecision, type ReplayRun } from './run.ts';
import type { Jump } from './track.ts';
import { instantAt } from './walk.ts';

const beatMs = 250;
const heldUpMsMax = 1_000;
/** After so long the run yields to other work. */
const sliceMs = 20;
const speedMaxAlone = 3_600;
const storeEveryMs = 1_000;
/** Of what is recorded, so that short recordings still play: the whole of the default from two hours on. */
const historyShareMax = 5 / 12;

export interface ReplayFeedOptions extends Pick<Services, 'timers' | 'log'> {
  readonly folder: string;
  /** Recorded seconds per second. */
  readonly speed: number;
  /** Whether to start over at the end instead of shutting the market. */
  readonly loop: boolean;
  /** Whether to pause at a move beyond the bound of the guard until staff decide, or to jump over it. */
  readonly onJump: 'pause' | 'gap';
  /** Recorded minutes that charts show before the beginning, at most. */
  readonly historyMinutes: number;
  readonly pairs: readonly TradingPair[];
  /** Resolves when the crossings of the last prices are settled; null while nothing waits. Left out, nothing ever waits. */
  readonly pendingSettlement?: () => Promise<void> | null;
  /** The highest speed; left out, 3600. */
  readonly speedMax?: number;
  /** Where the position outlives this process; left out, each start begins anew. */
  readonly storedPosition?: StoredReplayPosition;
}

/** Where a run is, and how it plays. */
export interface ReplayPosition {
  /** `identityOf` the recording that is played. */
  readonly recording: string;
  readonly position: number;
  readonly speed: number;
  /** The speed of its settings, from which staff may have gone to another one. */
  readonly configuredSpeed: number;
  readonly paused: boolean;
  readonly decisions: readonly DecidedJump[];
}
export interface StoredReplayPosition {
  /** `isRecent`: it was written within the last minute. */
  read(): Promise<(ReplayPosition & { readonly isRecent: boolean }) | null>;
  write(position: ReplayPosition): Promise<void>;
}

/** As `get_market_controls` returns it. */
export interface ReplayControls {
  readonly paused: boolean;
  /** Requested recorded seconds per second. */
  readonly speed: number;
  /** Measured speed of the last seconds; 0 while the clock is stopped. */
  readonly actual_speed: number;
  readonly loop: boolean;
  /** Played time, in seconds since 00:00 UTC of the first recorded day; without what is left out between days. */
  readonly position_s: number;
  /** Where it begins to play and where the last candle ends, in the same measure. */
  readonly begin_s: number;
  readonly end_s: number;
  /** The jump at which the clock is stopped until staff decide. */
  readonly jump: JumpView | null;
}

export interface JumpView {
  readonly symbol: string;
  readonly price: number;
  readonly last_price: number;
  /** Recorded time, ISO 8601 UTC. */
  readonly at: string;
  readonly text: string;
}

export interface ReplayFeed extends Feed {
  /** @throws Error before `start` has resolved: the recording has not been read yet */
  controls(): ReplayControls;
  /**
   * Fields that are left out do not change. While paused, prices do not move but stay fresh, and the market stays open.
   * `atJump` decides how to continue at the jump that the run waits at, if it waits.
   * @throws RangeError for a speed outside 1 to `speedMax`, and as `controls`
   */
  set(change: ReplayChange): ReplayControls;
  readonly speedMax: number;
  /** Resolves when the present position is stored, where it is. */
  store(): Promise<void>;
}

interface ReplayChange {
  readonly paused?: boolean;
  readonly speed?: number;
  readonly atJump?: JumpDecision;
}

function toJumpView(jump: Jump | null): JumpView | null {
  if (!jump) return null;
  const { symbol, from, to } = jump;
  const at = new Date(jump.at).toISOString();
  const percent = Math.round((to / from - 1) * 100);
  const move = `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
  const text = `${symbol} moves ${move} at ${at.slice(11, 16)}: a split?`;
  return { symbol, price: to, last_price: from, at, text };
}

/** Another one for other days or symbols, and for another beginning of the same ones. */
function identityOf(recordings: readonly Recording[], begin: number): string {
  const played = recordings.map(
    ({ symbol, candles }) =>
      `${symbol} ${candles[0]?.openTime} ${candles.at(-1)?.openTime} ${candles.length}`,
  );
  return createHash('sha256')
    .update([begin, ...played.sort()].join('\n'))
    .digest('hex');
}

export function createReplayFeed(options: ReplayFeedOptions): ReplayFeed {
  const {
    folder,
    loop,
    onJump,
    historyMinutes,
    pairs,
    timers,
    log,
    pendingSettlement = () => null,
    speedMax = speedMaxAlone,
    storedPosition,
  } = options;
  const pace = createPace();
  let run: ReplayRun | null = null;
  let recording = '';
  let stopBeat: (() => void) | null = null;
  let stopStoring = (): void => {};
  let storing: Promise<void> = Promise.resolve();
  let waitingStores = 0;
  /** Plays up to this moment. */
  let runBeat = (): void => {};
  let speed = options.speed;
  let paused = false;
  let advancedAt = 0;
  /** Where the clock should be, in played ms; behind it by more than a beat is what the run is late. */
  let targetPosition = 0;
  let knownJump: Jump | null = null;
  let isPlaying = false;
  let playing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const isStandingStill = (at: ReplayRun): boolean => paused || at.jump() !== null;

  /** Settles the time up to now at the speed that has held until now. */
  function advanceTarget(at: ReplayRun): void {
    const now = timers.now();
    const elapsedMs = Math.min(Math.max(now - advancedAt, 0), heldUpMsMax);
    advancedAt = now;
    if (isStandingStill(at)) return;
    if (loop && !isPlaying && elapsedMs > 0 && at.position() >= at.end) startOver(at);
    targetPosition = Math.min(
      targetPosition + elapsedMs * speed,
      at.position() + heldUpMsMax * speed,
      at.end,
    );
  }

  function startOver(at: ReplayRun): void {
    at.restart();
    targetPosition = at.position();
    pace.reset();
  }

  /** Is over when it returns, unless something had to be settled on the way. */
  async function play(at: ReplayRun, emit: (tick: FeedTick) => void): Promise<void> {
    isPlaying = true;
    try {
      let sliceStartedAt = timers.now();
      while (!isStopped) {
        const ticks = at.step(instantAt(targetPosition));
        if (!ticks) break;
        for (const tick of ticks) emit(tick);
        const waiting = pendingSettlement();
        if (waiting) {
          await waiting;
          // What could not be acted upon meanwhile (the database was away) finds the same price again.
          for (const tick of ticks) emit(tick);
          await pendingSettlement();
        }
        if (timers.now() - sliceStartedAt > sliceMs) {
          await new Promise(setImmediate);
          sliceStartedAt = timers.now();
        }
      }
      if (isStopped) return;
      announceJump(at);
      for (const tick of at.present()) emit(tick);
    } finally {
      isPlaying = false;
    }
  }

  function announceJump(at: ReplayRun): void {
    const jump = at.jump();
    if (!jump || jump === knownJump) return;
    knownJump = jump;
    targetPosition = at.position();
    log.warn({ symbol: jump.symbol }, `the recording waits for set_replay: ${toJumpView(jump)?.text}`);
  }

  function beat(at: ReplayRun, emit: (tick: FeedTick) => void): void {
    advanceTarget(at);
    pace.record(advancedAt, isPlaying ? at.position() : targetPosition);
    if (isPlaying) {
      // A run that is late still refreshes its prices.
      for (const tick of at.present()) emit(tick);
      return;
    }
    playing = play(at, emit).catch((error: unknown) => {
      log.error({ err: error }, 'the recording could not be played on');
    });
  }

  async function write(): Promise<void> {
    if (!(run && storedPosition)) return;
    await storedPosition.write({
      ...{ recording, position: run.position() },
      ...{ speed, configuredSpeed: options.speed, paused, decisions: run.decided() },
    });
  }
  /** One after the other: a late write of an earlier position would set it back. */
  function store(): Promise<void> {
    waitingStores += 1;
    storing = storing
      .catch(() => undefined)
      .then(write)
      .finally(() => {
        waitingStores -= 1;
      });
    return storing;
  }

  const storeOrLog = (): Promise<void> =>
    store().catch((error: unknown) =>
      log.debug({ err: error }, 'the position of the recording was not stored'),
    );

  /**
   * False where another recording was played, or none, or this one to its end a while ago: a cluster that starts again plays it
   * again, while the death of a leader alone opens no market that has ended.
   */
  async function goOn(at: ReplayRun): Promise<boolean> {
    const stored = (await storedPosition?.read()) ?? null;
    if (stored === null || stored.recording !== recording) return false;
    if (!loop && stored.position >= at.end && !stored.isRecent) return false;
    at.goOn(stored.position, stored.decisions);
    paused = stored.paused;
    if (stored.configuredSpeed === options.speed) speed = Math.min(stored.speed, speedMax);
    return true;
  }

  function controls(): ReplayControls {
    if (!run) throw new Error('the replay has not started');
    return {
      paused,
      speed,
      actual_speed: isStandingStill(run) || (!loop && run.position() >= run.end) ? 0 : pace.speed(speed),
      loop,
      position_s: run.position() / 1_000,
      begin_s: run.begin / 1_000,
      end_s: run.end / 1_000,
      jump: toJumpView(run.jump()),
    };
  }

  return {
    sourceOf: (symbol) => (run?.has(symbol) ? 'replay' : null),
    async start(emit) {
      const recordings = await readRecordings(folder, pairs, log);
      const whole = createReplayRun(recordings, { loop, onJump });
      const longest = Math.floor(((whole.end - whole.begin) * historyShareMax) / minuteMs);
      const historyMs = Math.min(historyMinutes, longest) * minuteMs;
      const running = historyMs > 0 ? createReplayRun(recordings, { loop, onJump, historyMs }) : whole;
      run = running;
      recording = identityOf(recordings, running.begin);
      logStart(log, recordings, running, historyMs);
      advancedAt = timers.now();
      const firstInstant = 1;
      const first = (await goOn(running)) ? running.present() : running.advance(firstInstant);
      for (const tick of first) emit(tick);
      targetPosition = running.position();
      runBeat = () => beat(running, emit);
      stopBeat = timers.every(beatMs, runBeat);
      if (!storedPosition) return;
      stopStoring = timers.every(storeEveryMs, () => {
        if (waitingStores > 0) return;
        void storeOrLog();
      });
    },
    async stop() {
      const hasStarted = stopBeat !== null;
      stopBeat?.();
      stopBeat = null;
      stopStoring();
      runBeat = () => {};
      if (isStopped) return;
      isStopped = true;
      await playing;
      // The next leader plays nothing again.
      if (hasStarted) await storeOrLog();
    },
    async candles(symbol, timeframe, query) {
      return run?.candles(symbol, timeframe, query) ?? [];
    },
    controls,
    speedMax,
    store,
    set(change) {
      const requested = change.speed ?? speed;
      if (!(requested >= 1 && requested <= speedMax))
        throw new RangeError(`a speed of ${requested} is not possible`);
      runBeat();
      speed = requested;
      paused = change.paused ?? paused;
      if (run && change.atJump) run.decide(change.atJump);
      // Who is late when it stops is not to catch up.
      if (run && paused && isPlaying) targetPosition = run.position();
      pace.reset();
      return controls();
    },
  };
}
