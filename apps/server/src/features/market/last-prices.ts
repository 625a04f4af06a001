/**
 * Writes the hub's prices to `last_prices`, one write at a time. Invariants: every change of a price's state, and every price
 * of a followed symbol, is stored within one interval. A price that can be computed at any time (`Feed.look`) and is not
 * followed waits for at most ten seconds, and not at all while the table is being read.
 */

import { waitAtMost } from '../../platform/clock/wait-at-most.ts';
import type { Services } from '../../platform/services.ts';
import type { Feed, IsFollowed } from './feed.ts';
import type { Hub } from './hub.ts';
import type { MarketPrice } from './price.ts';
import { writeLastPrices } from './store.ts';

/** Maximum age of a stored price that is not followed. */
const unfollowedMs = 10_000;
/** Who has read the table is taken to read it again for so long. */
const readerKeepUpMs = 10_000;
/** A reader waits so long at most, then reads what is there. */
const readerWaitMsMax = 250;

interface LastPrices {
  /** Stores what is due, after a write that is under way. To be called with each beat of the market. */
  storeDue(): Promise<number>;
  /** Stores all that changed. Resolves with how many prices. */
  storeAll(): Promise<number>;
  /** Announces a read of the table: resolves when the table is current, and stores all prices for a while. Never rejects. */
  syncForReader(): Promise<void>;
  /** Whether the last write failed. */
  isBroken(): boolean;
}

interface LastPricesOptions extends Pick<Services, 'db' | 'timers' | 'log'> {
  readonly hub: Pick<Hub, 'prices' | 'takeChanged' | 'returnChanged'>;
  /** Null before the start. */
  readonly feed: () => Feed | null;
  readonly followed: () => IsFollowed;
}

export function createLastPrices(options: LastPricesOptions): LastPrices {
  const { db, hub, feed, followed, timers, log } = options;
  const stored = new Map<string, MarketPrice>();
  let storing: Promise<number> | null = null;
  let reading: Promise<void> | null = null;
  let readAt = -Infinity;
  let isBroken = false;

  const isRead = (): boolean => Math.abs(timers.now() - readAt) < readerKeepUpMs;

  function isDue(isFollowed: IsFollowed): (price: MarketPrice) => boolean {
    if (feed()?.emitCurrent === undefined || isRead()) return () => true;
    return (price) => {
      const before = stored.get(price.symbol);
      if (!before || price.source !== 'simulated' || isFollowed(price.symbol)) return true;
      const isSame = price.source === before.source && price.state === before.state;
      const ageMs = price.pricedAt - before.pricedAt;
      return !isSame || ageMs >= unfollowedMs || ageMs < 0;
    };
  }

  async function write(which: (price: MarketPrice) => boolean): Promise<number> {
    const prices = hub.takeChanged(which);
    if (prices.length === 0) return 0;
    try {
      await writeLastPrices(db, prices);
      for (const price of prices) stored.set(price.symbol, price);
      if (isBroken) log.info('the last prices are stored again');
      isBroken = false;
      return prices.length;
    } catch (error) {
      hub.returnChanged(prices);
      // Logged once: the write is retried every second, and an outage may last.
      if (!isBroken) log.error({ err: error }, 'storing the last prices failed; trying again every second');
      isBroken = true;
      return 0;
    }
  }

  /** After a write that is under way, which may leave out some of it. */
  async function store(which: (price: MarketPrice) => boolean): Promise<number> {
    const before = (await storing) ?? 0;
    storing ??= write(which).finally(() => {
      storing = null;
    });
    return before + (await storing);
  }

  const storeAll = () => store(() => true);

  async function storeCurrent(): Promise<void> {
    const emitCurrent = feed()?.emitCurrent;
    const isFollowed = followed();
    for (const { symbol } of hub.prices()) if (!isFollowed(symbol)) emitCurrent?.(symbol);
    await waitAtMost(timers, readerWaitMsMax, storeAll());
  }

  return {
    storeDue: () => store(isDue(followed())),
    storeAll,
    async syncForReader() {
      const isCurrent = isRead() || feed()?.emitCurrent === undefined;
      readAt = timers.now();
      if (isCurrent) return reading ?? undefined;
      reading = storeCurrent().finally(() => {
        reading = null;
      });
      return reading;
    },
    isBroken: () => isBroken,
  };
}
