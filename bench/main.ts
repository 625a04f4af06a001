/** `npm run bench -- <name>`: takes one measurement and prints it beside its limit or its peers. */
import { benchApi } from './api.ts';
import { benchAudit } from './audit.ts';
import { benchCandles } from './candles.ts';
import { benchChart } from './chart.ts';
import { benchChat } from './chat.ts';
import { benchContest } from './contest.ts';
import { benchFanout } from './fanout.ts';
import { benchFeed } from './feed.ts';
import { benchIdle } from './idle.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchLiquidations } from './liquidations.ts';
import { benchMembers } from './members.ts';
import { benchOrders } from './orders.ts';
import { benchReads } from './reads.ts';
import { benchReview } from './review.ts';
import { benchSizing } from './sizing.ts';
import { benchStaff } from './staff.ts';
import { benchStart } from './start.ts';
import { benchTicks } from './ticks.ts';
import { benchWeb } from './web.ts';

const benches: Readonly<Record<string, () => Promise<void>>> = {
  api: benchApi,
  audit: benchAudit,
  candles: benchCandles,
  chart: benchChart,
  chat: benchChat,
  cluster: benchMembers,
  contest: benchContest,
  fanout: benchFanout,
  feed: benchFeed,
  idle: benchIdle,
  lighthouse: benchLighthouse,
  liquidations: benchLiquidations,
  orders: benchOrders,
  reads: benchReads,
  review: benchReview,
  sizing: benchSizing,
  staff: benchStaff,
  start: benchStart,
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
