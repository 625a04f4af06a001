/**
 * A cluster under a stream of trades, while its parts die, hang and are cut off at random: three gateways behind nginx, two engines that compete for
 * the market, nats-server, and a PostgreSQL with a standby, which takes over at the end. After each fault every acknowledged command is stored
 * once, every unanswered one is executed once when it is repeated, the ledger agrees, every mirror of an account by a socket equals the database, no part reports trouble,
 * and every fill that the price series judges has a price of its frames, but for a few in whose time frames were lost.
 *
 * `npm run test:long` runs it for SOAK_MINUTES (3), `npm run soak -- --cluster --minutes N` for as long as one likes. KILL_SEED repeats a run's choices, though not the
 * machine's timing.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@fulcrum/domain';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Balancer, hasBalancer, startBalancer } from '../harness/balancer.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';
import { type LossyLine, startLossyLine } from '../harness/lossy-line.ts';
import { hasNats, login } from '../harness/nats-server.ts';
import { type PostgresPair, startPostgresPair } from '../harness/postgres-pair.ts';
import { type PriceSeries, recordPrices } from '../harness/price-series.ts';
import { type ClusterMember, openServerCluster, type ServerCluster } from '../harness/server-cluster.ts';
import { signUpAt } from '../harness/server-process.ts';
import { AccountMirror } from '../realtime/account-mirror.ts';
import { CcxtBot } from './ccxt-bot.ts';
import { isRightful, type Request } from './command-stream.ts';
import { StaffStream } from './staff-stream.ts';
import { expectStored } from './stored-trades.ts';
import { createRandom, TradingStream } from './trading-stream.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 3);
const traderCount = Number(process.env.SOAK_TRADERS ?? 12);
const socketCount = Number(process.env.SOAK_SOCKETS ?? 24);
/** Unmodified ccxt, each in an account of its own. */
const botCount = Number(process.env.SOAK_BOTS ?? 2);
const staffCount = Number(process.env.SOAK_STAFF ?? 2);
/** Between two requests of a client; none is a load that two cores cannot carry for hundreds of clients. */
const thinkMs = Number(process.env.SOAK_THINK_MS ?? 0);
/** Of each process, in MB: a leak of half an hour would not fit. */
const heapMb = 256;
/** Of the judged fills, those whose frames may have been lost. */
const unprovenShareMax = 0.05;
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

/** Between two leaders of the market, and without NATS, there are no prices. */
const isRightfulHere = (request: Request): boolean =>
  isRightful(request) || request.refusal?.startsWith('price_stale:') === true;

/** What a process may be cut off from. */
interface Lines {
  readonly nats: LossyLine;
  readonly postgres: LossyLine;
}

interface Part {
  readonly name: string;
  readonly roles: string;
  readonly env: Readonly<Record<string, string>>;
  member: ClusterMember;
}

