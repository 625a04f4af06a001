/** Conversations with support from the first message to the end, as the official client of either side holds them. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { chatLimits } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../realtime/realtime-server.ts';
import {
  type ChatServer,
  type ChatUser,
  close,
  closed,
  listen,
  message,
  openSession,
  refusal,
  sessionOf,
  startChatServer,
  unknown,
  write,
} from './chat-users.ts';

let server: ChatServer;
let agent: ChatUser;
let trader: ChatUser;
beforeAll(async () => {
  server = await startChatServer();
  agent = await server.addChatUser('support');
});
beforeEach(async () => {
  server.clock.advance(chatLimits.paceMs);
  trader = await server.addChatUser('trader');
});
afterAll(() => server.close());

describe('opening', () => {
  test('CHAT-03, CHAT-04, CHAT-05, A65: many tabs at once have one session, and again with messages in it', async () => {
    const tabs = await Promise.all(Array.from({ length: 8 }, () => openSession(trader)));
    const [first] = tabs;
    expect(new Set(tabs.map(({ id }) => id)).size).toBe(1);
    expect(first).toMatchObject({
      user_id: trader.id,
      status: 'open',
      last_seq: 0,
      unread_count: 0,
      last_message: null,
    });
    await write(trader, first!.id, 'Hello');
    expect(await openSession(trader)).toMatchObject({ id: first!.id, last_seq: 1, last_message: 'Hello' });
  });

  test('CALL-66, CALL-68: the documents’ select and insert', async () => {
    const row = { user_id: trader.id, status: 'open' } as const;
    const inserted = await trader.client.from('chat_sessions').insert(row).select().single();
    expect(inserted).toMatchObject({ status: 201, data: { status: 'open', user_id: trader.id } });
    const latest = await trader.client
      .from('chat_sessions')
      .select('*')
      .eq('user_id', trader.id)
      .eq('status', 'open')
      .order('created_at', { ascending: false })
      .limit(1)
      .maybeSingle();
    expect(latest.data).toEqual(inserted.data);
    // The latest of several, and never a closed one in the place of the open one.
    const ofStatus = (status: 'open' | 'closed') =>
      trader.client
        .from('chat_sessions')
        .select('id, status')
        .eq('user_id', trader.id)
        .eq('status', status)
        .order('created_at', { ascending: false })
        .limit(1)
        .maybeSingle();
    const reported: (string | undefined)[] = [];
    for (const content of ['First', 'Second']) {
      const { data: open } = await ofStatus('open');
      reported.push(open?.id);
      await write(trader, open!.id, content);
      await close(agent, open!.id);
      server.clock.advance(60_000);
      expect(await ofStatus('closed')).toMatchObject({ data: { id: open!.id, status: 'closed' } });
      await openSession(trader);
    }
    const { data: last } = await ofStatus('open');
    expect(new Set([...reported, last?.id]).size).toBe(3);
    const foreign = await trader.client.from('chat_sessions').insert({ ...row, user_id: agent.id });
    expect(foreign.status).toBe(403);
    expect((await trader.client.from('chat_sessions').insert({ ...row, status: 'closed' })).status).toBe(400);
  });

  test('CALL-67: open ones with their traders, the newest first', async () => {
    const { id } = await openSession(trader);
    const { data } = await agent.client
      .from('chat_sessions')
      .select('*, user:users(username, email)')
      .eq('status', 'open')
      .order('created_at', { ascending: false })
      .throwOnError();
    expect(data.find((session) => session.id === id)?.user).toEqual({
      username: trader.username,
      email: trader.email,
    });
    const times = data.map(({ created_at }) => Date.parse(created_at));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
  });

  test('CALL-69, A65: an empty one is deleted, and a message to it goes to the open one; one with messages is never deleted', async () => {
    const empty = await openSession(trader);
    const remove = (by: ChatUser, id: string) =>
      by.client.from('chat_sessions').delete().eq('id', id).select('id');
    const other = await server.addChatUser('trader');
    expect((await remove(other, empty.id)).data).toEqual([]);
    const received = await listen(agent);
    expect((await remove(trader, empty.id).throwOnError()).data).toEqual([{ id: empty.id }]);
    await until(() => received.some(({ type, row }) => type === 'DELETE' && row.id === empty.id));

    const clientId = randomUUID();
    const sent = await write(trader, empty.id, 'From another tab', clientId);
    expect(sent.session_id).not.toBe(empty.id);
    expect(await openSession(trader)).toMatchObject({ id: sent.session_id, last_seq: 1 });
    expect((await remove(trader, sent.session_id)).data).toEqual([]);
    // The same attempt again, also when that one has been closed since.
    await close(agent, sent.session_id).throwOnError();
    expect(await write(trader, empty.id, 'From another tab', clientId)).toMatchObject({ id: sent.id });
    expect(refusal(await other.client.from('chat_messages').insert(message(empty.id, 'x')))).toEqual(unknown);
  });
});

describe('the end', () => {
  test('CALL-70, CHAT-28, CHAT-29, CHAT-30, A66: closed once, all read, and no further message is accepted', async () => {
    const { id } = await openSession(trader);
    const clientId = randomUUID();
    const sent = await write(trader, id, 'Bye', clientId);
    const second = await server.addChatUser('support');
    const received = await listen(trader);
    const [one, other] = await Promise.all([close(agent, id), close(second, id)]);
    expect([one, other].map(({ status }) => status)).toEqual([200, 200]);
    const rows = [...one.data!, ...other.data!];
    expect(rows).toHaveLength(1);
    const [first] = rows;
    expect(first).toMatchObject({
      status: 'closed',
      unread_count: 0,
      waiting_since: null,
      support_seen_seq: 1,
    });
    expect(first?.support_id).toBe(one.data?.length ? agent.id : second.id);
    expect(first?.closed_at).toBe(first?.updated_at);
    await until(() =>
      received.some(({ table, row }) => table === 'chat_sessions' && row.status === 'closed'),
    );
    await until(() => received.some(({ table, row }) => table === 'chat_messages' && row.read_at !== null));

    for (const sender of [trader, agent]) {
      expect(refusal(await sender.client.from('chat_messages').insert(message(id, 'Late')))).toEqual(closed);
    }
    expect(await write(trader, id, 'Bye', clientId)).toMatchObject({ id: sent.id });
    expect((await agent.client.from('chat_sessions').update({ status: 'open' }).eq('id', id)).status).toBe(
      400,
    );
    expect((await openSession(trader)).id).not.toBe(id);
    const audit = await server.audit(trader.id);
    expect(audit.filter(({ action }) => action === 'chat_session.close')).toMatchObject([
      { detail: { session_id: id } },
    ]);
  });

  test('a closed one is rated by its trader, and that can be changed for a day', async () => {
    const { id } = await openSession(trader);
    const rate = (p_score: number, p_comment: string | null = null) =>
      trader.client.rpc('rate_chat_session', { p_session_id: id, p_score, p_comment });
    expect(refusal(await rate(5))).toMatchObject({ status: 409, message: texts.chatNotClosed });
    await write(trader, id, 'Hello');
    await close(agent, id).throwOnError();
    expect((await rate(4, ' Fine ').throwOnError()).data).toMatchObject({
      rating: 4,
      rating_comment: 'Fine',
    });
    server.clock.advance(chatLimits.ratingMs - 60_000);
    const trader2 = await server.signIn(trader.email);
    const again = await trader2.rpc('rate_chat_session', { p_session_id: id, p_score: 2 });
    expect(again.data).toMatchObject({ rating: 2, rating_comment: null });
    server.clock.advance(120_000);
    const late = await trader2.rpc('rate_chat_session', { p_session_id: id, p_score: 1 });
    expect(refusal(late)).toMatchObject({ status: 409, message: texts.chatRatingFinal });
    agent = { ...agent, client: await server.signIn(agent.email) };
  });

  test('A45: impersonating staff read the conversation, write nothing and mark nothing', async () => {
    const { id } = await openSession(trader);
    await write(agent, id, 'Hello');
    const admin = await server.addChatUser('admin');
    await server.impersonate(admin, trader as never);
    const read = await admin.client
      .rpc('get_chat_updates', { p_session_id: id, p_after_seq: 0 })
      .throwOnError();
    expect(read.data.messages).toHaveLength(1);
    const refused = [
      await admin.client.from('chat_messages').insert(message(id, 'x')),
      await admin.client
        .from('chat_messages')
        .update({ read_at: new Date().toISOString() })
        .eq('session_id', id),
      await admin.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 1 }),
      await admin.client.rpc('open_chat_session', {}),
      await admin.client.from('chat_sessions').delete().eq('id', id),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await sessionOf(agent, id)).trader_seen_seq).toBe(0);
  });

  test('A73: a conversation is deleted with its account, and support is notified', async () => {
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    const admin = await server.addChatUser('admin');
    const received = await listen(agent);
    const deletion = {
      user_id: trader.id,
      p_user_id: trader.id,
      p_reason: 'Requested it',
      p_client_id: randomUUID(),
    };
    const { user_id: _, ...args } = deletion;
    await admin.client.rpc('delete_user_with_data', args).throwOnError();
    await until(() =>
      received.some(
        ({ table, type, row }) => table === 'chat_sessions' && type === 'DELETE' && row.id === id,
      ),
    );
    expect((await agent.client.from('chat_messages').select().eq('session_id', id)).data).toEqual([]);
  });
});
