/** Quick search by typed or pasted text, each role within its scope, with the official client against the real server. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, expect, test } from 'vitest';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

const nothing = { users: [], positions: [], chats: [], messages: [] };

type Args = Database['public']['Functions']['quick_search']['Args'];

let mona: TestUser;
let max: TestUser;
let sam: TestUser;
let alice: TestUser;
let bob: TestUser;

const rename = (user: TestUser, username: string) =>
  floor.db.query('update app.users set username = $2 where id = $1', [user.id, username]);

async function find(by: TestUser, args: Args) {
  const client = by.client as SupabaseClient<Database>;
  return (await client.rpc('quick_search', args).throwOnError()).data;
}
const idsOf = async (by: TestUser, args: Args) => (await find(by, args)).users.map(({ id }) => id);

shareTradingServer();
beforeAll(async () => {
  [mona, max, sam] = [
    await floor.addUser('manager'),
    await floor.addUser('manager'),
    await floor.addUser('support'),
  ];
  alice = await floor.addUser('trader', { managerId: mona.id });
  bob = await floor.addUser('trader', { managerId: max.id });
  await rename(alice, 'Quill');
  await rename(bob, 'tranquil');
  await rename(mona, 'quilla');
});

test('exact names come first, then names with the prefix, then the others', async () => {
  expect(await idsOf(floor.admin, { p_text: ' QUILL ' })).toEqual([alice.id, mona.id]);
  expect(await idsOf(floor.admin, { p_text: 'quil' })).toEqual([alice.id, mona.id, bob.id]);
  expect(await idsOf(floor.admin, { p_text: bob.email })).toEqual([bob.id]);
  const { users } = await find(floor.admin, { p_text: 'tranquil' });
  expect(users).toEqual([
    {
      id: bob.id,
      username: 'tranquil',
      email: bob.email,
      role: 'trader',
      kyc_status: 'unverified',
      restricted_at: null,
      manager: max.username,
      chat_session_id: null,
    },
  ]);
  // Signs of a pattern are letters.
  expect(await idsOf(floor.admin, { p_text: 'q%l' })).toEqual([]);
  expect(await find(floor.admin, {})).toEqual(nothing);
});

test('addresses with the prefix come next; beyond the limit the first by name are listed, and none twice', async () => {
  const named = [
    'b jonquil',
    'a jonquil',
    'jonquil z',
    'jonquil a',
    'c',
    'd jonquil',
    'e jonquil',
    'f jonquil',
    'g',
  ];
  const users = await Promise.all(named.map(() => floor.addUser('trader')));
  await Promise.all(users.map((user, at) => rename(user, named[at]!)));
  const byAddress = users[named.indexOf('c')]!;
  await floor.db.query('update app.users set email = $2 where id = $1', [
    byAddress.id,
    'jonquil@home.example',
  ]);
  const elsewhere = users[named.indexOf('g')]!;
  await floor.db.query('update app.users set email = $2 where id = $1', [
    elsewhere.id,
    'a.jonquil@home.example',
  ]);
  const names = async (p_text: string) =>
    (await find(floor.admin, { p_text })).users.map(({ username }) => username);
  const all = [
    'jonquil a',
    'jonquil z',
    'c',
    'a jonquil',
    'b jonquil',
    'd jonquil',
    'e jonquil',
    'f jonquil',
  ];
  expect(await names('jonquil')).toEqual(all);
  expect(await names('jonquil@')).toEqual(['c', 'g']);
  expect(await names('a jonquil')).toEqual(['a jonquil']);
});

test('an id finds its account, or a position with its owner, also in the shortened form of a page', async () => {
  const { id } = await floor.open(bob);
  for (const text of [bob.id, bob.id.toUpperCase(), bob.id.slice(0, 8), bob.id.slice(0, 11)]) {
    expect(await idsOf(floor.admin, { p_text: text }), text).toEqual([bob.id]);
  }
  const expected = {
    id,
    user_id: bob.id,
    username: 'tranquil',
    symbol: 'BTCUSDT',
    side: 'BUY',
    status: 'open',
  };
  for (const text of [id, id.slice(0, 8)]) {
    expect((await find(floor.admin, { p_text: text })).positions, text).toMatchObject([expected]);
  }
  await floor.call(bob, 'close_position', { p_position_id: id });
  expect((await find(max, { p_text: id })).positions).toMatchObject([{ ...expected, status: 'closed' }]);
  expect(await find(floor.admin, { p_text: randomUUID() })).toEqual(nothing);
});

test('recent entries are listed in their order, and deleted ones are left out', async () => {
  const requested = [bob.id, randomUUID(), alice.id];
  expect(await idsOf(floor.admin, { p_user_ids: requested })).toEqual([bob.id, alice.id]);
});

test('MGR-08: a manager finds their own traders and positions only, by any text', async () => {
  const { id } = await floor.open(bob);
  expect(await idsOf(mona, { p_text: 'quil' })).toEqual([alice.id]);
  expect(await idsOf(mona, { p_text: '@' })).toEqual([alice.id]);
  for (const text of [bob.id, bob.email, id, id.slice(0, 8), mona.id, max.email]) {
    expect(await find(mona, { p_text: text }), text).toEqual(nothing);
  }
  expect(await idsOf(mona, { p_user_ids: [bob.id, alice.id, max.id] })).toEqual([alice.id]);
});

test('A103: an agent finds the traders of their conversations, with the conversation, and no position', async () => {
  const { id } = await floor.open(alice);
  expect(await idsOf(sam, { p_text: 'quil' })).toEqual([]);
  const { data: chat } = await alice.client.rpc('open_chat_session').throwOnError();
  const { id: chatId } = chat as { id: string };
  const { users } = await find(sam, { p_text: 'quil' });
  expect(users).toMatchObject([{ id: alice.id, chat_session_id: chatId }]);
  expect(await find(sam, { p_text: id })).toEqual(nothing);
  // It leads the agent to the trader; other roles do not get it.
  expect((await find(floor.admin, { p_text: alice.id })).users).toMatchObject([{ chat_session_id: null }]);
});

test.each<[string, Args]>([
  ['a text without end', { p_text: 'x'.repeat(101) }],
  ['half a surrogate pair', { p_text: '\ud800' }],
  ['too many at once', { p_user_ids: Array.from({ length: 9 }, () => randomUUID()) }],
  ['an id that is none', { p_user_ids: ['me'] }],
])('refuses %s', async (_, args) => {
  expect((await floor.admin.client.rpc('quick_search', args)).status).toBe(400);
});

test('A103: a phone number in any form, a chat session and a contact message are found, each by who reads them', async () => {
  const kim = await floor.addUser('trader', { managerId: mona.id });
  await floor.db.query('update app.users set phone_number = $2 where id = $1', [kim.id, '+351912345678']);
  for (const p_text of ['+351 912-345-678', '912 345', '2345678']) {
    expect(await idsOf(floor.admin, { p_text })).toEqual([kim.id]);
  }
  expect(await idsOf(mona, { p_text: '912345678' })).toEqual([kim.id]);
  expect(await idsOf(max, { p_text: '912345678' })).toEqual([]);
  expect(await idsOf(floor.admin, { p_text: '912' })).toEqual([]);

  const chat = randomUUID();
  await floor.db.query(
    `insert into app.chat_sessions (id, user_id, status, created_at, updated_at) values ($1, $2, 'open', now(), now())`,
    [chat, kim.id],
  );
  const message = randomUUID();
  await floor.db.query(
    `insert into app.contact_forms (id, name, email, subject, message, created_at, updated_at)
     values ($1, 'Vera', 'vera@example.test', 'A question', 'How?', now(), now())`,
    [message],
  );
  for (const p_text of [chat, chat.slice(0, 8)]) {
    const found = [{ id: chat, user_id: kim.id, username: kim.username, status: 'open' }];
    expect((await find(floor.admin, { p_text })).chats).toMatchObject(found);
    expect((await find(sam, { p_text })).chats).toMatchObject(found);
    expect((await find(mona, { p_text })).chats).toEqual([]);
  }
  const found = [{ id: message, name: 'Vera', subject: 'A question', status: 'new' }];
  expect((await find(floor.admin, { p_text: message.slice(0, 8) })).messages).toMatchObject(found);
  for (const by of [mona, sam]) expect((await find(by, { p_text: message })).messages).toEqual([]);
});