describe.skipIf(!hasNats || !hasBalancer)(`a cluster under faults, seed ${seed}`, () => {
  const random = createRandom(seed);
  const streams: TradingStream[] = [];
  const staff: StaffStream[] = [];
  const bots: CcxtBot[] = [];
  const mirrors: AccountMirror[] = [];
  const parts = new Map<string, Part>();
  const counts = new Map<string, number>();
  let pair: PostgresPair;
  let cluster: ServerCluster;
  let series: PriceSeries;
  let balancer: Balancer;
  /** Of one engine and one gateway. */
  let lines: { readonly engine: Lines; readonly gateway: Lines };
  /** The primary, as the judge sees it. */
  let host: PostgresPair['primary'];
  const totals = { unanswered: 0, slowestMs: 0, fills: 0, unproven: 0 };
  let judgedUntil = 0;

  const inDatabase = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: host.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  async function startLines(): Promise<Lines> {
    const port = Number(pair.primary.address.split(':')[1]);
    return { nats: await startLossyLine(cluster.nats.port), postgres: await startLossyLine(port) };
  }

  async function start(
    name: string,
    roles: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    parts.set(name, { name, roles, env, member: await cluster.start(roles, env) });
  }
  async function startAgain({ name, roles, env }: Part): Promise<void> {
    await start(name, roles, env);
  }
  function one(kind: 'gateway' | 'engine'): Part {
    const named = [...parts.values()].filter(({ name }) => name.startsWith(kind));
    const part = named[Math.floor(random() * named.length)];
    if (!part) throw new Error(`there is no ${kind}`);
    return part;
  }

  const kill = async (kind: 'gateway' | 'engine'): Promise<void> => {
    const part = one(kind);
    const end = () => part.member.end('SIGKILL');
    // The last frames of a leader may not have gone out.
    await (kind === 'engine' ? series.losing(end) : end());
    await startAgain(part);
  };
  const replace = async (kind: 'gateway' | 'engine'): Promise<void> => {
    const part = one(kind);
    expect(await part.member.end('SIGTERM')).toBe(0);
    await startAgain(part);
  };
  const hang = async (kind: 'gateway' | 'engine'): Promise<void> => {
    const { process } = one(kind).member;
    process.kill('SIGSTOP');
    await sleep(2_000 + random() * 4_000);
    process.kill('SIGCONT');
  };
  /** The engine may lead the market: frames that it publishes then are lost. */
  const cutOff = (kind: keyof typeof lines, from: keyof Lines): Promise<void> =>
    series.losing(async () => {
      lines[kind][from].lose('everything');
      await sleep(2_000 + random() * 4_000);
      lines[kind][from].lose('nothing');
    });
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    'kill -9 of a gateway': () => kill('gateway'),
    'kill -9 of an engine': () => kill('engine'),
    'a gateway stops and starts': () => replace('gateway'),
    'an engine hands over and starts again': () => replace('engine'),
    'an engine hangs': () => hang('engine'),
    'a gateway hangs': () => hang('gateway'),
    'kill -9 of nats-server': async () => {
      await cluster.nats.kill();
      await sleep(random() * 2_000);
      await cluster.nats.start();
    },
    'nats-server hangs': async () => {
      await cluster.nats.hang();
      await sleep(3_000);
      cluster.nats.goOn();
    },
    'an engine is cut off from NATS': () => cutOff('engine', 'nats'),
    'an engine is cut off from PostgreSQL': () => cutOff('engine', 'postgres'),
    'a gateway is cut off from NATS': () => cutOff('gateway', 'nats'),
    'a gateway is cut off from PostgreSQL': () => cutOff('gateway', 'postgres'),
  };

  beforeAll(async () => {
    process.stdout.write(`a cluster under faults: KILL_SEED=${seed}\n`);
    pair = await startPostgresPair({ max_connections: '200' });
    host = pair.primary;
    await pair.primary.query("alter system set synchronous_standby_names = 'ANY 1 (standby)'");
    await pair.primary.query('select pg_reload_conf()');
    cluster = await openServerCluster({
      url: pair.url,
      asOwner: (text, values = []) =>
        inDatabase(async (client) => (await client.query(text, [...values])).rows),
      close: () => pair.dispose(),
    });
    series = recordPrices(await cluster.link());
    lines = { engine: await startLines(), gateway: await startLines() };
    const env = {
      ...{ DATABASE_REPLICA_URL: pair.standby.url, TRUST_PROXY: '1', SIGNUP_BALANCE: '1000000' },
      NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
    };
    const over = ({ nats, postgres }: Lines) => ({
      NATS_URL: `nats://${login.user}:${login.password}@127.0.0.1:${nats.port}`,
      DATABASE_URL: pair.url.replace(pair.primary.address, `127.0.0.1:${postgres.port}`),
    });
    await start('engine 1', 'engine,market', env);
    const ports = [await freePort(), await freePort(), await freePort()];
    await Promise.all([
      start('engine 2', 'engine,market', { ...env, ...over(lines.engine) }),
      ...ports.map((port, index) =>
        start(`gateway ${index + 1}`, 'gateway', {
          ...{ ...env, PORT: String(port) },
          ...(index === 0 && over(lines.gateway)),
        }),
      ),
    ]);
    balancer = await startBalancer(ports);
    for (let n = 0; n < traderCount; n += 1) {
      const client = await signUpAt(balancer.url, `trader-${n}`);
      streams.push(new TradingStream(client, `trader-${n}`, random));
    }
    for (let n = 0; n < botCount; n += 1)
      bots.push(await CcxtBot.open(balancer.url, await signUpAt(balancer.url, `bot-${n}`), random));
    for (let n = 0; n < staffCount; n += 1) staff.push(await hireStaff(`staff-${n}`));
    for (let n = 0; n < socketCount; n += 1) {
      const trader = streams[n % traderCount]?.client;
      if (trader) mirrors.push(await mirrorOf(trader));
    }
  }, 900_000);
  afterAll(async () => {
    const done = requestsOfAll().filter(({ outcome }) => outcome === 'done');
    const byBots = bots.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const struck = [...counts].map(([name, count]) => `${count} x ${name}`).join(', ');
    process.stdout.write(
      `${struck}: ${done.length} requests and ${byBots} orders of ccxt acknowledged, ${totals.unanswered} without an answer and repeated; trading again after ${totals.slowestMs.toFixed(0)} ms at the latest; ${totals.fills} fills at prices of the market, ${totals.unproven} of which rest on frames that were lost\n`,
    );
    await Promise.all(mirrors.map((mirror) => mirror.stop()));
    await balancer.end();
    for (const { nats, postgres } of [lines.engine, lines.gateway])
      await Promise.all([nats.close(), postgres.close()]);
    await cluster.dispose();
  }, 60_000);

  /** A socket of its own for the trader's session, whose token is renewed as in the app. */
  async function mirrorOf(trader: SupabaseClient): Promise<AccountMirror> {
    const session = async () => (await trader.auth.getSession()).data.session;
    const accessToken = async () => (await session())?.access_token ?? '';
    const client = createClient(balancer.url, cluster.secrets.anonKey, { accessToken });
    const mirror = new AccountMirror(client, (await session())?.user.id ?? '');
    await mirror.start();
    return mirror;
  }

  /** A trader who becomes an admin, and signs in as one. */
  async function hireStaff(name: string): Promise<StaffStream> {
    const client = await signUpAt(balancer.url, name);
    await inDatabase((session) =>
      session.query(`update app.users set role = 'admin' where username = $1`, [name]),
    );
    const { error } = await client.auth.refreshSession();
    if (error) throw error;
    const sessions = await Promise.all(streams.map((stream) => stream.client.auth.getSession()));
    const traderIds = sessions.map(({ data }) => data.session?.user.id ?? '');
    return new StaffStream(client, name, random, traderIds);
  }

  const requestsOfAll = (): readonly Request[] => [...streams, ...staff].flatMap((stream) => stream.requests);

  async function askAgain(): Promise<void> {
    for (const bot of bots) totals.unanswered += await bot.repeatUnanswered();
    for (const stream of [...streams, ...staff]) {
      for (const request of stream.requests.filter(({ outcome }) => outcome === 'unknown')) {
        totals.unanswered += 1;
        await eventually(async () => {
          await stream.send(request);
          expect(request.outcome).not.toBe('unknown');
        });
      }
    }
  }

  const members = (): readonly ClusterMember[] => [...parts.values()].map(({ member }) => member);
  const residentMb = ({ process: { pid } }: ClusterMember): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

  /** Trades through the fault, and judges what came of it. */
  async function strike(name: string, fault: () => Promise<void>): Promise<void> {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    let isOver = false;
    const running = [...streams, ...staff, ...bots].map((client) => client.run(() => isOver, thinkMs));
    await sleep(500 + random() * 1_500);
    const struckAt = performance.now();
    const struck = fault();
    const [first] = streams;
    if (!first) throw new Error('no trader in the test');
    await sleep(100);
    const again = await first.openBracketed(struckAt + minuteMs);
    const againMs = performance.now() - struckAt;
    await struck;
    await sleep(1_000);
    isOver = true;
    await Promise.all(running);
    totals.slowestMs = Math.max(totals.slowestMs, againMs);
    expect(again.outcome).not.toBe('unknown');

    await askAgain();
    await inDatabase(async (session) => {
      await expectStored(session, requestsOfAll(), isRightfulHere);
      for (const bot of bots) await bot.expectStored(session);
      await expectPriced(session);
    });
    await eventually(async () => {
      const states = await Promise.all(members().map((member) => member.health()));
      expect(states.flatMap(({ troubles }) => troubles)).toEqual([]);
      expect(states.filter(({ cluster: { leadsMarket } }) => leadsMarket !== null)).toHaveLength(1);
    });
    await expectMirrored();
    const memory = members().map((member) => residentMb(member).toFixed(0));
    process.stdout.write(`${name}: an order after ${againMs.toFixed(0)} ms; ${memory.join(', ')} MB\n`);
  }

  /** What was committed since the last time, and late by a little before it. */
  async function expectPriced(session: pg.Client): Promise<void> {
    const query = async (text: string, values: readonly unknown[]) =>
      (await session.query(text, [...values])).rows;
    // The last frame may be on its way here still.
    const judged = await eventually(async () => {
      const all = await series.judge(query, judgedUntil - 10_000);
      expect(all.filter(({ fault }) => fault !== null && fault !== 'unproven')).toEqual([]);
      return all;
    });
    const fills = judged.filter(({ committedAt }) => committedAt > judgedUntil);
    totals.fills += fills.length;
    totals.unproven += fills.filter(({ fault }) => fault !== null).length;
    judgedUntil = fills.at(-1)?.committedAt ?? judgedUntil;
  }

  /** The market may close or fill between two looks. */
  async function expectMirrored(): Promise<void> {
    await inDatabase(async (client) => {
      for (const mirror of mirrors) {
        await eventually(async () => {
          const { rows } = await client.query<{ version: string; balance: string; open: string }>(
            `select w.version, w.balance::float8 as balance,
                    (select count(*) from app.positions p where p.user_id = w.user_id and p.status = 'open') as open
             from app.wallets w where w.user_id = $1`,
            [mirror.userId],
          );
          const [stored] = rows;
          const open = [...mirror.positions.values()].filter(({ status }) => status === 'open');
          expect({
            isCurrent: mirror.isCurrent,
            version: mirror.version,
            balance: mirror.wallet.balance,
            open: open.length,
          }).toEqual({
            isCurrent: true,
            version: Number(stored?.version),
            balance: stored?.balance,
            open: Number(stored?.open),
          });
        });
      }
    });
  }

  test('nothing acknowledged is lost or done twice, whatever dies, hangs or is cut off', {
    timeout: minutes * minuteMs + 1_200_000,
  }, async () => {
    const end = performance.now() + minutes * minuteMs;
    const names = Object.keys(faults);
    for (let round = 0; performance.now() < end; round += 1) {
      // Each once, in an order of the seed's; then at random.
      const name =
        names[(round < names.length ? round + seed : Math.floor(random() * 1e6)) % names.length] ?? '';
      await strike(name, faults[name] ?? (() => Promise.resolve()));
    }
  });

  test('the standby of PostgreSQL takes over', { timeout: 600_000 }, async () => {
    await strike('failover of PostgreSQL', async () => {
      await pair.primary.kill();
      await pair.standby.query('select pg_promote()');
      host = pair.standby;
    });
  });

  test('few fills rest on frames that were lost', () => {
    expect(totals.fills).toBeGreaterThan(0);
    expect(totals.unproven).toBeLessThanOrEqual(totals.fills * unprovenShareMax);
  });
});
