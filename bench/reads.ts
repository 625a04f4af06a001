/**
 * `npm run bench -- reads`: the two reads of a trading page (a trader's 100 open positions, the wallet) through `/rest/v1`
 * beside the bare SQL of the same rows through pg, in one run on one machine, on the same rows of the same PostgreSQL, at
 * the same number of connections. Bounded: about a minute, at most 16 connections, loopback only.
 */
import { ask, runJob, stop } from './children.ts';
import { withClient } from './cluster.ts';
import type { ServerReady } from './endpoint.ts';
import { heading, machine, median, type Run, row, runOf, verdict } from './figures.ts';
import type { ReadJob, ReadReport } from './read-load.ts';
import { withRig } from './rig.ts';
import type { ServerJob } from './server.ts';

const traders = 100;
const positions = 100;
const measure = { warmUpS: 0.5, seconds: 2 };
const connectionCounts = [1, 4, 16];
/** Both are measured alternately, so that other work on the machine affects both; the medians are compared. */
const rounds = 3;
/** What `/rest/v1` must at least reach of the bare SQL's rate, at its best. */
const aimRatio = 0.6;

async function load(name: string, job: ReadJob): Promise<Run> {
  const { latenciesMs, cpuS } = await runJob<ReadReport>('./read-load.ts', job);
  const run = runOf(name, job.connections, latenciesMs, job.seconds);
  console.log(`${row(run)}   cores of the reader ${(cpuS / (job.warmUpS + job.seconds)).toFixed(2)}`);
  return run;
}

const medianRate = (runs: readonly Run[]): number => median(runs.map(({ perSecond }) => perSecond));

/** Open positions for every user, in an order of time that is not the order of their ids. */
async function addPositions(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
                                  rules, account_version, created_at)
       select gen_random_uuid(), u.id, 'BTCUSDT', case n % 2 when 0 then 'BUY' else 'SELL' end, 65000.12 + n, 0.001, 10,
              6.500012, 58500.5, 'open', 'standard', n, now() - n * interval '1 minute'
       from app.users u, generate_series(1, $1::integer) n`,
      [positions],
    );
    await client.query('vacuum analyze');
  });
}

/** The user's id in a token's claims. */
function subjectOf(token: string): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}

export async function benchReads(): Promise<void> {
  await withRig(async ({ cluster, dataDir, begin }) => {
    const server = begin('./server.ts');
    const databaseUrl = await cluster.createDatabase('reads');
    const { url, anonKey, tokens } = await ask<ServerReady>(server, {
      databaseUrl,
      dataDir,
      traders,
    } satisfies ServerJob);
    await addPositions(databaseUrl);
    const job = {
      traders: tokens.map((token) => ({ id: subjectOf(token), token })),
      positions,
      ...measure,
    };
    console.log(`${machine}, PostgreSQL ${cluster.version}`);
    console.log(
      `${traders} traders with ${positions} open positions each; reads of positions and wallet alternate, ${rounds} rounds of ${measure.seconds} s after ${measure.warmUpS} s of warm-up\n`,
    );
    console.log(heading('reads'));
    const ratios: number[] = [];
    for (const connections of connectionCounts) {
      const sql: Run[] = [];
      const rest: Run[] = [];
      for (let round = 0; round < rounds; round += 1) {
        sql.push(await load('bare SQL through pg', { ...job, connections, by: { databaseUrl } }));
        rest.push(await load('Fulcrum, /rest/v1', { ...job, connections, by: { url, anonKey } }));
      }
      ratios.push(medianRate(rest) / medianRate(sql));
    }
    console.log(
      `\nratio of the medians at ${connectionCounts.join(', ')} connections: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`,
    );
    const best = Math.max(...ratios);
    console.log(
      `aim: at least ${aimRatio} of the bare SQL at its best: ${verdict(best >= aimRatio)} (${best.toFixed(2)})`,
    );
    await stop(server);
  });
}
