/**
 * The coach (A115): reviews of closed trades by the rules of `packages/domain/src/coach`, without a model (docs/coach.md). Only the
 * caller's own account; impersonating staff read the trader's.
 *
 * Invariant: one review of a user is computed at a time, and reads the prices of a bounded number of trades, because bars of a
 * simulated market are computed by this process, which also runs the engine.
 */
import { AppError, type ArgsOf, positionNotFound, type SignedIn } from '@fulcrum/contract';
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
import { createFairQueue } from '../../platform/fair-queue.ts';
import { requireZone } from '../../platform/request/time-zone.ts';
import type { Market } from '../market/index.ts';
import { readPlaybookResults } from './playbooks.ts';
import { createTradePrices } from './prices.ts';
import { createRecaps, type RecapAccount, type RecapDependencies, type ReviewedWeek } from './recaps.ts';
import { readOwnRules, readTrade, readTradesBetween, type StoredTrade } from './trades.ts';
import { toPeriodReview, toTradeReview } from './wire.ts';

interface CoachDependencies extends RecapDependencies {
  readonly market: Pick<Market, 'candles'>;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const limits = { runningMax: 2, runningOfOneMax: 1, waitingMax: 200, waitingOfOneMax: 4 };
const periodDaysMax = 31;
/** Trades of one answer whose prices are read; the others are pending. */
const readsMax = 60;

export function createCoach(deps: CoachDependencies) {
  const { db, market, timers, log } = deps;
  const withSlot = createFairQueue(limits);
  const prices = createTradePrices({ db, market, log, now: () => timers.now() });

  /** The trader's own; neither who reads for them nor an API key sees any of it. */
  const ownRulesOf = ({ accountId, actorId, userId, apiKey }: SignedIn): Promise<OwnRules> =>
    actorId === userId && apiKey === undefined ? readOwnRules(db, accountId) : Promise.resolve(noOwnRules);

  async function reviewOne(caller: SignedIn, positionId: string) {
    const { accountId } = caller;
    const stored = await readTrade(db, accountId, positionId);
    if (!stored) throw positionNotFound();
    const { trade, lossBefore } = stored;
    const around = stored.prices ? { ...stored.prices, isFinal: true } : await prices.read(trade);
    const sheet = factsOf(trade, around, lossBefore);
    return toTradeReview(sheet, findingsOf(sheet, await ownRulesOf(caller)), around.isFinal);
  }

  async function reviewBetween(accountId: string, range: Range, own: OwnRules) {
    const { trades, truncated } = await readTradesBetween(db, accountId, range);
    let reads = 0;
    let pending = 0;
    let hasFailed = false;
    const reviewed: { readonly sheet: FactSheet; readonly stored: StoredTrade }[] = [];
    for (const stored of trades) {
      let around: PricesAround | undefined = stored.prices;
      if (around === undefined && reads < readsMax) {
        reads += 1;
        const read = await prices.read(stored.trade);
        hasFailed ||= read.hasFailed;
        around = read;
      }
      if (around === undefined) pending += 1;
      const sheet = factsOf(stored.trade, around ?? { during: null, after: null }, stored.lossBefore);
      reviewed.push({ sheet, stored });
    }
    const habits = habitsOf(
      reviewed.map(({ sheet }) => sheet),
      own,
    );
    return { reviewed, habits, pending, truncated, hasFailed };
  }

  async function reviewMany(caller: SignedIn, range: Range, zoneName: string) {
    const zone = requireZone(zoneName, 'review_period');
    const found = await reviewBetween(caller.accountId, range, await ownRulesOf(caller));
    const review = toPeriodReview({ range, zone, ...found });
    // Setups are tags of the journal, which no API key reads.
    return caller.apiKey === undefined ? review : { ...review, by_setup: [] };
  }

  /** Reads prices as long as each pass leaves fewer trades without them. */
  async function reviewWeek({ accountId, ownerId }: RecapAccount, range: Range): Promise<ReviewedWeek> {
    const own = await readOwnRules(db, accountId);
    const review = () => withSlot(ownerId, () => reviewBetween(accountId, range, own));
    for (let least = Number.POSITIVE_INFINITY; ; ) {
      const { reviewed, habits, pending, hasFailed } = await review();
      if (pending === 0 || pending >= least)
        return { sheets: reviewed.map(({ sheet }) => sheet), habits, hasFailed };
      least = pending;
    }
  }

  return {
    procedures: {
      /** @throws AppError position_not_found, busy */
      review_trade: (caller: SignedIn, args: ArgsOf<'review_trade'>) =>
        withSlot(caller.userId, () => reviewOne(caller, args.p_position_id)),
      /** @throws AppError invalid_argument, busy */
      review_period: (caller: SignedIn, args: ArgsOf<'review_period'>) => {
        const range: Range = { from: Date.parse(args.p_from), to: Date.parse(args.p_to) };
        requirePeriod(range);
        return withSlot(caller.userId, () => reviewMany(caller, range, args.p_time_zone ?? 'UTC'));
      },
      /** @throws AppError busy */
      get_playbook_results: (caller: SignedIn) =>
        withSlot(caller.userId, () => readPlaybookResults(db, caller.accountId)),
    },
    recaps: createRecaps(deps, reviewWeek),
  };
}

function requirePeriod({ from, to }: Range): void {
  if (to > from && to - from <= periodDaysMax * dayMs) return;
  throw new AppError('invalid_argument', `p_to is after p_from, by at most ${periodDaysMax} days.`);
}
