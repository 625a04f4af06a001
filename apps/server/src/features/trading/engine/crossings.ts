/**
 * What the engine gives itself to do joins its queue here: crossed and due triggers, trades that arrive, trailing stops that follow, costs.
 * Invariant: nothing joins while the engine does not trade. The callers of `enqueueJudgements`, `writeFollowed` and `checkCosts`
 * check that; the other methods do so themselves. All but `showGap` check that the engine owns the account: of a slot that leaves
 * while its page is read, `Engine.give` first finishes what `showGap` queues.
 */
import { asPrice, type MarketView } from '@fulcrum/domain';
import type { Judgement } from '../triggers/judgements.ts';
import type { Trigger } from '../triggers/trigger-index.ts';
import type { EngineParts } from './dependencies.ts';
import { crossedInGap, type Waiting } from './gap.ts';
import type { QueueItem } from './queue.ts';
import { SlotMoved } from './router-errors.ts';

/** A trailing stop is followed to its best price, whatever the tick. */
const toCrossing = (trigger: Trigger, tick: bigint, crossedAt: number): QueueItem => ({
  trigger,
  price: asPrice(trigger.kind === 'follow' ? trigger.price : tick),
  crossedAt,
});

export type CrossingsDependencies = Pick<
  EngineParts,
  | 'clock'
  | 'commandLog'
  | 'inTransit'
  | 'lifecycle'
  | 'limits'
  | 'marketAt'
  | 'queue'
  | 'recentTicks'
  | 'start'
  | 'triggers'
>;

export class Crossings {
  readonly #deps: CrossingsDependencies;

  constructor(deps: CrossingsDependencies) {
    this.#deps = deps;
  }

  checkDue(): void {
    const { clock, inTransit, lifecycle, queue, start, triggers } = this.#deps;
    if (!lifecycle.isTrading()) return;
    const now = clock.now();
    const due = triggers.takeDue(now, this.#capacity);
    for (const trigger of due) if (lifecycle.owns(trigger.accountId)) queue.push({ trigger });
    const arrived = inTransit.takeArrived(now);
    for (const { request } of arrived) {
      if (lifecycle.owns(request.origin.accountId)) queue.push(request);
      else request.reject(new SlotMoved());
    }
    if (due.length + arrived.length > 0) start();
  }

  /** Further crossings that may be queued. */
  get #capacity(): number {
    return this.#deps.limits.queuedCrossings - this.#deps.queue.crossings;
  }

  /** The best prices of trailing stops are written with the next batch. */
  writeFollowed(now: number): void {
    const { lifecycle, queue, start, triggers } = this.#deps;
    const followed = triggers.followed().slice(0, Math.max(0, this.#capacity));
    for (const trigger of followed) {
      if (lifecycle.owns(trigger.accountId)) queue.push(toCrossing(trigger, trigger.price, now));
    }
    if (followed.length > 0) start();
  }

  /** Only a tradable price crosses: fresh, in an open market (A37, A98). */
  check(symbol: string, market: MarketView, now: number): void {
    const { commandLog, lifecycle, queue, start, triggers } = this.#deps;
    if (!lifecycle.isTrading()) return;
    const quote = market.quote(symbol);
    if (!quote || quote.stale || !quote.marketOpen) return;
    const { price } = quote;
    // Without room the next tick or sweep finds it, at the price of that time.
    const capacity = this.#capacity;
    if (capacity <= 0 || !triggers.isCrossed(symbol, price)) return;
    for (const trigger of triggers.take(symbol, price, capacity)) {
      // Of a slot that is given back, the next owner arms it.
      if (lifecycle.owns(trigger.accountId)) queue.push(toCrossing(trigger, price, now));
    }
    commandLog?.({ kind: 'tick', symbol, price, at: now });
    start();
  }

  /** At most one of an account waits. */
  enqueueJudgements(judgements: readonly Judgement[]): void {
    const { lifecycle, queue, start } = this.#deps;
    const owned = judgements.filter(({ trigger }) => lifecycle.owns(trigger.accountId));
    for (const judgement of owned) queue.push(judgement);
    if (owned.length > 0) start();
  }

  /** What was crossed while the slot had no engine joins the queue at that price; without room the present price decides. */
  showGap(waiting: Waiting): void {
    const { recentTicks, clock, marketAt, commandLog, lifecycle, queue, start } = this.#deps;
    if (!recentTicks || !lifecycle.isTrading()) return;
    const now = clock.now();
    const market = marketAt(now);
    const typeOf = (symbol: string) => market.pair(symbol)?.type;
    const { crossings, followed } = crossedInGap(waiting, recentTicks.at(now), typeOf);
    for (const { trigger, price, at } of crossings.slice(0, Math.max(0, this.#capacity))) {
      commandLog?.({ kind: 'tick', symbol: trigger.symbol, price, at });
      queue.push(toCrossing(trigger, price, at));
    }
    for (const trigger of followed.slice(0, Math.max(0, this.#capacity)))
      queue.push(toCrossing(trigger, trigger.price, now));
    if (crossings.length + followed.length > 0) start();
  }

  /** A price that is held or missing is none to book at: what is due then waits for it (A110). */
  checkCosts(market: MarketView, now: number): void {
    const { lifecycle, queue, start, triggers } = this.#deps;
    const capacity = this.#capacity;
    if (capacity <= 0) return;
    const hasPrice = (symbol: string): boolean => market.quote(symbol)?.held === false;
    const due = triggers.costs.take(now, hasPrice, capacity);
    for (const trigger of due) if (lifecycle.owns(trigger.accountId)) queue.push({ trigger });
    if (due.length > 0) start();
  }
}
