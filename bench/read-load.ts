/**
 * Reads as a process of their own: the requests of a trading page, alternately the open positions of a trader and the
 * wallet, either through `/rest/v1` over keep-alive connections, or as the bare SQL of the same rows through pg with
 * prepared statements. Closed loop: the next read goes out after the last answer. Loopback or a Unix socket only.
 */
import pg from 'pg';
import { Connection } from './connection.ts';
import { answerJob } from './job.ts';
import { cpuReport } from './process-cost.ts';

export interface ReadJob {
  readonly by: { readonly url: string; readonly anonKey: string } | { readonly databaseUrl: string };
  readonly traders: readonly { readonly id: string; readonly token: string }[];
  readonly connections: number;
  readonly warmUpS: number;
  readonly seconds: number;
  /** Open positions of each trader, which every answer is held to. */
  readonly positions: number;
}
export interface ReadReport {
  readonly latenciesMs: readonly number[];
  readonly cpuS: number;
}

interface Reader {
  /** The trader's open positions, then the wallet, alternately. @throws Error for an incomplete answer */
  read(trader: ReadJob['traders'][number], what: 'positions' | 'wallet'): Promise<void>;
  close(): Promise<void> | void;
}

async function throughRest(url: string, anonKey: string, positions: number): Promise<Reader> {
  const { hostname, port, host } = new URL(url);
  if (hostname !== '127.0.0.1') throw new Error('the load generator talks to this machine only');
  const connection = await Connection.open(hostname, Number(port));
  const lines = `host: ${host}\r\napikey: ${anonKey}\r\naccept: application/json\r\nx-client-info: supabase-js/2\r\n`;
  return {
    async read({ id, token }, what) {
      const path =
        what === 'positions'
          ? `positions?select=*&user_id=eq.${id}&status=eq.open&order=created_at.desc`
          : `wallets?select=*&user_id=eq.${id}`;
      const answer = await connection.ask(
        `GET /rest/v1/${path} HTTP/1.1\r\n${lines}authorization: Bearer ${token}\r\n\r\n`,
      );
      const rows = what === 'positions' ? positions : 1;
      const isWhole =
        answer.startsWith('HTTP/1.1 200') &&
        answer.includes(`content-range: 0-${rows - 1}/*`) &&
        answer.includes(id);
      if (!isWhole) throw new Error(`not all ${rows} rows: ${answer.slice(0, 500)}`);
    },
    close: () => connection.close(),
  };
}

const bare = {
  positions: {
    name: 'positions',
    text: `select * from api.positions where user_id = $1 and status = 'open' order by created_at desc, id limit 1000`,
  },
  wallet: { name: 'wallet', text: 'select * from api.wallets where user_id = $1 limit 1000' },
} as const;

async function throughSql(databaseUrl: string, positions: number): Promise<Reader> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async read({ id }, what) {
      const { rows } = await client.query({ ...bare[what], values: [id] });
      if (rows.length !== (what === 'positions' ? positions : 1))
        throw new Error(`${rows.length} rows of ${what}`);
    },
    close: () => client.end(),
  };
}

async function run({ by, traders, connections, warmUpS, seconds, positions }: ReadJob): Promise<ReadReport> {
  const readers = await Promise.all(
    Array.from({ length: connections }, () =>
      'url' in by ? throughRest(by.url, by.anonKey, positions) : throughSql(by.databaseUrl, positions),
    ),
  );
  const latenciesMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const measureFrom = performance.now() + warmUpS * 1000;
  const end = measureFrom + seconds * 1000;
  await Promise.all(
    readers.map(async (reader, i) => {
      for (let index = 0; performance.now() < end; index += 1) {
        const trader = traders[(i + Math.floor(index / 2) * connections) % traders.length];
        if (!trader) throw new RangeError('at least one trader');
        const sent = performance.now();
        await reader.read(trader, index % 2 === 0 ? 'positions' : 'wallet');
        const answered = performance.now();
        if (answered >= measureFrom && answered < end) latenciesMs.push(answered - sent);
      }
    }),
  );
  const { cpuS } = cpuReport(cpuBefore);
  await Promise.all(readers.map((reader) => reader.close()));
  return { latenciesMs, cpuS };
}

answerJob(run);
