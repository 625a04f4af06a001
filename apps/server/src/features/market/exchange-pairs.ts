/**
 * Keeps the crypto market that of the exchange: its pairs are asked for when it first answers and every hour; where it does
 * not say, a minute later, unless it refuses us. Invariant: a pair is in PostgreSQL before it has a price, and one that somebody's money hangs on stays listed.
 */
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Catalogue, ListedPair } from './catalogue/index.ts';
import { oneLine } from './price-error.ts';
import { isRefusal } from './providers/binance/refusal.ts';
import { readSymbolsInUse, writePairs } from './store.ts';

const everyMs = 3_600_000;
const againAfterMs = 60_000;

export interface ExchangePairsOptions {
  readonly db: Database;
  readonly catalogue: Catalogue;
  /** As the engine has it, newer than what PostgreSQL says. */
  readonly inUse: () => ReadonlySet<string>;
  /** The catalogue has changed, and is stored. */
  readonly onListed: () => void;
  readonly timers: Timers;
  readonly log: Log;
}

export interface ExchangePairs {
  /** Begins to follow the exchange, in the background. */
  follow(ask: () => Promise<ListedPair[]>): void;
  stop(): Promise<void>;
}

export function createExchangePairs(options: ExchangePairsOptions): ExchangePairs {
  const { db, catalogue, inUse, onListed, timers, log } = options;
  let cancel = (): void => {};
  let underWay: Promise<void> = Promise.resolve();
  let isStopped = false;
  /** Why they are not known, said when it changes; null: they are. */
  let fault: string | null = null;

  async function refresh(ask: () => Promise<ListedPair[]>): Promise<void> {
    let nextMs = everyMs;
    try {
      const pairs = await ask();
      const stored = await readSymbolsInUse(db);
      if (isStopped) return;
      catalogue.replaceCrypto(pairs, new Set([...stored, ...inUse()]));
      await writePairs(db, catalogue.pairs());
      onListed();
      if (fault !== null) log.info('the pairs of the exchange are known again');
      fault = null;
    } catch (error) {
      if (isStopped) return;
      if (!isRefusal(error)) nextMs = againAfterMs;
      const why = oneLine(error);
      if (why !== fault)
        log.warn({ why }, 'the pairs of the exchange are not known; those listed before stay');
      fault = why;
    }
    if (!isStopped) cancel = timers.after(nextMs, () => begin(ask));
  }

  function begin(ask: () => Promise<ListedPair[]>): void {
    underWay = refresh(ask);
  }

  return {
    follow: begin,
    async stop() {
      isStopped = true;
      cancel();
      await underWay;
    },
  };
}
