/**
 * kill -9 in the middle of trading, at a random instant: of Node, of PostgreSQL, of both in turn, always on the same
 * data directory. After each, what was acknowledged is there once, what was not is done once when it is asked again, the
 * books agree, and trading goes on.
 *
 * `npm test` does one round; `npm run test:long` does 20 (KILL_ROUNDS). KILL_SEED repeats a run's choices, though not
 * the machine's timing.
 */
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { withDatabase } from '../../src/platform/database/index.ts';
import { testLog } from '../support/index.ts';
import {
  type Installation,
  makeInstallation,
  type ServerProcess,
  signUpAt,
  tryKill,
} from '../support/server-process.ts';
import { createRandom, type Order, OrderStream } from './order-stream.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
const traders = 4;
const victims = ['Node', 'PostgreSQL', 'both'] as const;

describe(`kill -9 under a stream of orders, seed ${seed}`, () => {
  const random = createRandom(seed);
  let installation: Installation;
  let server: ServerProcess;
  let url: string;
  let port: number;
  const streams: OrderStream[] = [];
  let answered = 0;
  let unanswered = 0;

  const start = async () => {
    server = installation.run({ env: { PORT: String(port), SIGNUP_BALANCE: '1000000' } });
    url = await server.ready();
  };

  beforeAll(async () => {
    process.stdout.write(`kill -9 under a stream of orders: KILL_SEED=${seed}\n`);
    installation = makeInstallation();
    port = await freePort();
    await start();
    for (let n = 0; n < traders; n += 1) {
      streams.push(new OrderStream(await signUpAt(url, `trader-${n}`), `trader-${n}`, random));
    }
  }, 60_000);
  afterAll(async () => {
    process.stdout.write(
      `${answered} orders acknowledged, ${unanswered} without an answer and asked again\n`,
    );
    await installation.dispose();
  }, 60_000);

  const killPostgres = () => {
    const all = installation.postgresPids();
    const postmaster = installation.postmaster();
    const backends = all.filter((pid) => pid !== postmaster);
    const choice = Math.floor(random() * 3);
    const pids =
      choice === 0 ? [postmaster] : choice === 1 ? all : [backends[Math.floor(random() * backends.length)]];
    for (const pid of pids) if (pid) tryKill(pid, 'SIGKILL');
  };

  const strike = async (victim: (typeof victims)[number]) => {
    if (victim === 'PostgreSQL') {
      killPostgres();
      // The stream goes on meanwhile, and meets a PostgreSQL that is away and one that is back.
      await sleep(1000);
      return;
    }
    // In either order: what follows the one is in the other's hands for a moment.
    if (victim === 'both' && random() < 0.5) killPostgres();
    const ended = server.end('SIGKILL');
    if (victim === 'both') for (const pid of installation.postgresPids()) tryKill(pid, 'SIGKILL');
    await ended;
  };

  test.for(Array.from({ length: rounds }, (_, round) => [round, victims[(round + seed) % 3]!] as const))(
    'round %i, of %s: every acknowledged order is there once, nothing is half-done, trading goes on',
    { timeout: 120_000 },
    async ([, victim]) => {
      let over = false;
      const running = streams.map((stream) => stream.run(() => over));
      await sleep(50 + random() * 900);
      await strike(victim);
      over = true;
      await Promise.all(running);
      const count = (outcome: Order['outcome']) =>
        streams.flatMap(({ orders }) => orders).filter((order) => order.outcome === outcome).length;
      answered = count('done') - unanswered;
      unanswered += count('unknown');
      if (!server.isRunning()) await start();

      // What got no answer is asked again under its id, until it gets one; and once more, which must change nothing.
      for (const stream of streams) {
        for (const order of stream.orders.filter(({ outcome }) => outcome === 'unknown')) {
          await expect
            .poll(() => stream.send(order).then(() => order.outcome), { timeout: 20_000 })
            .not.toBe('unknown');
          const { answer } = order;
          await stream.send(order);
          expect(order.answer?.id).toBe(answer?.id);
        }
      }
      await expectBooks();

      for (const stream of streams) {
        const before = stream.orders.length;
        await stream.run(() => stream.orders.length > before);
        expect(stream.orders.at(-1)).toMatchObject({ outcome: 'done' });
      }
      const health = await fetch(`${url}/health`);
      expect(await health.json()).toMatchObject({ status: 'ready', engine: { halted: null } });
    },
  );

  /** Orders that were answered against what is stored: each once, and none that nobody sent. */
  const expectBooks = () =>
    withDatabase({ databaseUrl: null, dataDir: installation.dataDir }, testLog, async (client) => {
      const orders = streams.flatMap((stream) => stream.orders);
      const done = orders.filter(({ outcome }) => outcome === 'done');
      const opened = done.filter(({ procedure }) => procedure === 'open_position');
      const closed = done.filter(({ procedure }) => procedure === 'close_position');
      expect(done.length).toBeGreaterThan(0);
      // Balance and prices are there for all of them, so a refusal would be the restart's fault.
      expect(orders.filter(({ outcome }) => outcome === 'refused')).toEqual([]);

      const { rows: positions } = await client.query<{ id: string; status: string }>(
        'select id, status from app.positions',
      );
      expect(positions.map(({ id }) => id).sort()).toEqual(opened.map(({ answer }) => answer!.id).sort());
      expect(
        positions
          .filter(({ status }) => status === 'closed')
          .map(({ id }) => id)
          .sort(),
      ).toEqual(closed.map(({ answer }) => answer!.id).sort());

      const { rows: commands } = await client.query<{ client_id: string }>(
        'select client_id from app.commands',
      );
      expect(commands.map(({ client_id }) => client_id).sort()).toEqual(
        done.map(({ clientId }) => clientId).sort(),
      );

      const queryable = {
        query: (text: string, values: readonly unknown[] = []) => client.query(text, [...values]) as never,
      };
      expect(await checkInvariants(queryable)).toMatchObject({ ok: true, violations: [] });
    });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
