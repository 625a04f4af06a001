import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { asFeeRate, asPercent, asPrice, parseDecimal } from '@fulcrum/domain';
import { startCluster, benchLog } from '../cluster.ts';
import { addOpenPositions, restingPrice, crossingPrice } from '../open-positions.ts';
import { createDatabase } from '../../apps/server/src/platform/database/pool.ts';
import { createBus } from '../../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../../apps/server/src/platform/clock/index.ts';
import { defaultLimits, Engine } from '../../apps/server/src/features/trading/engine/engine.ts';
import { PostgresStore } from '../../apps/server/src/features/trading/engine/postgres-store.ts';
import { writeStatement } from '../../apps/server/src/features/trading/engine/write.ts';
import { catalogue } from '../../apps/server/src/features/market/catalogue.ts';
const crossings = Number(process.argv[2] ?? 1000);
const cluster = await startCluster();
try {
  const url = await cluster.createDatabase('x');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await addOpenPositions(client, 10_000);
  await client.query('vacuum analyze');
  const db = createDatabase({ connectionString: url }, benchLog);
  let price = restingPrice;
  const pairs = new Map(catalogue.map((p) => [p.symbol, p]));
  const store = new PostgresStore(db, benchLog);
  const orig = store.commit.bind(store);
  const origRead = store.readAccounts.bind(store);
  let t0 = 0; let last = 0;
  const acc = { decide: 0, commit: 0, read: 0, n: 0 };
  store.readAccounts = async (ids) => { const f = performance.now(); const r = await origRead(ids); acc.read += performance.now() - f; return r; };
  store.commit = async (batch) => {
    const f = performance.now();
    acc.decide += f - last;
    await orig(batch);
    acc.commit += performance.now() - f;
    acc.n += 1;
    last = performance.now();
  };
  const engine = new Engine({
    store, clock: systemClock, bus: createBus(benchLog), log: benchLog, newId: randomUUID, rules: 'standard',
    feeRate: asFeeRate(0n), priceTolerance: asPercent(parseDecimal('0.5')), limits: { ...defaultLimits, crossings },
    marketAt: () => ({ pair: (s) => pairs.get(s), quote: () => ({ price: asPrice(parseDecimal(price)), stale: false, marketOpen: true }) }),
  });
  await engine.start();
  price = crossingPrice;
  t0 = performance.now();
  engine.tick('BTCUSDT');
  const tick = performance.now() - t0;
  last = performance.now();
  const before = process.cpuUsage();
  await engine.idle();
  const total = performance.now() - t0;
  const { user, system } = process.cpuUsage(before);
  console.log({ total: total | 0, tick: tick | 0, ...acc, cpu: (user + system) / 1e3 });
  await engine.stop();
  await db.close();
  await client.end();
} finally {
  await cluster.stop();
}
