/** NATS sends a process the rows of those users alone that it needs, each once. */
import { randomUUID } from 'node:crypto';
import type { RowChange } from '@fulcrum/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { connectBus } from '../../src/platform/cluster/hints.ts';
import { eventually } from '../harness/eventually.ts';
import { testLog } from '../harness/index.ts';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.ts';

const users = Array.from({ length: 50 }, () => randomUUID());
const [anna = '', bert = ''] = users;
const rounds = 4;

const change = (userId: string, n: number): RowChange => ({
  ...{ table: 'orders', type: 'UPDATE', userId, oldRecord: null },
  ...{ record: { n }, committedAt: '2026-11-29T10:00:00.000Z' },
});

describe.skipIf(!hasNats)('rows between processes', () => {
  let nats: NatsServer;
  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(() => nats.dispose());

  async function member() {
    const link = await nats.link();
    const bus = createBus(testLog);
    const seen: string[] = [];
    bus.subscribe('account.changed', ({ changes }) => {
      for (const { userId, record } of changes) seen.push(`${userId} ${record?.n}`);
    });
    const stop = connectBus({ bus, link, slotOf, log: testLog });
    return { link, bus, seen, stop, received: () => link.state().received };
  }
  type Member = Awaited<ReturnType<typeof member>>;

  /** Changes of all users; resolves when `witness`, which follows everybody, has them all. */
  async function publishRounds(from: Member, witness: Member): Promise<string[]> {
    const before = witness.seen.length;
    const sent: string[] = [];
    for (let n = 0; n < rounds; n += 1) {
      from.bus.publish('account.changed', { changes: users.map((id) => change(id, n)) });
      sent.push(...users.map((id) => `${id} ${n}`));
    }
    await eventually(() => expect(witness.seen).toHaveLength(before + sent.length));
    return sent;
  }
  /** Resolves when NATS knows what `to` needs: its subscriptions were made before this one. */
  async function settle(from: Member, to: Member): Promise<void> {
    let isReached: boolean = false;
    const end = to.link.subscribe(`settled.${to.link.processId}`, () => {
      isReached = true;
    });
    await eventually(() => {
      from.link.publish(`settled.${to.link.processId}`, null);
      expect(isReached).toBe(true);
    });
    end();
  }
  const own = (sent: readonly string[], ...ids: string[]) =>
    sent.filter((row) => ids.includes(row.split(' ')[0] ?? ''));

  test('come for the users that it needs, in their order, and no others', async () => {
    const [writer, staff, gateway] = [await member(), await member(), await member()];
    staff.bus.needRows(null);
    const [endOne] = [gateway.bus.needRows(anna), gateway.bus.needRows(anna)];
    const endHis = gateway.bus.needRows(bert);
    await settle(writer, staff);
    await settle(writer, gateway);
    const before = gateway.received();
    const sent = await publishRounds(writer, staff);
    await eventually(() => expect(gateway.seen).toEqual(own(sent, anna, bert)));
    expect(gateway.received() - before).toBe(2 * rounds);

    // One of two needs of hers has ended, and his only one.
    endOne();
    endOne();
    endHis();
    await settle(writer, gateway);
    gateway.seen.length = 0;
    const later = await publishRounds(writer, staff);
    await eventually(() => expect(gateway.seen).toEqual(own(later, anna)));

    // The next connection to NATS has the same subscriptions.
    await nats.kill();
    await nats.start();
    await eventually(() =>
      expect([writer, staff, gateway].every(({ link }) => link.isConnected())).toBe(true),
    );
    gateway.seen.length = 0;
    const last = await publishRounds(writer, staff);
    await eventually(() => expect(gateway.seen).toEqual(own(last, anna)));

    gateway.stop();
    await settle(writer, gateway);
    const after = gateway.received();
    await publishRounds(writer, staff);
    expect(gateway.received()).toBe(after);
  });

  test('come once each where staff follow everybody beside a user', async () => {
    const [writer, staff] = [await member(), await member()];
    staff.bus.needRows(anna);
    const end = staff.bus.needRows(null);
    await settle(writer, staff);
    const sent = await publishRounds(writer, staff);
    expect(staff.seen).toEqual(sent);
    // Whoever followed everybody has left in between.
    const changes = [change(anna, 100), change(bert, 100)];
    end();
    await settle(writer, staff);
    writer.bus.publish('account.changed', { changes });
    await eventually(() => expect(staff.seen).toEqual([...sent, `${anna} 100`]));
  });
});
