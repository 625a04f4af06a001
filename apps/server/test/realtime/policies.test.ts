/** Policies are judged anew with each token, and end with what they rested on. */
import type { RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  actingAs,
  pause,
  person,
  type RealtimeServer,
  startRealtime,
  subscribed,
  tokenOf,
  until,
  walletChange,
} from './realtime-server.ts';

let server: RealtimeServer;
beforeEach(async () => {
  server = await startRealtime();
});
afterEach(() => server.close());

/** A channel that listens for wallets, whoever they belong to. */
function wallets(client: RealtimeClient, topic: string) {
  const owners: string[] = [];
  const statuses: string[] = [];
  const channel: RealtimeChannel = client.channel(topic);
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'wallets' }, (change) => {
    owners.push((change.new as { user_id: string }).user_id);
  });
  channel.subscribe((status) => statuses.push(status));
  return { channel, owners, statuses };
}

const [trader, other, admin] = [person('trader'), person('trader'), person('admin')];

test('a token of somebody else filters a table channel anew, without a frame of the first person', async () => {
  const client = await server.client(trader);
  const { owners, statuses } = wallets(client, 'prices');
  await until(() => statuses.includes('SUBSCRIBED'));
  server.announce(walletChange(trader.userId, 1));
  await until(() => owners.length === 1);
  await client.setAuth(tokenOf(other));
  // The answer to a later event says that the token has been judged.
  await subscribed(client.channel(`user:${other.userId}`));
  server.announce(walletChange(trader.userId, 2), walletChange(other.userId, 1));
  await until(() => owners.length === 2);
  expect(owners).toEqual([trader.userId, other.userId]);
  expect(statuses).toEqual(['SUBSCRIBED']);
});

test('a token of a role that may not read the table ends the channel', async () => {
  const client = await server.client(trader);
  const { statuses } = wallets(client, 'prices');
  await until(() => statuses.includes('SUBSCRIBED'));
  await client.setAuth(tokenOf(person('support')));
  await until(() => statuses.includes('CHANNEL_ERROR'));
  expect(server.realtime.state().channels).toBe(0);
});

test('a switch to another person ends the channel of the first, and the client joins the other’s', async () => {
  const client = await server.client(admin);
  const own = wallets(client, `user:${admin.userId}`);
  await until(() => own.statuses.includes('SUBSCRIBED'));
  const acting = actingAs(admin, trader);
  await client.setAuth(tokenOf(acting));
  await until(() => own.statuses.includes('CHANNEL_ERROR'));
  expect((await subscribed(client.channel(`user:${trader.userId}`))).status).toBe('SUBSCRIBED');
  // Back again: the errored channel joins by itself once the token fits.
  await client.setAuth(tokenOf(admin));
  await until(() => own.statuses.at(-1) === 'SUBSCRIBED');
});

test('when acting as somebody else ends, its channels fail at once, and those of the session stay', async () => {
  const acting = actingAs(admin, trader);
  const [own, viewing] = [await server.raw(), await server.raw()];
  await own.join(`user:${admin.userId}`, { access_token: tokenOf(admin) });
  await viewing.join(`user:${trader.userId}`, { access_token: tokenOf(acting) });
  server.endActing(acting);
  const failed = await until(() => viewing.frames.find((frame) => frame[3] === 'phx_error'));
  expect(failed[4]).toEqual({ reason: 'Viewing as somebody else has ended.' });
  const again = await viewing.join(`user:${trader.userId}`, { access_token: tokenOf(acting) }, '2');
  expect(again.status).toBe('error');
  await pause(50);
  expect(own.frames.map((frame) => frame[3])).toEqual(['phx_reply']);
  expect(server.realtime.state().channels).toBe(1);
});

test('the end of a session ends the channels that act under it', async () => {
  const acting = actingAs(admin, trader);
  const raw = await server.raw();
  await raw.join(`user:${trader.userId}`, { access_token: tokenOf(acting) });
  server.revoke(admin);
  await until(() => raw.frames.find((frame) => frame[3] === 'phx_error'));
});

test('a change on its way to an earlier join never reaches the listeners of the next one', async () => {
  const client = await server.client(trader);
  const topic = `user:${trader.userId}`;
  const first = wallets(client, topic);
  await until(() => first.statuses.includes('SUBSCRIBED'));
  // Leaving ends the channel in the client at once, while the server knows nothing of it yet.
  void first.channel.unsubscribe();
  const second = wallets(client, topic);
  expect(second.channel).not.toBe(first.channel);
  server.announce(walletChange(trader.userId, 1));
  await until(() => second.statuses.includes('SUBSCRIBED'));
  server.announce(walletChange(trader.userId, 2));
  await until(() => second.owners.length > 0);
  await pause(50);
  expect(second.owners).toHaveLength(1);
});

test('300 sockets get every change of their account, each in order', async () => {
  await server.close();
  server = await startRealtime({ limits: { socketsPerAddress: 400, attemptsBurst: 1_000 } });
  const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'wallets' }] };
  const sockets = await Promise.all(Array.from({ length: 300 }, () => server.raw()));
  await Promise.all(
    sockets.map((raw, n) =>
      // Different refs: clients that joined other topics before.
      raw.join(`user:${trader.userId}`, { access_token: tokenOf(trader), config }, String(1 + (n % 40))),
    ),
  );
  for (let version = 1; version <= 50; version++) server.announce(walletChange(trader.userId, version));
  const versionsOf = (raw: (typeof sockets)[number]) =>
    raw.frames
      .filter((frame) => frame[3] === 'postgres_changes')
      .map((frame) => (frame[4] as unknown as { data: { record: { version: number } } }).data.record.version);
  await until(() => sockets.every((raw) => versionsOf(raw).length === 50));
  const inOrder = Array.from({ length: 50 }, (_, index) => index + 1);
  for (const raw of sockets) expect(versionsOf(raw)).toEqual(inOrder);
  expect(server.realtime.state()).toEqual({ sockets: 300, channels: 300, cut: 0 });
});
