/**
 * The running product as its own process for `staff.ts`, on an existing ledger, with steady prices for what is open.
 */
import { createBenchFeed } from './bench-feed.ts';
import type { Endpoint } from './endpoint.ts';
import { onCommands, onJob } from './job.ts';
import { createTokens, endpointOf, startMeasured } from './measured-server.ts';
import { cpuReport } from './process-cost.ts';

export interface StaffServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
}
export interface StaffServerReady extends Endpoint {
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
const sampleMs = 50;

const prices = {
  BTCUSDT: '96000',
  ETHUSDT: '3400',
  SOLUSDT: '240',
  XRPUSDT: '1.1',
  DOGEUSDT: '0.4',
} as const;

async function serve(job: StaffServerJob): Promise<void> {
  // Passes over the ledger are ended on purpose.
  const server = await startMeasured(
    job,
    { LOG_LEVEL: 'fatal' },
    { feed: createBenchFeed(5000, () => prices) },
  );
  const idOf = async (sql: string): Promise<string> => {
    const { rows } = await server.db.query<{ id: string }>(sql);
    const [row] = rows;
    if (!row) throw new Error('the dataset has no user to measure with');
    return row.id;
  };
  const tokenOf = createTokens(server);
  process.send?.({
    ...endpointOf(server),
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
  onCommands<'memory'>({
    memory: () => {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const peakMb = Math.max(peak, rss) / 2 ** 20;
      peak = 0;
      return {
        rssMb: rss / 2 ** 20,
        peakMb,
        heapUsedMb: heapUsed / 2 ** 20,
        heapMb: heapTotal / 2 ** 20,
        outsideMb: external / 2 ** 20,
        ...cpuReport(),
      } satisfies StaffServerMemory;
    },
    stop: () => {
      clearInterval(sampler);
      return server.close();
    },
  });
}

onJob(serve);
