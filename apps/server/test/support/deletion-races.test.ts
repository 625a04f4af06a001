/** An account is deleted while both sides write, read and close: no deadlock, and no row of it stays. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ChatServer,
  type ChatUser,
  message,
  openSession,
  startChatServer,
  write,
} from './chat-users.ts';

let server: ChatServer;
let admin: ChatUser;
let agents: readonly ChatUser[];
beforeAll(async () => {
  server = await startChatServer();
  admin = await server.addChatUser('admin');
  agents = [await server.addChatUser('support'), await server.addChatUser('support')];
});
afterAll(() => server.close());

const deletion = (user: ChatUser) =>
  admin.client.rpc('delete_user_with_data', {
    p_user_id: user.id,
    p_reason: 'Requested it',
    p_client_id: randomUUID(),
  });

/** All that happens to a conversation, at once and in no order. */
const everything = (trader: ChatUser, agent: ChatUser, id: string) => [
  ...Array.from({ length: 4 }, (_, n) => trader.client.from('chat_messages').insert(message(id, `Ask ${n}`))),
  ...Array.from({ length: 2 }, (_, n) => agent.client.from('chat_messages').insert(message(id, `Say ${n}`))),
  trader.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 2 }),
  agent.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 2 }),
  agent.client.from('chat_sessions').update({ status: 'closed' }).eq('id', id).eq('status', 'open'),
  trader.client.rpc('open_chat_session', {}),
];

/** After how many of the acts the deletion is asked for. */
test.each([0, 3, 7])(
  'A73: of a trader, in the middle of the conversation, after %i actions',
  async (before) => {
    const agent = agents[0]!;
    server.clock.advance(10_001);
    const trader = await server.addChatUser('trader');
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    await write(agent, id, 'Hello yourself');
    const actions = everything(trader, agent, id);
    const answers = await Promise.all([
      ...actions.slice(0, before),
      deletion(trader),
      ...actions.slice(before),
    ]);
    expect(answers[before]).toMatchObject({ error: null });
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const { rows } = await server.db.query(
      `select (select count(*)::int from app.chat_sessions where user_id = $1) as sessions,
            (select count(*)::int from app.chat_messages where user_id = $1) as messages`,
      [trader.id],
    );
    expect(rows).toEqual([{ sessions: 0, messages: 0 }]);
  },
);

test('A73: of an agent, whose messages stay without a sender', async () => {
  const [, leaving] = agents;
  const trader = await server.addChatUser('trader');
  server.clock.advance(10_001);
  const { id } = await openSession(trader);
  await write(trader, id, 'Hello');
  await write(leaving!, id, 'Hello yourself');
  const answers = await Promise.all([...everything(trader, leaving!, id), deletion(leaving!)]);
  expect(answers.at(-1)).toMatchObject({ error: null });
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const { data: stored } = await trader.client
    .from('chat_messages')
    .select('content, sender_id, sender_role, sender_name')
    .eq('session_id', id)
    .eq('sender_role', 'support')
    .throwOnError();
  expect(stored.length).toBeGreaterThan(0);
  for (const row of stored) expect(row).toMatchObject({ sender_id: null, sender_name: null });
});
