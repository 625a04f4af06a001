/** `npm run bench -- <name>`: measures one thing beside its limit or its peers and prints both. */
import { benchAudit } from './audit.ts';
import { benchCandles } from './candles.ts';
import { benchChat } from './chat.ts';
import { benchFanout } from './fanout.ts';
import { benchFeed } from './feed.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchLiquidations } from './liquidations.ts';
import { benchOrders } from './orders.ts';
import { benchReads } from './reads.ts';
import { benchStaff } from './staff.ts';
import { benchTicks } from './ticks.ts';
import { benchWeb } from './web.ts';

const benches: Readonly<Record<string, () => Promise<void>>> = {
  audit: benchAudit,
  candles: benchCandles,
  chat: benchChat,
  fanout: benchFanout,
  feed: benchFeed,
  lighthouse: benchLighthouse,
  liquidations: benchLiquidations,
  orders: benchOrders,
  reads: benchReads,
  staff: benchStaff,
  ticks: benchTicks,
  web: benchWeb,
};

const [name = ''] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench) {
  await bench();
} else {
  console.error(`usage: npm run bench -- <${Object.keys(benches).join(' | ')}>`);
  process.exitCode = 2;
}
