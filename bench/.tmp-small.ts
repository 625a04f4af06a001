import { startCluster, benchLog } from './cluster.ts';
import { addTraders } from './traders.ts';
import pg from 'pg';
import { commitParameters, commitStatement } from '../apps/server/src/features/trading/engine/commit.ts';
import { randomUUID } from 'node:crypto';
const cluster = await startCluster();
const url = await cluster.createDatabase('e');
const c = new pg.Client({ connectionString: url }); await c.connect();
const ids = await addTraders(c, 1000);
c.on('notice', (n) => console.log(n.message));
await c.query(`set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off`);
await c.query('update app.engine_epoch set epoch = 1');
const versions = new Map(ids.map((id) => [id, 1]));
const money = (n: number) => BigInt(Math.round(n * 1e8)) as never;
let turn = 0;
async function batch(n: number, keyed = true) {
  const wallets: any[] = [], positions: any[] = [], ledger: any[] = [], answers: any[] = [];
  for (let i = 0; i < n; i++) {
    const u = ids[turn++ % ids.length]!; const v = versions.get(u)!; versions.set(u, v + 1);
    const pid = randomUUID(), gid = randomUUID();
    wallets.push({ before: { userId: u, version: v }, after: { userId: u, version: v + 1, available: money(1e9 - 6.5 * v), margin: money(6.5 * v), orderMargin: 0n } });
    const after = { id: pid, userId: u, symbol: 'BTCUSDT', side: 'BUY', entryPrice: money(65000.12), size: money(0.001), leverage: 10, margin: money(6.5), liquidationPrice: money(58000), rules: 'standard', accountVersion: v + 1, closing: null };
    positions.push({ before: null, after });
    ledger.push({ userId: u, group: { id: gid, kind: 'open', sourceId: pid, entries: [{ account: 'user:cash', amount: money(-6.5) }, { account: 'user:margin', amount: money(6.5) }] } });
    if (keyed) answers.push({ userId: u, key: { clientId: randomUUID(), procedure: 'open_position', bodyHash: 'a'.repeat(64) }, answer: JSON.stringify({ ...after, x: 'y'.repeat(200) }, (_, v) => typeof v === 'bigint' ? String(v) : v) });
  }
  const { names, values } = commitParameters({ id: randomUUID(), epoch: 1, at: Date.now(), commands: n, wallets, positions, ledger, transactions: [], answers });
  const t = performance.now();
  await c.query({ name: 'x', text: commitStatement(names), values });
  return performance.now() - t;
}

for (const n of [1,4,16,64,256]) { const ts: number[] = []; for (let i = 0; i < 200; i++) ts.push(await batch(n)); ts.sort((a,b)=>a-b); console.log(n, 'min', ts[0]!.toFixed(2), 'p50', ts[100]!.toFixed(2), 'p90', ts[180]!.toFixed(2)); }
{ const ts: number[] = []; for (let i = 0; i < 200; i++) { const t = performance.now(); await c.query({name:'b', text:'insert into app.engine_batches (id, epoch, commands) values ($1, 1, 1)', values: [randomUUID()]}); ts.push(performance.now()-t);} ts.sort((a,b)=>a-b); console.log('single insert', 'min', ts[0]!.toFixed(2), 'p50', ts[100]!.toFixed(2), 'p90', ts[180]!.toFixed(2)); }
if (process.argv[2]) {
await c.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_triggers = on; set auto_explain.log_nested_statements = on; set auto_explain.log_level = notice; set auto_explain.log_timing=on; set auto_explain.log_parameter_max_length=0`);
await batch(1);
}
await c.end(); await cluster.stop();
