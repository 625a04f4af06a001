/** Accounts that memory does not hold as they are stored, after a failure or a write past this engine, are read again between two batches. */
import { toRowChange } from '../wire.ts';
import { walletColumns } from './columns/wallet.ts';
import type { EngineParts } from './dependencies.ts';
import type { Failures } from './failures.ts';
import { type StoredAccount, StoreUnreachable } from './store.ts';

/** Accounts that one recovery reads. */
const recoveryBatchMax = 1_000;

export interface RecoveryDependencies
  extends Pick<
    EngineParts,
    'accounts' | 'bus' | 'clock' | 'decider' | 'lifecycle' | 'log' | 'queue' | 'start' | 'store' | 'triggers'
  > {
  readonly failures: Failures;
}

export class Recovery {
  readonly #deps: RecoveryDependencies;
  /** Accounts that were written past this engine, to be read again between two batches. */
  readonly #writtenOutside = new Set<string>();
  #mayCacheBeStale: boolean = false;
  #isDue: boolean = false;

  constructor(deps: RecoveryDependencies) {
    this.#deps = deps;
  }

  /** Whether the next iteration reads stale accounts again. */
  get isDue(): boolean {
    return this.#isDue;
  }

  reload(accountIds: Iterable<string>): void {
    for (const accountId of accountIds) {
      if (!this.#deps.lifecycle.owns(accountId)) continue;
      this.#writtenOutside.add(accountId);
      this.#deps.triggers.markStale(accountId);
    }
    this.request();
  }

  /** Stale accounts are read before the next batch. */
  request(): void {
    const { lifecycle, start, triggers } = this.#deps;
    if (!lifecycle.isTrading() || triggers.staleAccounts.size === 0) return;
    this.#isDue = true;
    start();
  }

  forgetCached(): void {
    this.#mayCacheBeStale = true;
    this.#isDue = true;
    if (this.#deps.lifecycle.isTrading()) this.#deps.start();
  }

  /**
   * Reads a limited number of stale accounts again, which arms them; the others follow after the next batch. An
   * account that cannot be read stays stale until the next sweep.
   */
  async run(): Promise<void> {
    const { accounts, decider, failures, lifecycle, log, queue, store, triggers } = this.#deps;
    this.#isDue = false;
    // Between two batches nothing holds a draft of them.
    if (this.#mayCacheBeStale) accounts.forgetAll();
    else accounts.forget(this.#writtenOutside);
    this.#mayCacheBeStale = false;
    this.#writtenOutside.clear();
    const accountIds = new Set([...triggers.staleAccounts].slice(0, recoveryBatchMax));
    // One in memory would not be read, and only a read arms it: a halt takes crossings out of the queue.
    accounts.forget(accountIds);
    try {
      await store.ready();
      this.#announceReloaded(await decider.load(accountIds));
      for (const accountId of accountIds) triggers.clearStale(accountId);
      accounts.evictIdle();
      this.#isDue = lifecycle.isTrading() && triggers.staleAccounts.size > 0;
    } catch (error) {
      log.warn({ err: error, accounts: accountIds.size }, 'accounts could not be read again');
      failures.haltOn(error);
      if (error instanceof StoreUnreachable) failures.fail(queue.drain(), error);
    }
  }

  /**
   * A batch of unknown fate may be committed: a client with an older version of the wallet detects the gap by this
   * announcement.
   */
  #announceReloaded(accounts: readonly StoredAccount[]): void {
    if (accounts.length === 0) return;
    const at = this.#deps.clock.now();
    const changes = accounts.map(({ ownerId, wallet }) => ({
      ...toRowChange('wallets', walletColumns.toWire(wallet, at), 'UPDATE', at),
      isOfOtherAccount: ownerId !== wallet.accountId,
    }));
    this.#deps.bus.publish('account.changed', { changes });
  }
}
