/** Orders, notifications and equity through the official client, as the specification requests them. */
import type { RowChange } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { namedUsers, notificationOf, orderOf, positionOf, server, shareRestServer } from './rest-server.ts';

shareRestServer();

test('CALL-44: orders by user and status, the latest first', async () => {
  const orders = (user: 'alice' | 'mona' | 'ada', whose: string) =>
    server.as(user).from('orders').select('status').eq('user_id', whose);
  const latestFirst = { ascending: false };
  expect((await orders('alice', namedUsers.alice.id).order('created_at', latestFirst)).data).toEqual([
    { status: 'NEW' },
    { status: 'REJECTED' },
    { status: 'CANCELED' },
  ]);
  const open = await server
    .as('alice')
    .from('orders')
    .select('*')
    .eq('user_id', namedUsers.alice.id)
    .eq('status', 'NEW')
    .order('created_at', latestFirst);
  expect(open.data).toMatchObject([
    { id: orderOf.alice, type: 'LIMIT', price: 99.5, size: 0.1, reserved: 0.995, position_id: null },
  ]);
  expect((await orders('alice', namedUsers.bob.id)).data).toEqual([]);
  expect((await orders('mona', namedUsers.alice.id).eq('status', 'REJECTED')).data).toHaveLength(1);
  expect((await orders('mona', namedUsers.bob.id)).data).toEqual([]);
  expect((await orders('ada', namedUsers.bob.id)).data).toHaveLength(3);
  const named = await server
    .as('mona')
    .from('orders')
    .select('id, users!user_id(username)')
    .eq('status', 'NEW');
  expect(named.data).toEqual([{ id: orderOf.alice, users: { username: 'alice' } }]);
});

test('A104: a trader reads their own notifications only', async () => {
  const unread = (user: 'alice' | 'bob') =>
    server
      .as(user)
      .from('notifications')
      .select('id, kind, read_at')
      .is('read_at', null)
      .order('created_at', { ascending: false });
  expect((await unread('alice')).data).toEqual([
    { id: expect.any(String), kind: 'stop_loss', read_at: null },
    { id: notificationOf.alice, kind: 'margin_warning', read_at: null },
  ]);
  for (const user of ['mona', 'sam', 'ada'] as const) {
    expect(await server.as(user).from('notifications').select('id')).toMatchObject({ status: 403 });
  }
});

test('A104: a trader marks a notification as read, and changes no other column', async () => {
  const notifications = (token = 'alice') => server.withToken(token).from('notifications');
  const read_at = '2026-11-21T09:00:00.000Z';
  const marked = await notifications()
    .update({ read_at })
    .eq('id', notificationOf.alice)
    .select('id, read_at');
  expect(marked).toMatchObject({
    status: 200,
    data: [{ id: notificationOf.alice, read_at: '2026-11-21T09:00:00+00:00' }],
  });
  const all = await notifications().update({ read_at }, { count: 'exact' }).is('read_at', null);
  expect(all).toMatchObject({ status: 204, count: 1 });
  expect(await notifications().update({ read_at }).eq('id', notificationOf.bob).select()).toMatchObject({
    status: 200,
    data: [],
  });
  const id = notificationOf.alice;
  for (const refused of [
    notifications().update({ message: 'all is well' }).eq('id', id),
    notifications().update({ user_id: namedUsers.bob.id }).eq('id', id),
    notifications('ada').update({ read_at }).eq('id', id),
    notifications('ada as alice').update({ read_at: null }).eq('id', id),
    notifications().insert({ kind: 'fill', message: 'invented' }),
    notifications().delete().eq('id', id),
  ]) {
    expect((await refused).status).toBe(403);
  }
  const { rows } = await server.db.query(
    'select count(*)::int as read from app.notifications where read_at is not null and user_id = $1',
    [namedUsers.bob.id],
  );
  expect(rows).toEqual([{ read: 0 }]);
});

test('A104: what is read in one place is announced to the others, once it is committed', async () => {
  const received: RowChange[] = [];
  const off = server.bus.subscribe('account.changed', ({ changes }) => received.push(...changes));
  const notifications = () => server.as('bob').from('notifications');
  const read_at = '2026-11-21T09:30:00Z';
  await notifications().update({ read_at }).eq('id', notificationOf.bob).select('read_at').single();
  expect(received).toEqual([
    {
      table: 'notifications',
      type: 'UPDATE',
      userId: namedUsers.bob.id,
      record: {
        id: notificationOf.bob,
        user_id: namedUsers.bob.id,
        kind: 'margin_warning',
        message: 'reported',
        symbol: 'BTCUSDT',
        position_id: positionOf.bob,
        order_id: null,
        created_at: '2026-11-21T08:00:00+00:00',
        read_at: '2026-11-21T09:30:00+00:00',
      },
      oldRecord: { id: notificationOf.bob },
      committedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  // Refused, and nothing to write.
  await notifications().update({ read_at }).gt('created_at', '2026-01-01').select().single();
  await notifications().update({ read_at }).eq('id', notificationOf.alice);
  // A table without announced changes.
  await server.as('bob').from('favorites').insert({ symbol: 'BTCUSDT' });
  expect(received).toHaveLength(1);
  await notifications().update({ read_at: null }).gt('created_at', '2026-01-01');
  expect(received).toHaveLength(3);
  off();
});

test('A108: equity over time, of oneself, of assigned traders, and of everybody for an admin', async () => {
  const equity = (user: 'alice' | 'mona' | 'ada', whose: string) =>
    server
      .as(user)
      .from('equity_snapshots')
      .select('at, balance, equity')
      .eq('user_id', whose)
      .gte('at', '2026-11-21T10:00:00Z')
      .order('at', { ascending: true });
  const curve = [
    { at: '2026-11-21T10:00:00+00:00', balance: 10000, equity: 10000.00000002 },
    { at: '2026-11-21T11:00:00+00:00', balance: 10000, equity: 10000.00000003 },
  ];
  expect((await equity('alice', namedUsers.alice.id)).data).toEqual(curve);
  expect((await equity('mona', namedUsers.alice.id)).data).toEqual(curve);
  expect((await equity('ada', namedUsers.bob.id)).data).toEqual(curve);
  expect((await equity('alice', namedUsers.bob.id)).data).toEqual([]);
  expect((await equity('mona', namedUsers.bob.id)).data).toEqual([]);
  expect((await server.as('sam').from('equity_snapshots').select()).status).toBe(403);
  expect((await server.as('alice').from('equity_snapshots').delete().gt('equity', 0)).status).toBe(403);
});
