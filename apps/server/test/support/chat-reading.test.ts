/** Reading a conversation: marks, pages, live changes and notices. */
import { texts } from '@fulcrum/contract';
import { describe, expect, test } from 'vitest';
import { until } from '../realtime/realtime-server.ts';
import {
  agent,
  type ChatUser,
  listen,
  openSession,
  server,
  sessionOf,
  shareChat,
  trader,
  write,
} from './chat-users.ts';

shareChat();

describe('reading', () => {
  test('CHAT-10, CHAT-20, A64: marks go forward only, not beyond the last message, and an unchanged one is not announced', async () => {
    const { id } = await openSession(trader);
    for (const content of ['one', 'two', 'three']) await write(trader, id, content);
    const received = await listen(agent, `session_id=eq.${id}`);
    const mark = async ({ client }: ChatUser, p_seq: number) =>
      (await client.rpc('mark_chat_read', { p_session_id: id, p_seq }).throwOnError()).data;
    expect(await mark(agent, 2)).toMatchObject({ support_seen_seq: 2, unread_count: 1 });
    const before = await mark(agent, 1);
    expect(before).toMatchObject({ support_seen_seq: 2, unread_count: 1 });
    expect(await mark(agent, 99)).toMatchObject({
      support_seen_seq: 3,
      unread_count: 0,
      version: before.version + 1,
    });
    expect(await mark(agent, 99)).toMatchObject({ support_seen_seq: 3, version: before.version + 1 });
    await write(agent, id, 'four');
    expect((await openSession(trader)).trader_unread_count).toBe(1);
    const seen = await mark(trader, 4);
    expect(seen).toMatchObject({ trader_seen_seq: 4, trader_unread_count: 0, support_seen_seq: 3 });
    await until(() => received.some(({ row }) => row.trader_seen_seq === 4));
    const updates = received.filter(({ table, type }) => table === 'chat_messages' && type === 'UPDATE');
    expect(updates.map(({ row }) => row.seq)).toEqual([1, 2, 3]);
    const sessions = received.filter(({ table, row }) => table === 'chat_sessions' && row.id === id);
    const versions = sessions.map(({ row }) => row.version);
    expect(new Set(versions).size).toBe(versions.length);
  });

  test('CALL-72, CALL-73, CHAT-09: the documents’ count and update, of the other side’s messages', async () => {
    const { id } = await openSession(trader);
    for (const content of ['one', 'two']) await write(trader, id, content);
    await write(agent, id, 'three');
    const unread = () =>
      agent.client
        .from('chat_messages')
        .select('*', { count: 'exact', head: true })
        .eq('session_id', id)
        .neq('sender_id', agent.id)
        .is('read_at', null);
    expect((await unread()).count).toBe(2);
    const second = await agent.client
      .from('chat_messages')
      .update({ read_at: '2001-01-01T00:00:00Z' })
      .eq('session_id', id)
      .eq('seq', 2)
      .select()
      .single()
      .throwOnError();
    expect(Date.parse(second.data.read_at!)).toBeGreaterThan(Date.parse(second.data.created_at));
    // The first one is still unread, so the mark stays before it.
    expect(await sessionOf(agent, id)).toMatchObject({ unread_count: 1, support_seen_seq: 0 });
    await agent.client
      .from('chat_messages')
      .update({ read_at: new Date().toISOString() })
      .eq('session_id', id)
      .neq('sender_id', agent.id)
      .is('read_at', null)
      .throwOnError();
    expect((await unread()).count).toBe(0);
    expect(await sessionOf(agent, id)).toMatchObject({ unread_count: 0, support_seen_seq: 2 });
    const own = await trader.client
      .from('chat_messages')
      .update({ read_at: new Date().toISOString() })
      .eq('session_id', id)
      .select('seq')
      .throwOnError();
    expect(own.data).toEqual([{ seq: 3 }]);
    expect(await sessionOf(agent, id)).toMatchObject({ trader_seen_seq: 3, trader_unread_count: 0 });
    expect(
      (await agent.client.from('chat_messages').update({ read_at: null }).eq('session_id', id)).status,
    ).toBe(400);
  });

  test('CALL-71: the messages of a session, oldest first, and in pages of one moment', async () => {
    const { id } = await openSession(trader);
    await server.db.query(
      `with s as (update app.chat_sessions set last_seq = 450, version = 2 where id = $1 returning id, user_id)
       insert into app.chat_messages (session_id, user_id, seq, sender_id, sender_role, content, created_at)
       select s.id, s.user_id, n, s.user_id, 'trader', 'message ' || n, now() + n * interval '1 ms' from s, generate_series(1, 450) n`,
      [id],
    );
    const { data } = await trader.client
      .from('chat_messages')
      .select('seq')
      .eq('session_id', id)
      .order('created_at', { ascending: true })
      .throwOnError();
    expect(data.map(({ seq }) => seq)).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
    const page = async (p_after_seq: number, p_before_seq?: number) => {
      const args = { p_session_id: id, p_after_seq, ...(p_before_seq && { p_before_seq }) };
      const { data } = await trader.client.rpc('get_chat_updates', args).throwOnError();
      const seqs = data.messages.map(({ seq }) => seq);
      expect(data.session).toMatchObject({ id, last_seq: 450 });
      return [seqs[0], seqs.at(-1), seqs.length, data.has_more];
    };
    expect(await page(0)).toEqual([1, 200, 200, true]);
    expect(await page(400)).toEqual([401, 450, 50, false]);
    expect(await page(450)).toEqual([undefined, undefined, 0, false]);
    expect(await page(0, 451)).toEqual([251, 450, 200, true]);
    expect(await page(0, 51)).toEqual([1, 50, 50, false]);
  });

  test('CALL-75, CALL-76, CHAT-06, CHAT-34, CHAT-35: inserts arrive live, for permitted callers', async () => {
    const other = await server.addChatUser('trader');
    const [agents, others] = [await listen(agent), await listen(other)];
    const { id } = await openSession(trader);
    const traders = await listen(trader, `session_id=eq.${id}`);
    await until(() =>
      agents.some(({ table, type, row }) => table === 'chat_sessions' && type === 'INSERT' && row.id === id),
    );
    const answer = await write(agent, id, 'Hello');
    for (const received of [agents, traders]) {
      const insert = await until(() =>
        received.find(({ table, row }) => table === 'chat_messages' && row.id === answer.id),
      );
      expect(insert).toEqual({ table: 'chat_messages', type: 'INSERT', row: answer });
      await until(() => received.find(({ table, row }) => table === 'chat_sessions' && row.last_seq === 1));
    }
    expect(others).toEqual([]);
  });

  test('a reply causes one notice; reading it also reads the notice, and none follows for a while', async () => {
    const { id } = await openSession(trader);
    const received = await listen(trader);
    const rung = async () =>
      (await trader.client.from('notifications').select('kind, message, read_at').throwOnError()).data;
    for (const content of ['one', 'two']) await write(agent, id, content);
    await trader.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 1 }).throwOnError();
    expect(await rung()).toEqual([{ kind: 'chat_reply', message: texts.chatReply, read_at: null }]);
    await trader.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 2 }).throwOnError();
    const [seen] = (await rung()) ?? [];
    expect(seen?.read_at).not.toBeNull();
    await until(() => received.some(({ table, row }) => table === 'notifications' && row.read_at !== null));
    await write(agent, id, 'three');
    expect(await rung()).toHaveLength(1);
    await trader.client
      .from('notifications')
      .update({ read_at: new Date(server.clock.now() - 3 * 60_000).toISOString() })
      .eq('kind', 'chat_reply')
      .throwOnError();
    await trader.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 3 }).throwOnError();
    await write(agent, id, 'four');
    expect(await rung()).toHaveLength(2);
    await until(
      () => received.filter(({ table, type }) => table === 'notifications' && type === 'INSERT').length === 2,
    );
  });
});
