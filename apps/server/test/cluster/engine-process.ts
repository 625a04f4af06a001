/**
 * An engine as a process of its own, for a test to kill: `node engine-process.ts <socket dir> <database> <port of NATS>`. BTCUSDT is at
 * 100. It prints a line when it takes commands.
 */
import { createTrading } from '../../src/features/trading/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { systemClock } from '../../src/platform/clock/index.ts';
import { createNatsLink } from '../../src/platform/cluster/nats-link.ts';
import { createDatabase } from '../../src/platform/database/pool.ts';
import { testLog } from '../harness/database.ts';
import { linkKey, login } from '../harness/nats-server.ts';
import { engineConfig } from '../trading/database-engine.ts';
import { createFakeMarket } from '../trading/fake-market.ts';

const [host = '', database = '', port = ''] = process.argv.slice(2);
const db = createDatabase({ host, user: 'fulcrum_app', database, options: '-c timezone=UTC' }, testLog);
const link = createNatsLink({
  nats: { addresses: [{ host: '127.0.0.1', port: Number(port) }], tls: false, login },
  ...{ installation: 'tests', key: linkKey, clock: systemClock, log: testLog },
});
await link.start();
const fake = createFakeMarket();
fake.setPrice('BTCUSDT', '100');
const trading = createTrading({
  ...{ db, link, clock: systemClock, bus: createBus(testLog), log: testLog, market: fake.market },
  config: { ...engineConfig, engineLanes: 2 },
});
await trading.start();
process.stdout.write('ready\n');
