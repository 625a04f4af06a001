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
const mode = process.argv[2] ?? 'close';
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
  let n = 0;
  const orig = store.commit.bind(store);
  store.commit = async (batch) => {
    n += 1;
    const st = writeStatement(batch, store.epoch);
    if (n >= 3 && n <= 6) {
      const c = new pg.Client({ connectionString: url });
      await c.connect();
      await c.query(`set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off`);
      const times: number[] = [];
      for (let i = 0; i < 4; i++) {
        await c.query('begin');
        const f = performance.now();
        await c.query(st as never);
        times.push(performance.now() - f);
        await c.query('rollback');
      }
      console.log(`batch ${n}: commands ${batch.commands} positions ${batch.positions.length} wallets ${batch.wallets.length} ledger ${batch.ledger.length} exec ms ${times.map((t) => t.toFixed(0))}`);
      if (n === 4) {
        await c.query(`load 'auto_explain'; set auto_explain.log_nested_statements=on; set auto_explain.log_analyze=off; set auto_explain.log_timing=off;  set auto_explain.log_min_duration=1; set client_min_messages=log`);
        c.on('notice', (m) => { if (m.message?.includes('plan:')) console.log(m.message.replace(/Query Text: ([\s\S]{0,160})[\s\S]*?\n(?=\S)/, 'Q: $1\n')); });
        await c.query('begin');
        await c.query(st as never);
        await c.query('rollback');
      }
      await c.end();
    }
    const f = performance.now();
    await orig(batch);
    if (n >= 3 && n <= 6) console.log(`commit ms ${(performance.now() - f).toFixed(0)}`);
  };
  const engine = new Engine({
    store, clock: systemClock, bus: createBus(benchLog), log: benchLog, newId: randomUUID, rules: 'standard',
    feeRate: asFeeRate(0n), priceTolerance: asPercent(parseDecimal('0.5')), limits: defaultLimits,
    marketAt: () => ({ pair: (s) => pairs.get(s), quote: () => ({ price: asPrice(parseDecimal(price)), stale: false, marketOpen: true }) }),
  });
  await engine.start();
  if (mode === 'close') {
    price = crossingPrice;
    engine.tick('BTCUSDT');
    await engine.idle();
  } else {
    const { rows } = await client.query<{ user_id: string }>('select user_id from app.wallets');
    const jobs: Promise<unknown>[] = [];
    for (let i = 0; i < 2560; i++) {
      const userId = rows[Math.floor(i / 100)]!.user_id;
      const clientId = randomUUID();
      jobs.push(engine.submit({ userId, actorId: userId, authority: null, reason: null },
        { kind: 'place', symbol: 'BTCUSDT', type: 'MARKET', side: 'BUY', size: parseDecimal('0.001') as never, leverage: 10, price: null, takeProfitPrice: null, stopLossPrice: null, clientId, keepRejected: true },
        { ownerId: userId, clientId, procedure: 'orders.insert', bodyHash: 'ab'.repeat(32) }));
    }
    await Promise.all(jobs);
  }
  await engine.stop();
  await db.close();
  await client.end();
} finally {
  await cluster.stop();
}
