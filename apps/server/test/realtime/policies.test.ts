/** Policies are evaluated again with each token, and end with the rights that they depend on. */
import type { RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  impersonating,
  pause,
  type RealtimeServer,
  startRealtime,
  subscribed,
  tokenOf,
  until,
  userWithRole,
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

const [trader, other, admin] = [userWithRole('trader'), userWithRole('trader'), userWithRole('admin')];

test('a token of another user filters a table channel again, without a frame of the first user', async () => {
  const client = await server.client(trader);
  const { owners, statuses } = wallets(client, 'prices');
  await until(() => statuses.includes('SUBSCRIBED'));
  server.announce(walletChange(trader.userId, 1));
  await until(() => owners.length === 1);
  await client.setAuth(tokenOf(other));
  // The reply to a later event proves that the token has been processed.
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
  await client.setAuth(tokenOf(userWithRole('support')));
  await until(() => statuses.includes('CHANNEL_ERROR'));
  expect(server.realtime.state().channels).toBe(0);
});

test('a switch to another user ends the channel of the first, and the client joins the other’s', async () => {
  const client = await server.client(admin);
  const own = wallets(client, `user:${admin.userId}`);
  await until(() => own.statuses.includes('SUBSCRIBED'));
  const impersonator = impersonating(admin, trader);
  await client.setAuth(tokenOf(impersonator));
  await until(() => own.statuses.includes('CHANNEL_ERROR'));
  expect((await subscribed(client.channel(`user:${trader.userId}`))).status).toBe('SUBSCRIBED');
  // Back again: the errored channel joins by itself once the token fits.
  await client.setAuth(tokenOf(admin));
  await until(() => own.statuses.at(-1) === 'SUBSCRIBED');
});

test('the end of an impersonation fails its channels at once, and those of the session stay', async () => {
  const impersonator = impersonating(admin, trader);
  const [own, viewing] = [await server.raw(), await server.raw()];
  await own.join(`user:${admin.userId}`, { access_token: tokenOf(admin) });
  await viewing.join(`user:${trader.userId}`, { access_token: tokenOf(impersonator) });
  server.endImpersonation(impersonator);
  const failed = await until(() => viewing.frames.find((frame) => frame[3] === 'phx_error'));
  expect(failed[4]).toEqual({ reason: 'The impersonation has ended.' });
  const again = await viewing.join(`user:${trader.userId}`, { access_token: tokenOf(impersonator) }, '2');
  expect(again.status).toBe('error');
  await pause(50);
  expect(own.frames.map((frame) => frame[3])).toEqual(['phx_reply']);
  expect(server.realtime.state().channels).toBe(1);
});

test('the end of a session ends the channels of its impersonation', async () => {
  const impersonator = impersonating(admin, trader);
  const raw = await server.raw();
  await raw.join(`user:${trader.userId}`, { access_token: tokenOf(impersonator) });
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
  server = await startRealtime({
    limits: {
      socketsPerAddress: 400,
      attempts: { burst: 1_000, perSecond: 100 },
      socketsPerUser: 400,
      userAttempts: { burst: 1_000, perSecond: 20 },
    },
  });
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
  expect(server.realtime.state()).toEqual({ sockets: 300, channels: 300, cut: 0, dropped: 0 });
});
