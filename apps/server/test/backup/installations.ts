/** The operator's tools and the server as processes, and what a test compares two databases by. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect } from 'vitest';
import { childEnv } from '../harness/child-env.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const children = new Set<ChildProcessByStdio<Writable, Readable, Readable>>();
const folders: string[] = [];

/** A folder of its own; embedded clusters in it carry a prefix that the next run sweeps. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-embedded-'));
  folders.push(folder);
  return folder;
}

/** Ends every process of this file and removes its folders. */
export async function cleanUp(): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** One deposit of a trader of its own, in `pairs` times two ledger entries of different amounts: many rows, whole books. */
export async function bookDeposit(client: Pick<pg.Client, 'query'>, pairs: number): Promise<void> {
  await client.query(
    `with amounts as materialized (
       select n, 0.00000001 * n as amount from generate_series(1, ${pairs}) n
     ), trader as (
       insert into app.users (id, email, username, role)
       values ('00000000-0000-4000-8000-00000000000b', 'saver@example.test', 'saver', 'trader') returning id
     ), wallet as (
       insert into app.wallets (user_id, available_balance, version)
       select id, (select sum(amount) from amounts), 1 from trader returning id, user_id, available_balance
     ), line as (
       insert into app.transactions (id, user_id, wallet_id, type, amount, status, completed_at, description)
       select '00000000-0000-4000-8000-000000000001', user_id, id, 'deposit', available_balance, 'completed', now(),
              'Initial balance'
       from wallet returning id, user_id
     ), counted as (
       insert into app.daily_totals as t (day, writer, deposits, balance)
       select (now() at time zone 'utc')::date, 'accounts', available_balance, available_balance from wallet
       on conflict (day, writer) do update
         set deposits = t.deposits + excluded.deposits, balance = t.balance + excluded.balance
     )
     insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
     select line.id, side.account, case side.account when 'user:cash' then line.user_id end, side.sign * amounts.amount,
            'deposit', line.id
     from line, amounts, (values ('user:cash', 1), ('external', -1)) as side (account, sign)
     order by amounts.n`,
  );
}

export type Environment = Readonly<Record<string, string>>;

export interface Program {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly printed: { out: string; err: string };
  readonly ended: Promise<number | null>;
}

/** Starts a program of the project, seen from its root. */
export function start(
  program: string,
  args: readonly string[],
  env: Environment,
  nodeOptions: readonly string[] = [],
): Program {
  const child = spawn(process.execPath, [...nodeOptions, join(root, program), ...args], {
    env: { ...childEnv, LOG_LEVEL: 'silent', DEMO: 'false', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  child.stdin.on('error', () => undefined);
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  return { process: child, printed, ended: once(child, 'close').then(([code]) => code as number | null) };
}

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs one of the operator's tools to its end. */
export async function run(
  tool: 'backup' | 'backup-key' | 'restore' | 'create-admin' | 'import-users',
  args: readonly string[],
  env: Environment,
  { input = '', nodeOptions = [] }: { input?: string; nodeOptions?: readonly string[] } = {},
): Promise<Outcome> {
  const program = start(`scripts/${tool}.ts`, args, env, nodeOptions);
  program.process.stdin.end(input);
  const code = await program.ended;
  return { code, ...program.printed };
}

/** Starts the server and resolves with its address. */
export async function startServerProcess(env: Environment): Promise<Program & { readonly url: string }> {
  const server = start('apps/server/src/main.ts', [], { PORT: '0', ...env });
  const address = () => /ready: {2}(\S+)/.exec(server.printed.out)?.[1];
  await expect.poll(() => address() ?? server.printed.err, { timeout: 60_000 }).toMatch(/^http/);
  return { ...server, url: address()! };
}

export async function stop(program: Program): Promise<void> {
  program.process.kill('SIGTERM');
  expect(await program.ended).toBe(0);
}

/** The hash that a tool printed. */
export const ledgerHashIn = (text: string) => /ledger hash +([0-9a-f]{64})/.exec(text)?.[1];

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Every table of schema app with its number of rows and a digest of them. */
export const contentOf = (url: string): Promise<Record<string, string>> =>
  onDatabase(url, async (client) => {
    await client.query(`set timezone = 'UTC'`);
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'app' order by 1`,
    );
    const content: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ content: string }>(
        `select count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as content from ${name} t`,
      );
      content[name] = rows[0]!.content;
    }
    return content;
  });

/** What holds the tables together: keys, checks, triggers, sequences, as PostgreSQL would write them. */
export const structureOf = (url: string): Promise<string[]> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) as line
       from pg_constraint where connamespace = 'app'::regnamespace
       union all
       select concat_ws(' ', tgrelid::regclass, tgenabled, pg_get_triggerdef(t.oid))
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'app'::regnamespace and not t.tgisinternal
       union all
       select schemaname || '.' || sequencename || ' ' || coalesce(last_value::text, 'unused') from pg_sequences
       where schemaname = 'app' order by 1`,
    );
    return rows.map(({ line }) => line);
  });
