/**
 * Analytics of an account (docs/dashboard.md): read from closed positions, ledger and equity snapshots, computed by the
 * domain. Only the caller's own account; impersonating staff read the trader's.
 *
 * Invariant: however many trades an account has, a response holds one page of them at a time, and the event loop, which
 * also runs the engine, continues after each page. A fair queue by user computes a few responses at a time; equal
 * requests that wait share one.
 */
import type { ArgsOf, EquityOverview, Performance, SignedIn } from '@fulcrum/contract';
import { dayMs, EquityCurve, NO_MONEY, TradeTally, toNumber, type Zone } from '@fulcrum/domain';
import type { Timers } from '../../platform/clock/index.ts';
import type { Queryable, Reader } from '../../platform/database/index.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { requireZone } from '../../platform/request/time-zone.ts';
import type { Market } from '../market/index.ts';
import { marksOf, readEquity } from '../trading/index.ts';
import {
  inHistorySnapshot,
  type Range,
  readCosts,
  readEquityAtHour,
  readEquityBefore,
  readEvents,
  readFirstEvent,
  readPaidSince,
  readSnapshotCutoff,
  readTrades,
} from './history.ts';
import { costsOf, curveOf, equityOf, isoOf, tradesOf } from './wire.ts';

export { readDeepestFalls, readReturns } from './returns.ts';

interface AnalyticsDependencies {
  readonly reader: Reader;
  readonly market: Pick<Market, 'price'>;
  readonly timers: Pick<Timers, 'now'>;
}

const overviewDays = 28;
const overviewPoints = 120;
const curvePoints = 400;
const limits = { runningMax: 2, waitingMax: 200, waitingOfOneMax: 4 };

const parseInstant = (iso: string | null | undefined): number | null =>
  iso === null || iso === undefined ? null : Date.parse(iso);

export function createAnalytics({ reader, market, timers }: AnalyticsDependencies) {
  const queue = createFairQueue(limits);
  /** Queued responses, by request. */
  const waiting = new Map<string, Promise<unknown>>();
  const marks = marksOf(market);

  function shared<Answer>(
    { userId, accountId }: SignedIn,
    question: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const key = `${accountId} ${question}`;
    // Sound: one key identifies one request, and each request has responses of one type.
    const known = waiting.get(key) as Promise<Answer> | undefined;
    if (known) return known;
    let hasStarted = false;
    const made = queue(userId, () => {
      // From here on the result misses new bookings, so a new request starts another computation.
      hasStarted = true;
      waiting.delete(key);
      return make();
    });
    // With a place free it begins before the queue returns.
    if (hasStarted) return made;
    waiting.set(key, made);
    // One that is turned away never begins.
    made.catch(() => hasStarted || waiting.delete(key));
    return made;
  }

  /**
   * The curve over a range, up to the present unless it ends before; null for an account without any history. `cut` when the range
   * has more snapshots than are looked at: it then begins later.
   */
  async function readCurve(
    tx: Queryable,
    accountId: string,
    { from: requested, to }: Range,
    limit: number,
  ): Promise<{ readonly curve: EquityCurve; readonly cut: boolean } | null> {
    const now = timers.now();
    const cut = await readSnapshotCutoff(tx, accountId, { from: requested, to });
    const from = cut ?? requested;
    const before = from === null ? null : await readEquityBefore(tx, accountId, from);
    const begin = before === null ? await readFirstEvent(tx, accountId) : from;
    // Of a time to come there is nothing to tell yet.
    if (begin === null || (from ?? now) > now || begin >= (to ?? Number.POSITIVE_INFINITY)) return null;
    const end = Math.max(begin, Math.min(to ?? now, now));
    const curve = new EquityCurve({ equity: before ?? NO_MONEY, from: begin, to: end, limit });
    if (before !== null) curve.observe({ at: begin, equity: before });
    const last = await readEvents(tx, accountId, { from, to }, curve);
    const isPresent = to === null || to > now;
    const present = isPresent ? await readEquity(tx, accountId, marks) : null;
    // A clock that was put back is behind the last snapshot.
    curve.observe({ at: Math.max(end, last ?? end), equity: present ?? curve.equity });
    return { curve, cut: cut !== null };
  }

  function makePerformance(accountId: string, range: Range, zone: Zone): Promise<Performance> {
    return inHistorySnapshot(reader, async (tx) => {
      const tally = new TradeTally(zone);
      const { truncated } = await readTrades(tx, accountId, range, (trade) => tally.add(trade));
      const { curve, cut } = (await readCurve(tx, accountId, range, curvePoints)) ?? {
        curve: null,
        cut: false,
      };
      return {
        from: range.from === null ? null : isoOf(range.from),
        to: range.to === null ? null : isoOf(range.to),
        time_zone: zone.name,
        ...tradesOf(tally.figures()),
        ...equityOf(curve?.points() ?? [], curve?.deepestFall() ?? null),
        costs: costsOf(await readCosts(tx, accountId, range)),
        truncated: truncated || cut,
      };
    });
  }

  function makeOverview(accountId: string): Promise<EquityOverview> {
    return inHistorySnapshot(reader, async (tx) => {
      const now = timers.now();
      const midnight = Math.floor(now / dayMs) * dayMs;
      const range = { from: now - overviewDays * dayMs, to: null };
      const equity = await readEquityAtHour(tx, accountId, midnight);
      const paid = await readPaidSince(tx, accountId, midnight);
      const read = await readCurve(tx, accountId, range, overviewPoints);
      return {
        day: { since: isoOf(midnight), equity: toNumber(equity ?? NO_MONEY), net_deposits: toNumber(paid) },
        curve: curveOf(read?.curve.points() ?? []),
      };
    });
  }

  return {
    procedures: {
      get_performance: async (caller: SignedIn, args: ArgsOf<'get_performance'>): Promise<Performance> => {
        const zone = requireZone(args.p_time_zone ?? 'UTC', 'get_performance');
        const range = { from: parseInstant(args.p_from), to: parseInstant(args.p_to) };
        return shared(caller, `performance ${range.from} ${range.to} ${zone.name}`, () =>
          makePerformance(caller.accountId, range, zone),
        );
      },
      get_equity_overview: async (caller: SignedIn): Promise<EquityOverview> =>
        shared(caller, 'overview', () => makeOverview(caller.accountId)),
    },
  };
}
