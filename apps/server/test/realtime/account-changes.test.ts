import { randomUUID } from 'node:crypto';
import type { RowChange } from '@fulcrum/contract';
import type { RealtimeChannel, RealtimeClient, RealtimePostgresChangesPayload } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as frames from '../../src/protocols/realtime/frames.ts';
import {
  pause,
  type RealtimeServer,
  startRealtime,
  subscribed,
  type TestUser,
  tokenOf,
  until,
  userWithRole,
  walletChange,
} from './realtime-server.ts';

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;
type Event = 'INSERT' | 'UPDATE' | 'DELETE' | '*';

let server: RealtimeServer;
const assigned = new Map<string, string>();
beforeEach(async () => {
  server = await startRealtime({
    isAssigned: async (managerId, userId) => {
      // Later queries are answered sooner: the order must not depend on it.
      await pause(Math.random() * 20);
      return assigned.get(userId) === managerId;
    },
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

function listen(channel: RealtimeChannel, filter: { event?: Event; table?: string; filter?: string } = {}) {
  const seen: Payload[] = [];
  channel.on(
    'postgres_changes',
    { schema: 'public', table: 'wallets', ...filter, event: filter.event ?? '*' } as {
      event: '*';
      schema: string;
    },
    (payload: Payload) => seen.push(payload),
  );
  return seen;
}

async function subscribe(client: RealtimeClient, topic: string, filter?: Parameters<typeof listen>[1]) {
  const channel = client.channel(topic);
  const seen = listen(channel, filter);
  return { channel, seen, answer: await subscribed(channel) };
}

function position(holder: TestUser, type: RowChange['type'] = 'INSERT', symbol = 'BTCUSDT'): RowChange {
  const id = randomUUID();
  return {
    table: 'positions',
    type,
    userId: holder.userId,
    record: type === 'DELETE' ? null : { id, user_id: holder.userId, symbol, size: 0.5, leverage: 10 },
    oldRecord: type === 'INSERT' ? null : { id },
    committedAt: new Date().toISOString(),
  };
}

describe('what a subscription gets', () => {
  const trader = userWithRole('trader');

  test('own changes arrive as realtime-js types them', async () => {
    const client = await server.client(trader);
    const { seen, answer } = await subscribe(client, `user:${trader.userId}`);
    expect(answer.status).toBe('SUBSCRIBED');
    const change = walletChange(trader.userId, 7);
    server.announce(change);
    await until(() => seen.length === 1);
    expect(seen[0]).toEqual({
      schema: 'public',
      table: 'wallets',
      commit_timestamp: change.committedAt,
      eventType: 'UPDATE',
      new: change.record,
      old: change.oldRecord,
      errors: null,
    });
  });

  test('inserts carry the new row, deletes the old key', async () => {
    const client = await server.client(trader);
    const { seen } = await subscribe(client, `user:${trader.userId}`, { table: 'positions' });
    const [opened, deleted] = [position(trader), position(trader, 'DELETE')];
    server.announce(opened, deleted);
    await until(() => seen.length === 2);
    expect(seen[0]).toMatchObject({ eventType: 'INSERT', new: opened.record, old: {} });
    expect(seen[1]).toMatchObject({ eventType: 'DELETE', new: {}, old: deleted.oldRecord });
  });

  test('the server confirms an active subscription', async () => {
    const client = await server.client(trader);
    const channel = client.channel(`user:${trader.userId}`);
    const messages: unknown[] = [];
    channel.on('system', {}, (message: unknown) => messages.push(message));
    listen(channel);
    await subscribed(channel);
    await until(() => messages.length === 1);
    expect(messages[0]).toMatchObject({ extension: 'postgres_changes', status: 'ok' });
  });

  test('events and filters choose', async () => {
    const client = await server.client(trader);
    const channel = client.channel(`user:${trader.userId}`);
    const inserts = listen(channel, { table: 'positions', event: 'INSERT' });
    const deletes = listen(channel, {
      table: 'positions',
      event: 'DELETE',
      filter: `user_id=eq.${trader.userId}`,
    });
    const euro = listen(channel, { table: 'positions', filter: 'symbol=eq.EURUSD' });
    const tenfold = listen(channel, { table: 'positions', filter: 'leverage=eq.10' });
    const large = listen(channel, { table: 'positions', filter: 'size=eq.2.50' });
    expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
    server.announce(
      position(trader),
      position(trader, 'UPDATE'),
      position(trader, 'DELETE'),
      position(trader, 'INSERT', 'EURUSD'),
    );
    await until(() => euro.length === 1 && inserts.length === 2 && tenfold.length === 3);
    expect(deletes.map(({ eventType }) => eventType)).toEqual(['DELETE']);
    expect(large).toEqual([]);
  });

  test('a change is encoded once for the devices of a user, with the same ids for the same subscription', async () => {
    const bytes = vi.spyOn(frames.SharedFrame.prototype, 'bytes');
    const devices = await Promise.all(Array.from({ length: 5 }, () => server.raw()));
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'wallets' }] };
    const replies = [];
    for (const device of devices) {
      replies.push(await device.join(`user:${trader.userId}`, { config, access_token: tokenOf(trader) }));
    }
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    server.announce(walletChange(trader.userId, 1));
    await until(() => devices.every((device) => device.frames.at(-1)?.[3] === 'postgres_changes'));
    expect(new Set(bytes.mock.results.map(({ value }) => value)).size).toBe(1);
    expect(devices[0]?.frames.at(-1)?.[0]).toBe('1');
  });

  test('an account gets a thousand changes in order, none left out', async () => {
    const client = await server.client(trader);
    const { seen } = await subscribe(client, `user:${trader.userId}`);
    for (let version = 1; version <= 1_000; version++) server.announce(walletChange(trader.userId, version));
    await until(() => seen.length === 1_000);
    expect(seen.map((payload) => (payload.new as { version: number }).version)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
  });
});

describe('what a subscription never gets', () => {
  const [trader, other] = [userWithRole('trader'), userWithRole('trader')];

  test('rows of another trader, even when it subscribes to them', async () => {
    const client = await server.client(trader);
    const { seen } = await subscribe(client, `user:${trader.userId}`);
    const subscription = await subscribe(client, 'prices', { filter: `user_id=eq.${other.userId}` });
    expect(subscription.answer.status).toBe('SUBSCRIBED');
    server.announce(walletChange(other.userId, 1), walletChange(trader.userId, 2));
    await until(() => seen.length === 1);
    await pause(100);
    expect(seen.map((payload) => (payload.new as { user_id: string }).user_id)).toEqual([trader.userId]);
    expect(subscription.seen).toEqual([]);
  });

  test('rows without an owner, unless the role reads all rows', async () => {
    const admin = userWithRole('admin');
    const mine = await subscribe(await server.client(trader), `user:${trader.userId}`);
    const theirs = await subscribe(await server.client(admin), `user:${admin.userId}`);
    server.announce({ ...walletChange(other.userId, 1), userId: null });
    await until(() => theirs.seen.length === 1);
    expect(mine.seen).toEqual([]);
  });

  test('an admin gets all rows, support none, a manager those of its traders, in order', async () => {
    const [admin, support, manager] = [
      userWithRole('admin'),
      userWithRole('support'),
      userWithRole('manager'),
    ];
    assigned.set(trader.userId, manager.userId);
    const all = await subscribe(await server.client(admin), `user:${admin.userId}`);
    const none = await subscribe(await server.client(support), `user:${support.userId}`);
    const some = await subscribe(await server.client(manager), `user:${manager.userId}`);
    expect(none.answer.reason).toBe('Changes of wallets are not offered.');
    for (let version = 1; version <= 10; version++) {
      server.announce(walletChange(trader.userId, version), walletChange(other.userId, version));
    }
    await until(() => some.seen.length === 10 && all.seen.length === 20);
    await pause(50);
    expect(some.seen.map((payload) => (payload.new as { version: number }).version)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(new Set(some.seen.map((payload) => (payload.new as { user_id: string }).user_id))).toEqual(
      new Set([trader.userId]),
    );
  });

  test('tables that are not announced, unknown columns, other operators: the join reports it', async () => {
    const client = await server.client(trader);
    const topic = `user:${trader.userId}`;
    const refused = async (filter: Parameters<typeof listen>[1]) => {
      const { answer, channel } = await subscribe(client, topic, filter);
      await client.removeChannel(channel);
      return answer.reason;
    };
    expect(await refused({ table: 'transactions' })).toBe('Changes of transactions are not offered.');
    expect(await refused({ table: 'sessions' })).toBe('Changes of sessions are not offered.');
    expect(await refused({ filter: 'password=eq.1' })).toMatch(/is not offered: use column=eq.value/);
    expect(await refused({ filter: 'version=gt.1' })).toMatch(/is not offered/);
    expect(await refused({ filter: 'version=eq.one' })).toMatch(/is not offered/);
    expect(await refused({ filter: 'user_id=eq.me' })).toMatch(/is not offered/);
  });

  test('anything when assignments cannot be looked up: the channel fails and its client reads again', async () => {
    await server.close();
    server = await startRealtime({ isAssigned: () => Promise.reject(new Error('the database is away')) });
    const manager = userWithRole('manager');
    const raw = await server.raw();
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'wallets' }] };
    await raw.join(`user:${manager.userId}`, { config, access_token: tokenOf(manager) });
    server.announce(walletChange(trader.userId, 1));
    await until(() => raw.frames.find((frame) => frame[3] === 'phx_error'));
    expect(raw.frames.map((frame) => frame[3])).toEqual(['phx_reply', 'system', 'phx_error']);
  });

  test('changes after its manager lost the trader', async () => {
    const manager = userWithRole('manager');
    assigned.set(trader.userId, manager.userId);
    const { seen } = await subscribe(await server.client(manager), `user:${manager.userId}`);
    server.announce(walletChange(trader.userId, 1));
    await until(() => seen.length === 1);
    assigned.delete(trader.userId);
    server.announce(walletChange(trader.userId, 2));
    await pause(150);
    expect(seen.length).toBe(1);
  });
});
