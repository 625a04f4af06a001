/**
 * `npm run bench -- audit`: the cost of the audit log's chain per write. The same rows go in the same transactions into two
 * databases of one durable PostgreSQL, alternately; the trigger of the chain is switched off in one of them. Processor time is
 * that of the sessions alone, which waiting does not change. Afterwards the chain must be intact. Bounded: about two minutes.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { verifyAuditChain } from '../apps/server/src/features/audit/index.ts';
import { withCluster } from './cluster.ts';
import { loadAverage, machine } from './figures.ts';
import { statOf } from './process-stat.ts';

interface Shape {
  readonly sessions: number;
  /** 1: a single staff action. 500: the largest bulk action, as one transaction at its worst. */
  readonly rowsPerTransaction: number;
  readonly transactionsEach: number;
}

const shapes: readonly Shape[] = [
  { sessions: 1, rowsPerTransaction: 1, transactionsEach: 3000 },
  { sessions: 8, rowsPerTransaction: 1, transactionsEach: 750 },
  { sessions: 1, rowsPerTransaction: 100, transactionsEach: 60 },
  { sessions: 1, rowsPerTransaction: 500, transactionsEach: 20 },
];
const rounds = 3;

interface Session {
  readonly client: pg.Client;
  readonly pid: number;
}

async function sessionOf(connectionString: string): Promise<Session> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { client, pid: rows[0]?.pid ?? 0 };
}

const cpuSOf = (sessions: readonly Session[]): number =>
  sessions.reduce((sum, { pid }) => sum + (statOf(pid)?.cpuS ?? Number.NaN), 0);

// As `recordAuditEntry` and the engine's statement write them.
const write = `insert into app.audit_log (at, actor_id, subject_id, action, reason, request_id, detail)
  select now(), $1, gen_random_uuid(), 'funds.adjust', 'Wire of 21 November', $2, '{"amount": "250.00", "before": "10000.00"}'
  from generate_series(1, $3)`;

interface Cost {
  readonly rowsPerS: number;
  readonly cpuUs: number;
}

async function measure(
  url: string,
  { sessions, rowsPerTransaction, transactionsEach }: Shape,
): Promise<Cost> {
  const open = await Promise.all(Array.from({ length: sessions }, () => sessionOf(url)));
  try {
    const run = async ({ client }: Session, times: number) => {
      for (let i = 0; i < times; i += 1) {
        const values = [randomUUID(), randomUUID(), rowsPerTransaction];
        await client.query({ name: 'write', text: write, values });
      }
    };
    await Promise.all(open.map((session) => run(session, 10)));
    const cpuBefore = cpuSOf(open);
    const startedAt = performance.now();
    await Promise.all(open.map((session) => run(session, transactionsEach)));
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuS = cpuSOf(open) - cpuBefore;
    const rows = sessions * transactionsEach * rowsPerTransaction;
    return { rowsPerS: rows / seconds, cpuUs: (cpuS * 1e6) / rows };
  } finally {
    await Promise.all(open.map(({ client }) => client.end()));
  }
}

const cheapest = (costs: readonly Cost[]): Cost => ({
  rowsPerS: Math.max(...costs.map(({ rowsPerS }) => rowsPerS)),
  cpuUs: Math.min(...costs.map(({ cpuUs }) => cpuUs)),
});

/** @throws Error when the chain over what was written is not whole */
async function verifyChain(url: string): Promise<void> {
  const { client } = await sessionOf(url);
  try {
    const startedAt = performance.now();
    const { links, fault } = await verifyAuditChain({
      query: async <Row>(text: string, values?: readonly unknown[]) => {
        const { rows, rowCount } = await client.query(text, values && [...values]);
        return { rows: rows as Row[], rowCount: rowCount ?? 0 };
      },
    });
    if (fault !== null) throw new Error(`the chain is not whole: ${fault}`);
    console.log(
      `\nchain of ${links} links whole, proven in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
  } finally {
    await client.end();
  }
}

export async function benchAudit(): Promise<void> {
  await withCluster(async (cluster) => {
    console.log(`${machine}, PostgreSQL ${cluster.version}, ${loadAverage()}`);
    const chained = await cluster.createDatabase('audit_chained');
    const plain = await cluster.createDatabase('audit_plain');
    const owner = await sessionOf(plain);
    await owner.client.query('alter table app.audit_log disable trigger audit_chained');
    await owner.client.end();
    console.log(
      `\n${'rows of the audit log'.padEnd(40)} ${'rows/s'.padStart(8)} ${'without'.padStart(8)} ${'CPU µs'.padStart(8)} ${'without'.padStart(8)} ${'the chain, µs a row'.padStart(20)}`,
    );
    for (const shape of shapes) {
      const costs: { chained: Cost[]; plain: Cost[] } = { chained: [], plain: [] };
      for (let round = 0; round < rounds; round += 1) {
        costs.chained.push(await measure(chained, shape));
        costs.plain.push(await measure(plain, shape));
      }
      const [one, other] = [cheapest(costs.chained), cheapest(costs.plain)];
      const name = `${shape.rowsPerTransaction} a transaction, ${shape.sessions} at once`;
      console.log(
        `${name.padEnd(40)} ${one.rowsPerS.toFixed(0).padStart(8)} ${other.rowsPerS.toFixed(0).padStart(8)} ${one.cpuUs.toFixed(0).padStart(8)} ${other.cpuUs.toFixed(0).padStart(8)} ${(one.cpuUs - other.cpuUs).toFixed(0).padStart(20)}`,
      );
    }
    await verifyChain(chained);
    console.log(loadAverage());
  });
}
