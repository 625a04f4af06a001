/**
 * The engine's part in challenges: it judges their accounts with the prices, ends their days and steps in time, and has their peaks stored.
 * Judgements join the engine's queue, where the domain decides them.
 */
import type { MarketView } from '@fulcrum/domain';
import type { EquityBook } from '../triggers/equity-book.ts';
import type { Judgement } from '../triggers/judgements.ts';
import type { DeciderDependencies } from './batch-decision.ts';
import type { Draft } from './draft.ts';
import type { Store } from './store.ts';

/** States that are written at a time. */
const statesAtOnce = 2_000;
/** A notice of a new account may be lost, with the process that opened it. */
const armedCheckMs = 60_000;

export interface ChallengesDependencies extends Pick<DeciderDependencies, 'clock' | 'log' | 'marketAt'> {
  readonly equity: EquityBook;
  readonly store: Store;
  readonly isTrading: () => boolean;
  /** At most one judgement of an account waits. */
  readonly enqueue: (judgements: readonly Judgement[]) => void;
  /** Runs `work` while nothing is decided or written. */
  readonly betweenBatches: <T>(work: () => Promise<T>) => Promise<T>;
  readonly servedSlots: () => readonly number[];
  readonly reload: (accountIds: readonly string[]) => void;
}

export class Challenges {
  readonly #deps: ChallengesDependencies;
  #isStoring: boolean = false;
  #armedCheckedAt: number;

  constructor(deps: ChallengesDependencies) {
    this.#deps = deps;
    this.#armedCheckedAt = deps.clock.now();
  }

  /** After the crossings of the tick: a stop that it reached is decided first. */
  tick(symbol: string, market: MarketView, now: number): void {
    const { equity, enqueue, isTrading } = this.#deps;
    if (equity.size === 0 || !isTrading()) return;
    enqueue(equity.passDay(now, market.quote));
    const quote = market.quote(symbol);
    if (!quote || quote.stale || !quote.marketOpen) return;
    enqueue(equity.tick(symbol, quote.price, now, market.quote));
  }

  /** A decision of the first instant of a day belongs to that day. */
  passDay(): void {
    const { equity, enqueue, isTrading, clock, marketAt } = this.#deps;
    if (equity.size === 0 || !isTrading()) return;
    const now = clock.now();
    enqueue(equity.passDay(now, marketAt(now).quote));
  }

  /** Accounts that a decision changed. */
  recheck(drafts: readonly Draft[], market: MarketView, at: number): void {
    const { equity, enqueue } = this.#deps;
    enqueue(drafts.flatMap(({ wallet }) => equity.check(wallet.accountId, at, market.quote) ?? []));
  }

  /** About once a second. */
  sweep(market: MarketView, now: number): void {
    this.#deps.enqueue(this.#deps.equity.pass(now, market.quote));
    this.#store(now);
    this.#checkArmed(now);
  }

  /** Peaks and days of challenges that the next engine of these accounts goes on with. */
  async handOver(isConcerned: (accountId: string) => boolean): Promise<void> {
    const { equity, store, clock } = this.#deps;
    const states = equity.ahead(isConcerned);
    if (states.length === 0) return;
    await store.writeChallenges(states, clock.now());
    equity.stored(states);
  }

  /** Where days began, and peaks, are written between two batches. What could not be written follows a second later. */
  #store(now: number): void {
    const { equity, store, log, betweenBatches } = this.#deps;
    if (this.#isStoring || equity.size === 0) return;
    const states = equity.unstored(now, statesAtOnce);
    if (states.length === 0) return;
    this.#isStoring = true;
    betweenBatches(async () => {
      await store.ready();
      await store.writeChallenges(states, now);
      equity.stored(states);
    })
      .catch((error: unknown) => log.warn({ err: error }, 'states of challenges were not written'))
      .finally(() => {
        this.#isStoring = false;
      });
  }

  /** An account in a challenge that is not followed is read, so that its time limit is judged whether it trades or not. */
  #checkArmed(now: number): void {
    if (now - this.#armedCheckedAt < armedCheckMs) return;
    this.#armedCheckedAt = now;
    const { equity, store, log, servedSlots, reload } = this.#deps;
    store.readChallengeIds([...servedSlots()]).then(
      (ids) => reload(ids.filter((id) => !equity.has(id))),
      (error: unknown) => log.warn({ err: error }, 'accounts in challenges could not be checked'),
    );
  }
}
