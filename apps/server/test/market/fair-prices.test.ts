/** Who can compute simulated prices (A109): installations with folders of their own, one database each, real backups. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import {
  createSimulatedFeed,
  modelOfEngine2,
  type SimulatedFeed,
} from '../../src/features/market/feeds/simulated/index.ts';
import { createMarket } from '../../src/features/market/index.ts';
import type { MarketPrice } from '../../src/features/market/price.ts';
import { readPrice } from '../../src/features/market/price.ts';
import { writeLastPrices, writePairs } from '../../src/features/market/store.ts';
import { backUp, restore } from '../../src/platform/backup/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { cloneDatabase, createTestDatabase, startTestServer, testLog } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';

const now = Date.UTC(2026, 10, 20, 13, 37, 42, 123);
const symbols = catalogue.map(({ symbol }) => symbol);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-fair-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function install(timers: ManualTimers, dataDir: string, env: Record<string, string> = {}) {
  const config = { ...loadConfig({ DEMO: 'false', ...env }) };
  const server = await startTestServer({
    feed: null,
    timers,
    config: { priceFeed: config.priceFeed, dataDir },
  });
  onTestFinished(() => server.close());
  return server;
}

const healthOf = async ({ url }: RunningServer, headers: Record<string, string> = {}) =>
  (await (await fetch(`${url}/health`, { headers })).json()) as { readonly feed: Record<string, unknown> };

const pricesOf = ({ market }: Pick<RunningServer, 'market'>) =>
  new Map(symbols.map((symbol) => [symbol, market.price(symbol)?.price]));

test('ENG-1: two fresh installations show different prices, each the same after a restart and a restore', async () => {
  const timers = createManualTimers(now);
  const folder = newFolder();
  const one = await install(timers, folder);
  const other = await install(timers, newFolder());
  const prices = pricesOf(one.server);
  // Where a tick is coarse, two independent prices can be equal by chance; among so many symbols now and then one is.
  const equal = [...pricesOf(other.server)].filter(([symbol, price]) => price === prices.get(symbol));
  expect(equal.length).toBeLessThan(symbols.length / 20);

  await one.restart();
  expect(pricesOf(one.server)).toEqual(prices);

  const file = join(newFolder(), 'backup.fulcrum');
  await backUp({ databaseUrl: one.databaseUrl, dataDir: folder }, file, { log: testLog });
  const database = await cloneDatabase('template0');
  onTestFinished(() => database.drop());
  const restored = { databaseUrl: database.url, dataDir: join(newFolder(), 'restored') };
  await restore(restored, file, { log: testLog, examine: async () => null });
  // Another price than that of the backup: it comes of the key.
  await timers.advance(20_000);
  const again = await startServer(
    { ...loadConfig({ DEMO: 'false' }), ...restored, port: 0 },
    { log: testLog, timers },
  );
  onTestFinished(() => again.close());
  // Both read all symbols at this instant.
  await one.restart();
  expect(pricesOf(again)).toEqual(pricesOf(one.server));
});

test('A109: the key stays in secrets.json; no table has it', async () => {
  const folder = newFolder();
  const server = await install(createManualTimers(now), folder);
  const { marketKey } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));
  const { rows } = await server.db.query(
    'select engine, key_id, seed, weekends, since from app.simulated_paths',
  );
  expect(rows).toEqual([{ engine: 3, key_id: expect.any(String), seed: null, weekends: false, since: null }]);
  const keyId = String(rows[0]?.key_id);
  expect(keyId).toMatch(/^[0-9a-f]{16}$/);
  expect(Buffer.from(marketKey, 'base64url').toString('hex')).not.toContain(keyId);
});

test('A109: a chosen seed is called public in the log, in the health of the operator, and to admins', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const start = (feed: string) =>
    startServer(
      {
        ...loadConfig({ DEMO: 'false', PRICE_FEED: feed }),
        ...{ databaseUrl: database.url, dataDir: newFolder(), port: 0 },
      },
      { log, timers: createManualTimers(now) },
    );
  const warning = 'whoever knows the seed knows the prices';
  const seeded = await start('simulated:class-7');
  const health = await healthOf(seeded);
  const toOthers = await healthOf(seeded, { via: '1.1 elsewhere' });
  const [simulation] = seeded.market.sourceStates();
  await seeded.close();
  expect(lines.filter((line) => line.includes(warning))).toHaveLength(1);
  expect(health.feed).toMatchObject({ ok: true, seed: `public: ${warning}` });
  // Others learn whether a part is well, and no figures.
  expect(toOthers.feed).toEqual({ ok: true, reason: null });
  expect(simulation?.trouble).toBe(`The seed is public: ${warning}`);

  const secret = await start('simulated');
  const healthOfSecret = await healthOf(secret);
  expect(secret.market.sourceStates()).toMatchObject([{ trouble: null }]);
  await secret.close();
  expect(healthOfSecret.feed.seed).toBe('secret');
  expect(lines.filter((line) => line.includes(warning))).toHaveLength(1);
});

/** What a data folder of engine 2 has: last prices of its path, and factors from before. */
async function openOldFolder(scales: ReadonlyMap<string, number>, seed: string) {
  const timers = createManualTimers(now);
  const db = await createTestDatabase();
  onTestFinished(() => db.close());
  await writePairs(db, catalogue);
  const old: SimulatedFeed = createSimulatedFeed({
    model: modelOfEngine2(seed),
    sessions: null,
    pairs: catalogue,
    timers,
    shocks: [],
    scales,
  });
  const last = (symbol: string): MarketPrice => ({
    symbol,
    price: readPrice(old.priceAt(symbol, now)!)!,
    source: 'simulated',
    state: 'simulated',
    ...{ pricedAt: now, marketTime: now, marketOpen: true, held: false, priceChangePercent: 0 },
    ...{ volume: 1, quoteVolume: 1, high24h: null, low24h: null },
  });
  await writeLastPrices(db, symbols.map(last));
  for (const [symbol, scale] of scales) {
    await db.asOwner(
      `insert into app.simulated_scales (path, symbol, scale, since) values (0, '${symbol}', ${scale}, now())`,
    );
  }
  const open = async (env: Record<string, string> = {}) => {
    const market = createMarket({
      db,
      config: loadConfig(env),
      marketKey: Buffer.alloc(32, 'fresh'),
      timers,
      bus: createBus(testLog),
      log: testLog,
    });
    await market.start();
    onTestFinished(() => market.stop());
    return market;
  };
  return { timers, db, old, open };
}

