/**
 * The engine's view of a database in memory, one per engine. It fails on demand before and after it has written, and
 * has the fence of PostgreSQL.
 *
 * Known limitation: the isolation of two sessions is not modelled, because an engine writes one batch at a time.
 */
import {
  type AccountTerms,
  type ChallengeState,
  isWaiting,
  minuteMs,
  type Order,
  type OwnStanding,
  type Position,
  utcDayStart,
  type Wallet,
} from '@fulcrum/domain';
import { slotOf } from '../../src/features/trading/engine/slots.ts';
import {
  type AccountTrade,
  type Batch,
  CommitRefused,
  CommitUnknown,
  EpochExpired,
  type RowReference,
  type Store,
  type StoredAccount,
  type StoredAnswer,
  StoreUnreachable,
  type WaitingPage,
} from '../../src/features/trading/engine/store.ts';
import type { Clock } from '../../src/platform/clock/index.ts';
import type { Faults } from './faults.ts';
import { answerKey, type MemoryDatabase } from './memory-database.ts';
import { ownDayOf } from './own-day.ts';

/** Rows of one page, few enough that a scenario needs several. */
const pageSize = 3;

export class MemoryStore implements Store {
  readonly #database: MemoryDatabase;
  readonly #weather: Faults;
  readonly #terms: AccountTerms;
  readonly #clock: Pick<Clock, 'now'>;
  #epoch = 0;
  #isDead: boolean = false;

  constructor(
    database: MemoryDatabase,
    weather: Faults,
    { terms, clock }: { readonly terms: AccountTerms; readonly clock: Pick<Clock, 'now'> },
  ) {
    this.#database = database;
    this.#weather = weather;
    this.#terms = terms;
    this.#clock = clock;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The process is dead: nothing more is written, and the record can still tell what was written. */
  die(): void {
    this.#isDead = true;
  }

  async start(): Promise<void> {
    this.#epoch = this.#database.begin();
  }

  async stop(): Promise<void> {}

  async take(slots: readonly number[]): Promise<void> {
    this.#write(() => this.#database.take(this.#epoch, slots));
  }

  async give(slots: readonly number[]): Promise<void> {
    this.#write(() => this.#database.give(this.#epoch, slots));
  }

  async ready(): Promise<void> {
    this.#weather.passReady();
    this.#database.requireLiving(this.#epoch);
  }

  async commit(batch: Batch): Promise<void> {
    await this.#weather.passHold();
    this.#write(() => this.#database.write(this.#epoch, batch));
  }

  /** What changes the database meets the next fault. */
  #write(change: () => void): void {
    if (this.#isDead) throw new EpochExpired('the process is gone');
    try {
      this.#attempt(change);
    } catch (error) {
      this.#weather.fail();
      throw error;
    }
  }

  #attempt(change: () => void): void {
    switch (this.#weather.takeFault()) {
      case 'refused':
        throw new CommitRefused('refused on demand');
      case 'unreachable':
        throw new StoreUnreachable('unreachable on demand');
      case 'lost before':
        throw new CommitUnknown('lost before it was written');
      case 'lost after':
        change();
        throw new CommitUnknown('lost after it was written');
      case undefined:
        change();
    }
  }

  async isWritten(batchId: string): Promise<boolean> {
    this.#weather.passRead();
    return this.#database.has(batchId);
  }

  async readAccounts(
    accountIds: readonly string[],
    now = this.#clock.now(),
  ): Promise<readonly StoredAccount[]> {
    this.#weather.passRead();
    return this.#accountsOf(accountIds, now);
  }

  #accountsOf(accountIds: readonly string[], now: number): StoredAccount[] {
    const { accounts, users, wallets, positions, orders } = this.#database;
    return [...new Set(accountIds)].flatMap((accountId) => {
      const account = accounts.get(accountId);
      const user = account && users.get(account.ownerId);
      if (!user) return [];
      const wallet = wallets.get(accountId) ?? emptyWallet(accountId);
      wallets.set(accountId, wallet);
      const terms = account.terms ? this.#termsOf(accountId, account.terms) : this.#terms;
      const isNet = terms.rules === 'perpetual';
      return [
        {
          wallet,
          ownerId: user.id,
          isArchived: account.isArchived,
          terms,
          restricted: user.restricted,
          own: this.#ownOf(accountId, now),
          positions: [...positions.values()].filter(
            (row) => row.accountId === accountId && row.closing === null,
          ),
          orders: [...orders.values()].filter((row) => row.accountId === accountId && isWaiting(row.status)),
          leverages: (isNet && this.#database.leverages.get(accountId)) || new Map(),
          trades: isNet ? this.#recentTrades(accountId) : [],
        },
      ];
    });
  }

