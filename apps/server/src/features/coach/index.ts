/**
 * The coach (A115): reviews of closed trades by the rules of `packages/domain/src/coach`, without a model (docs/coach.md). Only the
 * caller's own account; impersonating staff read the trader's.
 *
 * Invariant: one review of a user is computed at a time, and reads the prices of a bounded number of trades, because bars of a
 * simulated market are computed by this process, which also runs the engine.
 */
import {
  AppError,
  positionNotFound,
  type reviewPeriod,
  type reviewTrade,
  type SignedIn,
} from '@fulcrum/contract';
import {
  dayMs,
  type FactSheet,
  factsOf,
  findingsOf,
  habitsOf,
  noOwnRules,
  type OwnRules,
  type PricesAround,
} from '@fulcrum/domain';
import type { z } from 'zod';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import { requireZone } from '../../platform/request/time-zone.ts';
import type { Market } from '../market/index.ts';
import { createTradePrices } from './prices.ts';
import { readOwnRules, readTrade, readTradesBetween, type StoredTrade } from './trades.ts';
import { toPeriodReview, toTradeReview } from './wire.ts';

export interface CoachDependencies {
  readonly db: Database;
  readonly market: Pick<Market, 'candles'>;
  readonly timers: Pick<Timers, 'now'>;
  readonly log: Log;
}

const limits = { runningMax: 2, runningOfOneMax: 1, waitingMax: 200, waitingOfOneMax: 4 };
const periodDaysMax = 31;
/** Trades of one answer whose prices are read; the others are pending. */
const readsMax = 60;

export function createCoach({ db, market, timers, log }: CoachDependencies) {
  const withSlot = createFairQueue(limits);
  const prices = createTradePrices({ db, market, log, now: () => timers.now() });

  /** The trader's own; who reads for them sees none of it. */
  const ownRulesOf = ({ accountId, actorId, userId }: SignedIn): Promise<OwnRules> =>
    actorId === userId ? readOwnRules(db, accountId) : Promise.resolve(noOwnRules);

  async function reviewOne(caller: SignedIn, positionId: string) {
    const { accountId } = caller;
    const stored = await readTrade(db, accountId, positionId);
    if (!stored) throw positionNotFound();
    const { trade, lossBefore } = stored;
    const around = stored.prices ? { ...stored.prices, isFinal: true } : await prices.read(trade);
    const sheet = factsOf(trade, around, lossBefore);
    return toTradeReview(sheet, findingsOf(sheet, await ownRulesOf(caller)), around.isFinal);
  }

  async function reviewMany(caller: SignedIn, range: { from: number; to: number }, zoneName: string) {
    const { accountId } = caller;
    const zone = requireZone(zoneName, 'review_period');
    const { trades, truncated } = await readTradesBetween(db, accountId, range);
    let reads = 0;
    let pending = 0;
    const reviewed: { readonly sheet: FactSheet; readonly stored: StoredTrade }[] = [];
    for (const stored of trades) {
      let around: PricesAround | undefined = stored.prices;
      if (around === undefined && reads < readsMax) {
        reads += 1;
        around = await prices.read(stored.trade);
      }
      if (around === undefined) pending += 1;
      const sheet = factsOf(stored.trade, around ?? { during: null, after: null }, stored.lossBefore);
      reviewed.push({ sheet, stored });
    }
    const habits = habitsOf(
      reviewed.map(({ sheet }) => sheet),
      await ownRulesOf(caller),
    );
    return toPeriodReview({ range, zone, reviewed, habits, pending, truncated });
  }

  return {
    procedures: {
      /** @throws AppError position_not_found, busy */
      review_trade: (caller: SignedIn, args: z.output<typeof reviewTrade.args>) =>
        withSlot(caller.userId, () => reviewOne(caller, args.p_position_id)),
      /** @throws AppError invalid_argument, busy */
      review_period: (caller: SignedIn, args: z.output<typeof reviewPeriod.args>) => {
        const range = { from: Date.parse(args.p_from), to: Date.parse(args.p_to) };
        requirePeriod(range);
        return withSlot(caller.userId, () => reviewMany(caller, range, args.p_time_zone ?? 'UTC'));
      },
    },
  };
}

function requirePeriod({ from, to }: { readonly from: number; readonly to: number }): void {
  if (to > from && to - from <= periodDaysMax * dayMs) return;
  throw new AppError('invalid_argument', `p_to is after p_from, by at most ${periodDaysMax} days.`);
}