test.each([
  ['the default seed', 'fulcrum', {}],
  ['a chosen seed', 'class-7b', { PRICE_FEED: 'simulated:class-7b' }],
])(
  'A109: a folder of engine 2 with %s goes on from every last price, and its bars stay',
  async (_, seed, env) => {
    const { timers, db, old, open } = await openOldFolder(new Map([['BTCUSDT', 1.25]]), seed);
    await timers.advance(2 * minuteMs);
    const market = await open(env);
    for (const symbol of symbols) {
      const shown = Number(market.price(symbol)?.price) / 1e8;
      expect(shown / old.priceAt(symbol, now)!, symbol).toBeCloseTo(1, 2);
    }
    const before = now - (now % hourMs);
    const today = now - (now % dayMs);
    for (const symbol of ['BTCUSDT', 'AAPL', 'EUR/GBP']) {
      expect(await market.candles(symbol, '1h', { limit: 30, before })).toMatchObject(
        await old.candles(symbol, '1h', { limit: 30, before }),
      );
      // Days of 00:00 UTC end before the change; the forex one that runs has both markets.
      const days = { limit: 5, before: today - dayMs };
      expect(await market.candles(symbol, '1d', days)).toMatchObject(await old.candles(symbol, '1d', days));
    }
    const { rows } = await db.query(
      'select number, engine, seed, since from app.simulated_paths order by number',
    );
    const chosen = 'PRICE_FEED' in env ? seed : null;
    expect(rows).toEqual([
      { number: 0, engine: 2, seed, since: null },
      { number: 1, engine: 3, seed: chosen, since: new Date(timers.now()) },
    ]);

    // From now on the path is the new one, also after the next starts.
    await market.stop();
    await timers.advance(3 * hourMs);
    const later = await open(env);
    const then = later.price('BTCUSDT')?.price;
    const [running] = await later.candles('BTCUSDT', '1h', { limit: 1, before: null });
    expect(Number(then) / 1e8).toBe(running?.close);
    expect(Math.abs(Number(then) / 1e8 / old.priceAt('BTCUSDT', timers.now())! - 1)).toBeGreaterThan(1e-4);
    await later.stop();
    const again = await open(env);
    expect(again.price('BTCUSDT')?.price).toBe(then);
    expect(await again.candles('BTCUSDT', '1h', { limit: 30, before })).toMatchObject(
      await old.candles('BTCUSDT', '1h', { limit: 30, before }),
    );
  },
);
