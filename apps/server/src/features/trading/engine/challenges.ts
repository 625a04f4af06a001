/**
 * The engine's part in challenges: it judges their accounts with the prices, ends their days and steps in time, and has their peaks stored.
 * Judgements join the engine's queue, where the domain decides them.
 */
import type { MarketView } from '@fulcrum/domain';
import type { EquityBook } from '../triggers/equity-book.ts';
import type { Crossings } from './crossings.ts';
import type { EngineParts } from './dependencies.ts';
import type { Draft } from './draft.ts';
import type { Recovery } from './recovery.ts';

/** States that are written at a time. */
const statesAtOnce = 2_000;
/** A notice of a new account may be lost, with the process that opened it. */
const armedCheckMs = 60_000;

interface ChallengesDependencies
  extends Pick<EngineParts, 'clock' | 'lifecycle' | 'log' | 'marketAt' | 'store' | 'triggers'> {
  readonly crossings: Crossings;
  readonly recovery: Recovery;
  /** Runs `work` while nothing is decided or written. */
  readonly betweenBatches: <T>(work: () => Promise<T>) => Promise<T>;
}

export class Challenges {
  readonly #deps: ChallengesDependencies;
  readonly #equity: EquityBook;
  #isStoring: boolean = false;
  #armedCheckedAt: number;

  constructor(deps: ChallengesDependencies) {
    this.#deps = deps;
    this.#equity = deps.triggers.equity;
    this.#armedCheckedAt = deps.clock.now();
  }

  /** After the crossings of the tick: a stop that it reached is decided first. */
  tick(symbol: string, market: MarketView, now: number): void {
    if (!this.#isJudging()) return;
    const { crossings } = this.#deps;
    crossings.enqueueJudgements(this.#equity.passDay(now, market.quote));
    const quote = market.quote(symbol);
    if (!quote || quote.stale || !quote.marketOpen) return;
    crossings.enqueueJudgements(this.#equity.tick(symbol, quote.price, now, market.quote));
  }

  /** A decision of the first instant of a day belongs to that day. */
  passDay(): void {
    if (!this.#isJudging()) return;
    const { crossings, clock, marketAt } = this.#deps;
    const now = clock.now();
    crossings.enqueueJudgements(this.#equity.passDay(now, marketAt(now).quote));
  }

  /** Accounts that a decision changed. */
  recheck(drafts: readonly Draft[], market: MarketView, at: number): void {
    this.#deps.crossings.enqueueJudgements(
      drafts.flatMap(({ wallet }) => this.#equity.check(wallet.accountId, at, market.quote) ?? []),
    );
  }

  /** About once a second. */
  sweep(market: MarketView, now: number): void {
    this.#deps.crossings.enqueueJudgements(this.#equity.pass(now, market.quote));
    this.#store(now);
    this.#checkArmed(now);
  }

  /** Peaks and days of challenges that the next engine of these accounts goes on with. */
  async handOver(isConcerned: (accountId: string) => boolean): Promise<void> {
    const { store, clock } = this.#deps;
    const states = this.#equity.ahead(isConcerned);
    if (states.length === 0) return;
    await store.writeChallenges(states, clock.now());
    this.#equity.stored(states);
  }

  /** Where days began, and peaks, are written between two batches. What could not be written follows a second later. */
  #store(now: number): void {
    const { store, log, betweenBatches } = this.#deps;
    if (this.#isStoring || this.#equity.size === 0) return;
    const states = this.#equity.unstored(now, statesAtOnce);
    if (states.length === 0) return;
    this.#isStoring = true;
    betweenBatches(async () => {
      await store.ready();
      await store.writeChallenges(states, now);
      this.#equity.stored(states);
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
    const { lifecycle, store, log, recovery } = this.#deps;
    store.readChallengeIds([...lifecycle.slots]).then(
      (ids) => recovery.reload(ids.filter((id) => !this.#equity.has(id))),
      (error: unknown) => log.warn({ err: error }, 'accounts in challenges could not be checked'),
    );
  }

  #isJudging(): boolean {
    return this.#equity.size > 0 && this.#deps.lifecycle.isTrading();
  }
}
