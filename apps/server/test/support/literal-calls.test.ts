/** The calls of the documents about support, to the letter and with the official client, and the fields they answer. */
import { texts } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatServer, type ChatUser, openSession, startChatServer, write } from './chat-users.ts';

let server: ChatServer;
let agent: ChatUser;
let trader: ChatUser;
beforeAll(async () => {
  server = await startChatServer();
  [agent, trader] = await Promise.all([server.addChatUser('support'), server.addChatUser('trader')]);
});
afterAll(() => server.close());

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

const listed = async ({ client }: ChatUser) =>
  (
    await client
      .from('chat_sessions')
      .select('*, user:users(username, email)')
      .eq('status', 'open')
      .order('created_at', { ascending: false })
      .throwOnError()
  ).data;
const close = ({ client, id }: ChatUser, sessionId: string, status = 'closed') =>
  client
    .from('chat_sessions')
    .update({
      // A test sends what the types forbid.
      status: status as 'closed',
      closed_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
      support_id: id,
    })
    .eq('id', sessionId)
    .eq('status', 'open')
    .select();

test('CHAT-39, ENT-31, ENT-32, ENT-33, ENT-34: support sees an open session, replies and closes it; each row has the stated fields', async () => {
  const { id } = await openSession(trader);
  await write(trader, id, 'Where is my margin?');
  const stranger = await server.addChatUser('trader');
  expect(await listed(stranger)).toEqual([]);

  const fields = { id, user_id: trader.id, created_at: timestamp, updated_at: timestamp };
  expect((await listed(agent)).find((session) => session.id === id)).toMatchObject({
    ...fields,
    status: 'open',
    closed_at: null,
    support_id: null,
    unread_count: 1,
    user: { username: trader.username, email: trader.email },
  });
  const { data: reply } = await agent.client
    .from('chat_messages')
    .insert({
      session_id: id,
      sender_id: agent.id,
      content: 'In the wallet.',
      read_at: new Date().toISOString(),
    })
    .select()
    .single()
    .throwOnError();
  expect(reply).toMatchObject({
    id: uuid,
    session_id: id,
    sender_id: agent.id,
    content: 'In the wallet.',
    created_at: timestamp,
    read_at: timestamp,
  });
  const { data: question } = await agent.client
    .from('chat_messages')
    .select('id, session_id, sender_id, content, created_at, read_at')
    .eq('session_id', id)
    .order('created_at', { ascending: true })
    .limit(1)
    .single()
    .throwOnError();
  expect(question).toEqual({
    id: uuid,
    session_id: id,
    sender_id: trader.id,
    content: 'Where is my margin?',
    created_at: timestamp,
    read_at: null,
  });

  expect(await close(trader, id)).toMatchObject({ status: 403 });
  expect(await close(agent, id, 'paused')).toMatchObject({ status: 400 });
  const { data: closed } = await close(agent, id).throwOnError();
  expect(closed).toEqual([
    expect.objectContaining({ ...fields, status: 'closed', closed_at: timestamp, support_id: agent.id }),
  ]);
  expect((await listed(agent)).map((session) => session.id)).not.toContain(id);
  expect(
    await agent.client.from('chat_messages').insert({ session_id: id, content: 'Still there?' }),
  ).toMatchObject({ error: { message: texts.sessionClosed } });
});

test('CHAT-39, CALL-78, CALL-79, ENT-36, ENT-37: details of support are read by support, and each agent sets their own availability', async () => {
  const own = async () =>
    (await agent.client.from('support_details').select('*').eq('user_id', agent.id).single().throwOnError())
      .data;
  const choose = (status: string) =>
    agent.client
      .from('support_details')
      // A test sends what the types forbid.
      .update({ status: status as 'busy' })
      .eq('user_id', agent.id);
  expect(await own()).toEqual({
    user_id: agent.id,
    status: 'offline',
    level: expect.any(String),
    department: expect.any(String),
    workingHours: { start: '09:00', end: '17:00', timezone: 'UTC' },
    specializations: expect.any(Array),
  });
  for (const status of ['available', 'busy', 'offline'] as const) {
    expect(await choose(status)).toMatchObject({ error: null });
    expect(await own()).toMatchObject({ status });
  }
  expect(await choose('asleep')).toMatchObject({ status: 400 });
  expect(await own()).toMatchObject({ status: 'offline' });
  expect(await trader.client.from('support_details').select('*')).toMatchObject({ status: 403 });
});

test('direct writes by support are refused with the reason', async () => {
  const { id } = await openSession(await server.addChatUser('trader'));
  const keep = async (shortcut: string, content = 'Hello.') =>
    (await agent.client.from('canned_replies').insert({ shortcut, content })).error?.message;
  expect(await keep('hello')).toBeUndefined();
  expect(await keep('hello')).toBe(texts.cannedTaken);
  expect(await keep('Hello there')).toBe(texts.cannedShortcut);
  expect(await keep('blank', ' \u200b')).toBe(texts.cannedContent);
  for (let n = 1; n < 100; n += 1) await keep(`hello-${n}`);
  expect(await keep('one-more')).toBe(texts.cannedFull);
  const note = (content: string) => agent.client.from('chat_notes').insert({ session_id: id, content });
  expect((await note('x'.repeat(4001))).error?.message).toBe(texts.noteContent);
});
