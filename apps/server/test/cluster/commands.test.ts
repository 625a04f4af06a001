/**
 * Commands of a gateway to engines over a real NATS and a real PostgreSQL: none is lost and none is done twice, whatever becomes of
 * NATS, of a slot or of an engine meanwhile.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '@fulcrum/contract';
import { asSize, type Command, parseDecimal } from '@fulcrum/domain';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  type CommandRouter,
  createCommandRouter,
} from '../../src/features/trading/cluster/command-router.ts';
import { readSlotOwners } from '../../src/features/trading/cluster/slot-owners.ts';
import { defaultLimits } from '../../src/features/trading/engine/limits.ts';
import { CommandLate } from '../../src/features/trading/engine/router-errors.ts';
import { allSlots, slotOf } from '../../src/features/trading/engine/slots.ts';
import { createIdempotencyKey } from '../../src/features/trading/index.ts';
import { systemClock } from '../../src/platform/clock/index.ts';
import type { NatsLink } from '../../src/platform/cluster/nats-link.ts';
import { eventually } from '../harness/eventually.ts';
import { testLog } from '../harness/index.ts';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.ts';
import {
  type EngineSetup,
  engineConfig,
  openEngine,
  type Trader,
  tally,
} from '../trading/database-engine.ts';

const engineProgram = fileURLToPath(new URL('./engine-process.ts', import.meta.url));

interface Gateway {
  readonly router: CommandRouter;
  readonly link: NatsLink;
  /** A position of 1 BTCUSDT, with or without a client id. */
  open(trader: Trader, clientId?: string): Promise<{ readonly id: string }>;
}

const originOf = ({ userId }: Trader) => ({
  ...{ accountId: userId, ownerId: userId, actorId: userId },
  ...{ authority: null, reason: null },
});
const openCommand: Command = {
  ...{ kind: 'open', symbol: 'BTCUSDT', side: 'BUY', size: asSize(parseDecimal('1')), leverage: 10 },
  ...{ expectedPrice: null, takeProfitPrice: null, stopLossPrice: null },
};

