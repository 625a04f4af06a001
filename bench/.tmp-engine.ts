import { startCluster, benchLog } from './cluster.ts';
import { addTraders } from './traders.ts';
import { openDatabase } from '../apps/server/src/platform/database/index.ts';
import { createTrading } from '../apps/server/src/features/trading/index.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { parseDecimal } from '../packages/domain/src/index.ts';
import { randomUUID } from 'node:crypto';
const cluster = await startCluster();
const url = await cluster.createDatabase('e');
const db = await openDatabase({databaseUrl: url, dataDir: '/tmp/x'}, benchLog);
const ids = await addTraders(db, 1000);
const d = (t: string) => parseDecimal(t) as never;
const pair = {id:'BTCUSDT',symbol:'BTCUSDT',name:'',nickname:null,type:'crypto',baseAsset:'',quoteAsset:'',minPrice:d('0.01'),maxPrice:d('1000000'),tickSize:d('0.01'),minQty:d('0.001'),maxQty:d('9000'),stepSize:d('0.001'),tradingHours:'24/7',sortOrder:0} as never;
const trading = createTrading({ db, clock: systemClock, bus: createBus(benchLog), log: benchLog, config: {rules:'standard', priceTolerancePct: 0.5}, market: { pair: () => pair, price: () => ({symbol:'BTCUSDT', price: d('65000.12'), marketOpen: true}) as never, isStale: () => false } });
await trading.start();
for (const c of [1, 16, 64, 256, 512]) {
  const end = performance.now() + 4000; let n = 0; const cpu0 = process.cpuUsage(); const b0 = trading.state();
  const t0 = performance.now();
  await Promise.all(Array.from({length: c}, async (_, i) => { for (let t = i; performance.now() < end; t += c) { const u = ids[t % ids.length]!; await trading.openPosition({role:'trader', userId: u, actorId: u, sessionId: u}, {p_symbol:'BTCUSDT',p_side:'BUY',p_size:0.001,p_leverage:10,p_entry_price:null,p_client_id: randomUUID()}); n++; } }));
  const s = (performance.now()-t0)/1000; const cpu = process.cpuUsage(cpu0); const b1 = trading.state();
  console.log(c, (n/s).toFixed(0)+'/s', 'batch', ((b1.commands-b0.commands)/(b1.batches-b0.batches)).toFixed(0), 'ms/batch', (s*1000/(b1.batches-b0.batches)).toFixed(2), 'cores', ((cpu.user+cpu.system)/1e6/s).toFixed(2));
}
await trading.stop(); await db.close(); await cluster.stop();
