/** Synchronization of the crypto market with the exchange, on a real PostgreSQL and under timers that the test moves. */
import { hourMs, minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createCatalogue,
  type ListedPair,
  catalogue as shipped,
} from '../../src/features/market/catalogue/index.ts';
import { createExchangePairs } from '../../src/features/market/exchange-pairs.ts';
import { ExchangeRefusalError } from '../../src/features/market/providers/binance/refusal.ts';
import { writePairs } from '../../src/features/market/store.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';

const crypto = shipped.filter(({ type }) => type === 'crypto');
const [bitcoin, ether, third] = crypto as [ListedPair, ListedPair, ListedPair];
const pairOf = (symbol: string): ListedPair => ({ ...bitcoin, id: symbol, symbol, name: symbol });

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.close());

async function follow(inUse: readonly string[], answers: (readonly ListedPair[] | Error)[]) {
  const timers = createManualTimers(Date.UTC(2026, 10, 21));
  const catalogue = createCatalogue(shipped, timers);
  await writePairs(db, catalogue.pairs());
  const listings: string[][] = [];
  const warnings: unknown[] = [];
  const log = createLog({ logLevel: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).why) });
  let requests = 0;
  const pairs = createExchangePairs({
    db,
    catalogue,
    inUse: () => new Set(inUse),
    onListed: () =>
      listings.push(catalogue.pairs().flatMap(({ type, symbol }) => (type === 'crypto' ? symbol : []))),
    timers,
    log,
  });
  pairs.start(async () => {
    const answer = answers[requests] ?? new Error('no further answer');
    requests += 1;
    if (answer instanceof Error) throw answer;
    return [...answer];
  });
  return { timers, pairs, catalogue, listings, warnings, requestCount: () => requests };
}

test('FEED-48: the pairs of the exchange replace the shipped ones, are fetched every hour, and one in use stays', async () => {
  const { timers, pairs, listings, requestCount } = await follow(
    [third.symbol],
    [
      [bitcoin, pairOf('NEWUSDT')],
      [bitcoin, ether],
    ],
  );
  await expect.poll(() => listings).toEqual([[bitcoin.symbol, 'NEWUSDT', third.symbol]]);
  const { rows } = await db.query(
    `select symbol from app.trading_pairs where listed and type = 'crypto' order by sort_order`,
  );
  expect(rows).toEqual([{ symbol: bitcoin.symbol }, { symbol: 'NEWUSDT' }, { symbol: third.symbol }]);
  await timers.advance(hourMs - 1);
  expect(requestCount()).toBe(1);
  await timers.advance(1);
  await expect.poll(() => listings[1]).toEqual([bitcoin.symbol, ether.symbol, third.symbol]);
  await pairs.stop();
  await timers.advance(120 * minuteMs);
  expect(requestCount()).toBe(2);
});

test('an exchange that does not answer is retried a minute later, and nothing is unlisted meanwhile', async () => {
  const { timers, pairs, catalogue, listings, requestCount } = await follow(
    [],
    [new Error('away'), [bitcoin]],
  );
  await expect.poll(requestCount).toBe(1);
  expect([listings, catalogue.pairs().length]).toEqual([[], shipped.length]);
  await timers.advance(minuteMs);
  await expect.poll(() => listings).toEqual([[bitcoin.symbol]]);
  expect(requestCount()).toBe(2);
  await pairs.stop();
});

test('an exchange that refuses us is paused for an hour, and each fault is logged once', async () => {
  const refused = new ExchangeRefusalError(451, 0, 'Service unavailable from a restricted location');
  const away = new Error('away');
  const { timers, pairs, listings, warnings, requestCount } = await follow(
    [],
    [away, away, away, refused, refused, [bitcoin]],
  );
  await expect.poll(requestCount).toBe(1);
  await timers.advance(3 * minuteMs);
  expect(requestCount()).toBe(4);
  await timers.advance(hourMs - 1);
  expect(requestCount()).toBe(4);
  await timers.advance(hourMs + 1);
  expect(requestCount()).toBe(6);
  await expect.poll(() => listings).toEqual([[bitcoin.symbol]]);
  const refusal = 'HTTP error! status: 451 (Service unavailable from a restricted location)';
  expect(warnings).toEqual(['away', refusal]);
  await pairs.stop();
});