describe.skipIf(!hasNats)('commands over NATS', () => {
  let nats: NatsServer;
  let desk: EngineSetup;
  const routers: CommandRouter[] = [];
  beforeEach(async () => {
    nats = await startNats();
    const config = { ...engineConfig, engineLanes: 2 };
    desk = await openEngine({ config, clock: systemClock, link: await nats.link() });
  });
  afterEach(async () => {
    for (const router of routers.splice(0)) router.stop();
    await desk.dispose();
    await nats.dispose();
  });

  async function openGateway(): Promise<Gateway> {
    const link = await nats.link();
    const router = createCommandRouter({
      ...{ link, clock: systemClock, log: testLog, limits: defaultLimits, local: () => [] },
      readOwners: () => readSlotOwners(desk.db),
    });
    await router.start();
    routers.push(router);
    const open: Gateway['open'] = (trader, clientId) =>
      router.submit(
        originOf(trader),
        openCommand,
        createIdempotencyKey(trader.userId, 'open_position', clientId, ['1']),
      ) as Promise<{ id: string }>;
    return { router, link, open };
  }

  async function tradersOfBothLanes(each = 2): Promise<Trader[]> {
    const traders: Trader[][] = [[], []];
    while (traders.some((of) => of.length < each)) {
      const trader = await desk.addTrader('1000000');
      traders[slotOf(trader.userId) % 2]?.push(trader);
    }
    return traders.flatMap((of) => of.slice(0, each));
  }

  /** Orders of each trader until `isOver`, one after the other as clients do; resolves with all outcomes. */
  async function stream(gateways: readonly Gateway[], traders: readonly Trader[], keyed: boolean) {
    let isOver: boolean = false;
    const sent: { trader: Trader; clientId: string | undefined; outcome: Promise<{ id: string }> }[] = [];
    const running = Promise.all(
      traders.map(async (trader, t) => {
        for (let n = 0; !isOver; n += 1) {
          const clientId = keyed ? `c${n}` : undefined;
          const outcome = gateways[(t + n) % gateways.length]!.open(trader, clientId);
          sent.push({ trader, clientId, outcome });
          await outcome.catch(() => undefined);
          await sleep(5);
        }
      }),
    );
    return async () => {
      isOver = true;
      await running;
      return sent;
    };
  }

  const countPositions = async (): Promise<number> => {
    const { rows } = await desk.db.query<{ count: number }>(
      'select count(*)::int as count from app.positions',
    );
    return rows[0]?.count ?? 0;
  };
  const sound = async () => expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });

  test('an answer, a refusal and a repeat are those of the engine, in both lanes', async () => {
    const gateway = await openGateway();
    for (const trader of await tradersOfBothLanes(1)) {
      const opened = await gateway.open(trader, 'one');
      expect(opened).toMatchObject({ symbol: 'BTCUSDT', size: 1, entry_price: 100 });
      expect(await gateway.open(trader, 'one')).toEqual(opened);
      expect(await desk.open(trader, { p_client_id: 'one' }).catch((error: unknown) => error)).toMatchObject({
        code: 'idempotency_conflict',
      });
      const tooLarge = { ...openCommand, size: asSize(parseDecimal('1000000')) } as Command;
      const refusal = await gateway.router
        .submit(originOf(trader), tooLarge, null)
        .catch((error: unknown) => error);
      const direct = await desk.open(trader, { p_size: 1_000_000 }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(AppError);
      expect({ ...(refusal as AppError) }).toEqual({ ...(direct as AppError) });
      expect((refusal as AppError).message).toBe((direct as AppError).message);
    }
    expect(await countPositions()).toBe(2);
    await sound();
  });

  test('what is refused because the gateway stops is never sent', async () => {
    const { router, open } = await openGateway();
    const trader = await desk.addTrader('1000000');
    const refused = open(trader, 'last');
    router.stop();
    await expect(refused).rejects.toMatchObject({ code: 'busy' });
    const other = await openGateway();
    await other.open(trader, 'next');
    expect(await countPositions()).toBe(1);
  });

  test('what arrives together goes together, in the order of each account', async () => {
    const gateway = await openGateway();
    const traders = await tradersOfBothLanes(5);
    await Promise.all(traders.map((trader) => gateway.open(trader)));
    const before = gateway.router.state();
    const opened = await Promise.all(
      Array.from({ length: 500 }, (_, n) => gateway.open(traders[n % 10]!, `c${n}`)),
    );
    const { messages, commands, repeats, underWay, waiting } = gateway.router.state();
    // A machine that is busy for three seconds sees repeats, each of which gets the stored answer.
    expect(commands - before.commands - repeats).toBe(500);
    expect(messages - before.messages).toBeLessThan(100);
    expect([underWay, waiting]).toEqual([0, 0]);
    expect(await countPositions()).toBe(510);
    for (const [t, trader] of traders.entries()) {
      const { rows } = await desk.db.query<{ client_id: string; version: number }>(
        `select c.client_id, (p.account_version)::int as version
         from app.commands c join api.positions p on p.id = (c.answer->>'id')::uuid
         where c.user_id = $1 order by p.account_version`,
        [trader.userId],
      );
      expect(rows.map(({ client_id }) => client_id)).toEqual(
        Array.from({ length: 50 }, (_, n) => `c${n * 10 + t}`),
      );
    }
    expect(new Set(opened.map(({ id }) => id)).size).toBe(500);
    await sound();
  });

  test('NATS killed and started again, time after time: every order with a client id is done once and answered', async () => {
    const gateways = await Promise.all([openGateway(), openGateway()]);
    const traders = await tradersOfBothLanes();
    const finish = await stream(gateways, traders, true);
    for (let round = 0; round < 4; round += 1) {
      await sleep(150 + round * 40);
      await nats.kill();
      await sleep(round * 100);
      await nats.start();
      await eventually(() => expect(gateways.every(({ link }) => link.isConnected())).toBe(true));
    }
    await sleep(300);
    const sent = await finish();
    const answers = await Promise.all(sent.map(({ outcome }) => outcome));
    expect(answers.length).toBeGreaterThan(20);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(sent.length);
    expect(await countPositions()).toBe(sent.length);
    for (const [n, { trader, clientId }] of sent.slice(-8).entries())
      expect(await gateways[n % 2]!.open(trader, clientId)).toEqual(answers[sent.length - 8 + n]);
    await sound();
  });

  test('without a client id an order in a broken connection is refused as busy, and never sent again', async () => {
    const gateway = await openGateway();
    const traders = await tradersOfBothLanes();
    const finish = await stream([gateway], traders, false);
    for (let round = 0; round < 3; round += 1) {
      await sleep(200);
      await nats.kill();
      await nats.start();
      await eventually(() => expect(gateway.link.isConnected()).toBe(true));
    }
    await sleep(200);
    const sent = await finish();
    const {
      done = 0,
      busy = 0,
      ...others
    } = tally(await Promise.allSettled(sent.map(({ outcome }) => outcome)));
    expect(others).toEqual({});
    expect(done).toBeGreaterThan(0);
    const positions = await countPositions();
    expect(positions).toBeGreaterThanOrEqual(done);
    expect(positions).toBeLessThanOrEqual(done + busy);
    expect(gateway.router.state().repeats).toBe(0);
    await sound();
  });

  test('what a NATS that hung delivers after five seconds is refused; with a client id it is done in time or never', async () => {
    const gateway = await openGateway();
    const [trader, other] = await tradersOfBothLanes(1);
    await gateway.open(trader!, 'before');
    await nats.hang();
    const [keyless, keyed] = await Promise.allSettled([gateway.open(trader!), gateway.open(other!, 'hung')]);
    expect([keyless, keyed]).toMatchObject([{ reason: { code: 'busy' } }, { reason: { code: 'busy' } }]);
    nats.goOn();
    await eventually(() => expect(gateway.open(trader!, 'after')).resolves.toMatchObject({ size: 1 }));
    // The engine has had the old message by now: it came by the connection of before.
    await sleep(500);
    expect(await countPositions()).toBe(2);
    // The trader repeats it later, as any order without an answer.
    await gateway.open(other!, 'hung');
    expect(await countPositions()).toBe(3);
    await sound();
  });

  test('slots that move between engines under orders: each one is done once, without a client id too', async () => {
    const gateway = await openGateway();
    const traders = await tradersOfBothLanes();
    const finish = await stream([gateway], traders, false);
    for (const to of [1, 0, 1]) {
      await sleep(100);
      await desk.trading.moveSlots(allSlots, to);
    }
    await sleep(200);
    const sent = await finish();
    const { done, ...others } = tally(await Promise.allSettled(sent.map(({ outcome }) => outcome)));
    expect([done, others]).toEqual([sent.length, {}]);
    expect(await countPositions()).toBe(sent.length);
    await sound();
  });

  test('an engine that ends and one that begins: what was under way is sent again, what waits is held', async () => {
    const gateways = await Promise.all([openGateway(), openGateway()]);
    const traders = await tradersOfBothLanes();
    const finish = await stream(gateways, traders, true);
    for (let round = 0; round < 3; round += 1) {
      await sleep(200);
      // As an engine ends that another one finds dead: its last batch is committed or refused.
      if (round === 1)
        await desk.db.asOwner(
          `begin; select from app.engines where ended_at is null for update;
           update app.engine_slots set engine = null; update app.engines set ended_at = now() where ended_at is null; commit`,
        );
      await desk.restart();
    }
    await sleep(300);
    const sent = await finish();
    const outcomes = await Promise.allSettled(sent.map(({ outcome }) => outcome));
    const { done = 0, ...others } = tally(outcomes);
    // An engine that stops in an orderly way refuses what is in its hands as busy: nothing of it has happened.
    expect(Object.keys(others).filter((code) => code !== 'busy')).toEqual([]);
    expect(await countPositions()).toBe(done);
    expect(done).toBeGreaterThan(sent.length / 2);
    await sound();
  });

  test('kill -9 of the process of the engines: every order with a client id is done once', async () => {
    await desk.trading.stop();
    const gateways = await Promise.all([openGateway(), openGateway()]);
    const traders = await tradersOfBothLanes();
    const start = async () => {
      const args = [engineProgram, inject('postgresSocketDir'), desk.db.name, String(nats.port)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      return child;
    };
    const kill = async (child: ChildProcess) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    const first = await start();
    const finish = await stream(gateways, traders, true);
    await sleep(500);
    await kill(first);
    const second = await start();
    await sleep(500);
    const sent = await finish();
    // What the start of a process on a busy machine outlasts is refused, and repeated by the client.
    const answers = await Promise.all(
      sent.map(({ trader, clientId, outcome }) =>
        outcome.catch(() => eventually(() => gateways[0]!.open(trader, clientId))),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(sent.length);
    expect(await countPositions()).toBe(sent.length);
    await sound();
    await kill(second);
  });

  test('commands that no gateway gives, that are not for this engine, or that cannot be read are not done', async () => {
    const gateway = await openGateway();
    const [trader] = await tradersOfBothLanes(1);
    const { id } = await gateway.open(trader!);
    const [host] = desk.trading.hosts;
    const ask = (commands: readonly unknown[]) =>
      gateway.link.request(`cmd.${host?.engine}`, { from: gateway.link.processId, commands }, 2_000);
    const sent = {
      ...{ id: 1, until: Date.now() + 60_000, origin: originOf(trader!), key: null, requestId: null },
      command: { kind: 'close', positionId: id, size: null, reason: 'manual' },
    };
    const elsewhere = `${randomUUID().slice(0, -2)}01`;
    expect(
      await ask([
        { ...sent, command: { kind: 'trigger', trigger: 'stop_loss', positionId: id, price: '1' } },
        { ...sent, command: { kind: 'unheard_of' } },
        { ...sent, command: { ...sent.command, size: 'much' } },
        { ...sent, origin: { ...sent.origin, authority: 'root' } },
        { ...sent, until: Date.now() - 1 },
        { ...sent, origin: { ...sent.origin, accountId: elsewhere, ownerId: elsewhere } },
        'nothing',
      ]),
    ).toEqual({
      receipts: [...Array.from({ length: 4 }, () => 'unreadable'), 'late', 'moved', 'unreadable'],
    });
    expect(await ask('nothing' as never)).toEqual({ receipts: [] });
    expect(await countPositions()).toBe(1);
    // Fields of a later release are passed over.
    expect(await ask([{ ...sent, priority: 'high', command: { ...sent.command, whim: true } }])).toEqual({
      receipts: ['taken'],
    });
    await eventually(async () =>
      expect((await desk.db.query(`select from app.positions where status = 'closed'`)).rowCount).toBe(1),
    );
  });

  test('a command that waited in the engine’s queue for too long is not decided', async () => {
    const gateway = await openGateway();
    const [trader] = await tradersOfBothLanes(1);
    await gateway.open(trader!);
    const holder = new pg.Client({ connectionString: desk.db.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from app.wallets where user_id = $1 for update', [trader!.userId]);
    const held = gateway.open(trader!, 'held');
    await sleep(100);
    const host = desk.trading.hosts.find((one) => one.ownsSlot(slotOf(trader!.userId)));
    const behind = host!
      .submit(originOf(trader!), openCommand, null, Date.now() + 100)
      .catch((error: unknown) => error);
    await sleep(300);
    await holder.query('rollback');
    await holder.end();
    expect(await behind).toBeInstanceOf(CommandLate);
    await held;
    expect(await countPositions()).toBe(2);
  });

  test('a gateway holds a thousand commands of a user and no more while NATS is away', async () => {
    const gateway = await openGateway();
    const [trader, other] = await tradersOfBothLanes(1);
    await nats.kill();
    const held = Array.from({ length: 1_001 }, (_, n) => gateway.open(trader!, `c${n}`));
    const settled = Promise.allSettled(held);
    await expect(held.at(-1)).rejects.toMatchObject({ code: 'busy' });
    const others = gateway.open(other!, 'c');
    await nats.start();
    expect(await others).toMatchObject({ size: 1 });
    const { done = 0, busy = 0, ...more } = tally(await settled);
    // What PostgreSQL has not written within five seconds on a busy machine is refused, and may be written all the same.
    expect([done + busy, more]).toEqual([1_001, {}]);
    expect(await countPositions()).toBeGreaterThanOrEqual(done + 1);
    await sound();
  });
});