  #ownOf(accountId: string, now: number): OwnStanding | null {
    const stored = this.#database.ownLimits.get(accountId);
    return stored ? { ...stored, day: ownDayOf(this.#database, accountId, now) } : null;
  }

  /** With the state of its challenge as it was last stored. */
  #termsOf(accountId: string, terms: AccountTerms): AccountTerms {
    const { limits } = terms;
    if (!limits?.challenge) return terms;
    const { challenge } = limits;
    const opened = [...this.#database.positions.values()].filter(
      (row) => row.accountId === accountId && row.splitFrom === null,
    );
    const tradedOn = [...new Set(opened.map(({ createdAt }) => utcDayStart(createdAt)))];
    const state = this.#database.challengeStates.get(accountId) ?? challenge.state;
    return { ...terms, limits: { ...limits, challenge: { ...challenge, state, tradedOn } } };
  }

  /** As the query has it: those of the last two minutes. */
  #recentTrades(accountId: string): AccountTrade[] {
    const since = this.#clock.now() - 2 * minuteMs;
    return this.#database.executions
      .filter((row) => row.accountId === accountId && row.at > since)
      .map(({ symbol, side, size, liquidity, at }) => ({
        ...{ symbol, side, size, at },
        isMaker: liquidity === 'maker',
      }));
  }

  async readAccountIds(ownerId: string): Promise<readonly string[]> {
    this.#weather.passRead();
    return this.#database.accountIdsOf(ownerId);
  }

  async readPositions(named: readonly RowReference[]): Promise<readonly Position[]> {
    this.#weather.passRead();
    return found(this.#database.positions, named);
  }

  async readOrders(named: readonly RowReference[]): Promise<readonly Order[]> {
    this.#weather.passRead();
    return found(this.#database.orders, named);
  }

  async readAnswers(
    named: readonly { readonly ownerId: string; readonly clientId: string }[],
  ): Promise<
    readonly { readonly ownerId: string; readonly clientId: string; readonly stored: StoredAnswer }[]
  > {
    this.#weather.passRead();
    return named.flatMap(({ ownerId, clientId }) => {
      const stored = this.#database.answers.get(answerKey(ownerId, clientId));
      return stored ? [{ ownerId, clientId, stored }] : [];
    });
  }

  async writeChallenges(
    states: readonly { readonly accountId: string; readonly state: ChallengeState }[],
  ): Promise<void> {
    this.#write(() => {
      this.#database.requireLiving(this.#epoch);
      for (const { accountId, state } of states) {
        if (this.#database.ownerOf(accountId) !== this.#epoch) continue;
        if (this.#isInChallenge(accountId)) this.#database.challengeStates.set(accountId, state);
      }
    });
  }

  #isInChallenge(accountId: string): boolean {
    const account = this.#database.accounts.get(accountId);
    return account?.terms?.limits?.setBy === 'challenge' && !account.isArchived;
  }

  async readChallengeIds(slots: readonly number[]): Promise<readonly string[]> {
    this.#weather.passRead();
    return this.#challengeIds(slots);
  }

  #challengeIds(slots: readonly number[]): string[] {
    return [...this.#database.accounts.keys()].filter(
      (accountId) => slots.includes(slotOf(accountId)) && this.#isInChallenge(accountId),
    );
  }

  async readWaiting(slots: readonly number[], from: string | null): Promise<WaitingPage> {
    this.#weather.passRead();
    const { positions, orders } = this.#database;
    const waiting = [
      ...[...positions.values()].filter(({ closing }) => closing === null),
      ...[...orders.values()].filter(({ status }) => isWaiting(status)),
    ]
      .filter(({ id, accountId }) => slots.includes(slotOf(accountId)) && (from === null || id >= from))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const page = new Set(waiting.slice(0, pageSize).map(({ id }) => id));
    return {
      positions: [...positions.values()].filter(({ id }) => page.has(id)),
      orders: [...orders.values()].filter(({ id }) => page.has(id)),
      apart: new Set(
        waiting.map(({ accountId }) => accountId).filter((accountId) => !this.#database.isMain(accountId)),
      ),
      ...(waiting.length <= pageSize && {
        challenges: this.#accountsOf(this.#challengeIds(slots), this.#clock.now()),
      }),
      next: waiting[pageSize]?.id ?? null,
    };
  }
}

function found<Row extends { readonly id: string; readonly accountId: string }>(
  table: ReadonlyMap<string, Row>,
  named: readonly RowReference[],
): Row[] {
  const ids = new Set<string>();
  return named.flatMap(({ id, accountId }) => {
    const row = table.get(id);
    if (row?.accountId !== accountId || ids.has(id)) return [];
    ids.add(id);
    return [row];
  });
}

const emptyWallet = (accountId: string): Wallet => ({
  id: `wallet-of-${accountId}`,
  accountId,
  available: 0n as Wallet['available'],
  margin: 0n as Wallet['margin'],
  orderMargin: 0n as Wallet['orderMargin'],
  version: 0,
});
