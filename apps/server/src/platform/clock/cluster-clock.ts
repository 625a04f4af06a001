/**
 * Cluster time: PostgreSQL's clock, which all processes of a cluster share. Each one measures how far it is off, every ten seconds, and
 * counts on from there by its monotonic clock, so a step of its own clock changes nothing. Invariants: whole milliseconds; the time
 * does not go back, unless PostgreSQL's clock is more than a second behind. No rule of safety rests on two clocks that agree.
 *
 * Known limitation: a measurement is off by at most half of its round trip; of three the quickest counts.
 */
import type { Queryable } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { Clock } from './index.ts';

export interface ClusterClockState {
  /** Milliseconds that PostgreSQL's clock is ahead of this machine's, below zero behind it; null before the first measurement. */
  readonly offsetMs: number | null;
  /** ISO 8601 UTC, in cluster time. */
  readonly measuredAt: string | null;
  /** False when this machine's clock is off by more than a second, or nothing was measured for a minute. */
  readonly ok: boolean;
}

export interface ClusterClock extends Clock {
  /**
   * Measures once, then every ten seconds; before it the time is this machine's.
   * @param readTime PostgreSQL's clock, milliseconds since the epoch
   * @throws what the first measurement throws
   */
  start(readTime: () => Promise<number>): Promise<void>;
  stop(): void;
  state(): ClusterClockState;
}

interface ClusterClockDependencies {
  readonly log: Log;
  /** This machine's clock, and one that never steps; for tests. */
  readonly system?: () => number;
  readonly monotonic?: () => number;
}

const measureEveryMs = 10_000;
const tries = 3;
const offsetMaxMs = 1_000;
const ageMaxMs = 60_000;

export function createClusterClock({
  log,
  system = Date.now,
  monotonic = () => performance.now(),
}: ClusterClockDependencies): ClusterClock {
  /** Cluster time less the monotonic clock; this machine's until it is measured. */
  let base = system() - monotonic();
  let measuredAt: number | null = null;
  let wasOff = false;
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  const now = (): number => {
    const time = Math.floor(base + monotonic());
    last = time > last || last - time > offsetMaxMs ? time : last;
    return last;
  };
  const offset = (): number => Math.round(base + monotonic() - system());
  const isOff = (): boolean => Math.abs(offset()) > offsetMaxMs;

  async function measure(readTime: () => Promise<number>): Promise<void> {
    let quickest = Number.POSITIVE_INFINITY;
    let found = base;
    for (let n = 0; n < tries; n += 1) {
      const sentAt = monotonic();
      const time = await readTime();
      const tookMs = monotonic() - sentAt;
      if (tookMs >= quickest) continue;
      quickest = tookMs;
      found = time - (sentAt + tookMs / 2);
    }
    base = found;
    measuredAt = now();
    if (isOff() !== wasOff) {
      wasOff = !wasOff;
      if (wasOff) log.warn({ offset_ms: offset() }, 'the clock of this machine is off; PostgreSQL’s counts');
      else log.info('the clock of this machine is right again');
    }
  }

  return {
    now,
    async start(readTime) {
      await measure(readTime);
      timer = setInterval(() => {
        measure(readTime).catch((error: unknown) =>
          log.debug({ err: error }, 'cluster time was not measured'),
        );
      }, measureEveryMs).unref();
    },
    stop: () => clearInterval(timer),
    state: () => ({
      offsetMs: measuredAt === null ? null : offset(),
      measuredAt: measuredAt === null ? null : new Date(measuredAt).toISOString(),
      ok: measuredAt !== null && now() - measuredAt < ageMaxMs && !isOff(),
    }),
  };
}

/** PostgreSQL's clock, milliseconds since the epoch. */
export async function readTime(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ time: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as time',
  );
  return rows[0]?.time ?? Number.NaN;
}
