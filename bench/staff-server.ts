/**
 * The running product as its own process for `staff.ts`, on an existing ledger, with steady prices for what is open.
 */
import type { Feed, FeedTick } from '../apps/server/src/features/market/index.ts';
import { onJob } from './job.ts';
import { createTokens, startMeasured } from './measured-server.ts';

export interface StaffServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
}
export interface StaffServerReady {
  readonly url: string;
  readonly anonKey: string;
  readonly admin: string;
  /** Of the one with the most traders. */
  readonly manager: string;
  /** The one with the most positions. */
  readonly traderId: string;
}
/** Of the server's process, since the last question. */
export interface StaffServerMemory {
  readonly rssMb: number;
  readonly peakMb: number;
  /** Of JavaScript: what is in use, and what is claimed for it; buffers and the like outside of it. */
  readonly heapUsedMb: number;
  readonly heapMb: number;
  readonly outsideMb: number;
  readonly cpuS: number;
}
export type StaffServerCommand = 'memory' | 'stop';

const sampleMs = 50;

const prices = {
  BTCUSDT: '96000',
  ETHUSDT: '3400',
  SOLUSDT: '240',
  XRPUSDT: '1.1',
  DOGEUSDT: '0.4',
} as const;

function steadyFeed(): Feed {
  let timer: NodeJS.Timeout | undefined;
  return {
    sourceOf: () => 'simulated',
    async start(emit: (tick: FeedTick) => void) {
      const emitAll = () => {
        for (const [symbol, price] of Object.entries(prices)) {
          emit({ symbol, source: 'simulated', price, marketTime: Date.now(), breaks: true });
        }
      };
      emitAll();
      timer = setInterval(emitAll, 5000);
    },
    async stop() {
      clearInterval(timer);
    },
    candles: async () => [],
  };
}

async function serve(job: StaffServerJob): Promise<void> {
  // Passes over the ledger are ended on purpose.
  const server = await startMeasured(job, { LOG_LEVEL: 'fatal' }, { feed: steadyFeed() });
  const idOf = async (sql: string): Promise<string> => {
    const { rows } = await server.db.query<{ id: string }>(sql);
    const [row] = rows;
    if (!row) throw new Error('the dataset has no user to measure with');
    return row.id;
  };
  const tokenOf = createTokens(server);
  process.send?.({
    url: server.url,
    anonKey: server.secrets.anonKey,
    admin: tokenOf(await idOf(`select id from app.users where role = 'admin' limit 1`), 'admin'),
    manager: tokenOf(
      await idOf(
        'select manager_id as id from app.users where manager_id is not null group by 1 order by count(*) desc limit 1',
      ),
      'manager',
    ),
    traderId: await idOf('select user_id as id from app.positions group by 1 order by count(*) desc limit 1'),
  } satisfies StaffServerReady);

  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, sampleMs);
  process.on('message', async (command: StaffServerCommand) => {
    if (command === 'stop') {
      clearInterval(sampler);
      await server.close();
      process.disconnect();
      return;
    }
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    process.send?.({
      rssMb: rss / 2 ** 20,
      peakMb: Math.max(peak, rss) / 2 ** 20,
      heapUsedMb: heapUsed / 2 ** 20,
      heapMb: heapTotal / 2 ** 20,
      outsideMb: external / 2 ** 20,
      cpuS: (user + system) / 1e6,
    } satisfies StaffServerMemory);
    peak = 0;
  });
}

onJob(serve);
