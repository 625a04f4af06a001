/**
 * Synchronizes the crypto market with the exchange: fetches its pairs after its first answer and every hour, and a minute
 * after a failure unless the exchange refuses requests. Invariant: PostgreSQL stores a pair before it has a price; a pair
 * with an open position or a waiting order stays listed.
 */
import { hourMs } from '@fulcrum/domain';
import type { Services } from '../../platform/services.ts';
import type { Catalogue, ListedPair } from './catalogue/index.ts';
import { toLogLine } from './price-error.ts';
import { isRefusal } from './providers/binance/refusal.ts';
import { readSymbolsInUse, writePairs } from './store.ts';

const refreshEveryMs = hourMs;
const retryAfterMs = 60_000;

interface ExchangePairsOptions extends Pick<Services, 'db' | 'timers' | 'log'> {
  readonly catalogue: Catalogue;
  /** The engine's set, newer than the one of PostgreSQL. */
  readonly inUse: () => ReadonlySet<string>;
  /** The catalogue has changed, and is stored. */
  readonly onListed: () => void;
}

interface ExchangePairs {
  /** Begins to follow the exchange, in the background. */
  start(fetchPairs: () => Promise<ListedPair[]>): void;
  stop(): Promise<void>;
}

export function createExchangePairs(options: ExchangePairsOptions): ExchangePairs {
  const { db, catalogue, inUse, onListed, timers, log } = options;
  let cancel = (): void => {};
  let underWay: Promise<void> = Promise.resolve();
  let isStopped = false;
  /** Why the pairs are unknown, logged when it changes; null: they are known. */
  let fault: string | null = null;

  async function refresh(fetchPairs: () => Promise<ListedPair[]>): Promise<void> {
    let nextMs = refreshEveryMs;
    try {
      const pairs = await fetchPairs();
      const stored = await readSymbolsInUse(db);
      if (isStopped) return;
      catalogue.replaceCrypto(pairs, new Set([...stored, ...inUse()]));
      await writePairs(db, catalogue.pairs());
      onListed();
      if (fault !== null) log.info('the pairs of the exchange are known again');
      fault = null;
    } catch (error) {
      if (isStopped) return;
      if (!isRefusal(error)) nextMs = retryAfterMs;
      const why = toLogLine(error);
      if (why !== fault)
        log.warn({ why }, 'the pairs of the exchange are not known; those listed before stay');
      fault = why;
    }
    if (!isStopped) cancel = timers.after(nextMs, () => begin(fetchPairs));
  }

  function begin(fetchPairs: () => Promise<ListedPair[]>): void {
    underWay = refresh(fetchPairs);
  }

  return {
    start: begin,
    async stop() {
      isStopped = true;
      cancel();
      await underWay;
    },
  };
}
