/** Conversations with support, as the official client of either side holds them. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { chatLimits } from '@fulcrum/domain';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../realtime/realtime-server.ts';
import {
  type ChatPerson,
  type ChatServer,
  listen,
  message,
  openSession,
  startChatServer,
  write,
} from './chat-people.ts';

let server: ChatServer;
let agent: ChatPerson;
let trader: ChatPerson;
beforeAll(async () => {
  server = await startChatServer();
  agent = await server.person('support');
});
beforeEach(async () => {
  server.clock.advance(chatLimits.paceMs);
  trader = await server.person('trader');
});
afterAll(() => server.close());

const refusal = ({
  status,
  error,
}: {
  status: number;
  error: { code?: string; message: string } | null;
}) => ({
  status,
  code: error?.code,
  message: error?.message,
});
const closed = { status: 409, code: 'session_closed', message: texts.sessionClosed };
const unknown = { status: 404, code: 'not_found', message: texts.chatNotFound };
const sessionOf = async (id: string) =>
  (await agent.client.from('chat_sessions').select().eq('id', id).single().throwOnError()).data;
const close = ({ client }: ChatPerson, id: string) =>
  client
    .from('chat_sessions')
    .update({ status: 'closed', closed_at: new Date().toISOString() })
    .eq('id', id)
    .eq('status', 'open')
    .select();

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
    const foreign = await trader.client.from('chat_sessions').insert({ ...row, user_id: agent.id });
    expect(foreign.status).toBe(403);
    expect((await trader.client.from('chat_sessions').insert({ ...row, status: 'closed' })).status).toBe(400);
  });

  test('CALL-67: open ones with whose they are, the newest first', async () => {
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

  test('CALL-69, A65: an empty one is deleted, and a message to it goes to the one that is open; never one with messages', async () => {
    const empty = await openSession(trader);
    const remove = (by: ChatPerson, id: string) =>
      by.client.from('chat_sessions').delete().eq('id', id).select('id');
    const other = await server.person('trader');
    expect((await remove(other, empty.id)).data).toEqual([]);
    const heard = await listen(agent);
    expect((await remove(trader, empty.id).throwOnError()).data).toEqual([{ id: empty.id }]);
    await until(() => heard.some(({ type, row }) => type === 'DELETE' && row.id === empty.id));

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

describe('writing', () => {
  test('CALL-74, CHAT-08, CHAT-12: numbered, trimmed, by who the token says, unread or read as its side has it', async () => {
    const { id } = await openSession(trader);
    const inserted = await trader.client
      .from('chat_messages')
      .insert({
        session_id: id,
        sender_id: trader.id,
        content: '  Help \n',
        read_at: new Date().toISOString(),
      })
      .select()
      .single();
    expect(inserted).toMatchObject({
      status: 201,
      data: {
        session_id: id,
        user_id: trader.id,
        seq: 1,
        sender_id: trader.id,
        sender_role: 'trader',
        content: 'Help',
      },
    });
    expect(inserted.data).toMatchObject({ read_at: null, sender_name: trader.username, client_id: null });
    const waiting = await sessionOf(id);
    expect(waiting).toMatchObject({ last_seq: 1, unread_count: 1, waiting_since: inserted.data?.created_at });
    await write(trader, id, 'Are you there?');
    expect((await sessionOf(id)).waiting_since).toBe(inserted.data?.created_at);

    const answer = await write(agent, id, 'Yes');
    expect(answer).toMatchObject({
      seq: 3,
      sender_role: 'support',
      sender_id: agent.id,
      read_at: answer.created_at,
    });
    expect(await sessionOf(id)).toMatchObject({
      last_seq: 3,
      waiting_since: null,
      trader_unread_count: 1,
      last_agent_id: agent.id,
      last_sender_role: 'support',
    });
    const { data } = await agent.client
      .from('chat_messages')
      .select('seq, created_at')
      .eq('session_id', id)
      .order('created_at', { ascending: true })
      .throwOnError();
    expect(data.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(new Set(data.map(({ created_at }) => created_at)).size).toBe(3);
  });

  test.each([
    ['CHAT-07: a blank text', { content: ' \n ' }, 400, texts.chatBlank],
    ['a text of characters without a shape', { content: '\u200b\u3164' }, 400, texts.chatBlank],
    ['a text that is too long', { content: 'x'.repeat(4_001) }, 400, texts.chatTooLong],
    ['somebody else as the sender', { sender_id: randomUUID() }, 403, 'You can only write as yourself.'],
    ['a session that there is not', { session_id: randomUUID() }, 404, texts.chatNotFound],
  ])('refused: %s', async (_what, over, status, text) => {
    const { id } = await openSession(trader);
    const outcome = await trader.client.from('chat_messages').insert({ ...message(id, 'x'), ...over });
    expect(outcome).toMatchObject({ status, error: { message: text } });
    expect((await openSession(trader)).last_seq).toBe(0);
  });

  test('the longest text is kept as it is, and the texts name the limit', async () => {
    const { id } = await openSession(trader);
    const content = '𝒯'.repeat(chatLimits.messageChars);
    expect((await write(trader, id, content)).content).toBe(content);
    expect(texts.chatTooLong).toContain(`${chatLimits.messageChars} `);
  });

  test('a repeat is the same message and is announced once; other words under its id are refused, not lost', async () => {
    const { id } = await openSession(trader);
    const heard = await listen(agent, `session_id=eq.${id}`);
    const clientId = randomUUID();
    const sent = await Promise.all(Array.from({ length: 6 }, () => write(trader, id, 'Once', clientId)));
    expect(new Set(sent.map((row) => row.id)).size).toBe(1);
    const other = await trader.client.from('chat_messages').insert(message(id, 'Other words', clientId));
    expect(refusal(other)).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    const last = await write(trader, id, 'Next');
    expect(last.seq).toBe(2);
    await until(() => heard.some(({ row }) => row.id === last.id));
    expect(
      heard.filter(({ table }) => table === 'chat_messages').map(({ type, row }) => [type, row.seq]),
    ).toEqual([
      ['INSERT', 1],
      ['INSERT', 2],
    ]);
    // The same id of the other side is another message.
    expect((await write(agent, id, 'Mine', clientId)).seq).toBe(3);
  });

  test('both sides at once: numbers without a gap, in the order of their times', async () => {
    const { id } = await openSession(trader);
    const senders = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? trader : agent));
    const sent = await Promise.all(senders.map((sender, n) => write(sender, id, `message ${n}`)));
    const bySeq = sent.toSorted((left, right) => left.seq - right.seq);
    expect(bySeq.map(({ seq }) => seq)).toEqual(senders.map((_, n) => n + 1));
    const times = bySeq.map(({ created_at }) => Date.parse(created_at));
    expect(times.every((time, n) => n === 0 || time > times[n - 1]!)).toBe(true);
  });

  test('10 messages in 10 s: the next one is told how long, a repeat is not counted', async () => {
    const { id } = await openSession(trader);
    const ids = Array.from({ length: chatLimits.paceMessages }, () => randomUUID());
    const all = await Promise.all(
      [...ids, randomUUID(), randomUUID()].map((clientId) =>
        trader.client.from('chat_messages').insert(message(id, 'x', clientId)),
      ),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(chatLimits.paceMessages);
    const late = all.filter(({ status }) => status === 429);
    expect(late).toHaveLength(2);
    expect(late[0]?.error).toMatchObject({ code: 'too_many_attempts', message: texts.tooManyAttempts(10) });
    const { data: first } = await trader.client
      .from('chat_messages')
      .select()
      .eq('session_id', id)
      .order('seq')
      .limit(1)
      .single()
      .throwOnError();
    expect(await write(trader, id, 'x', first.client_id!)).toEqual(first);
    server.clock.advance(chatLimits.paceMs);
    expect((await write(trader, id, 'Slowly')).seq).toBe(chatLimits.paceMessages + 1);
  });

  test('who floods a conversation leaves the database to the others', async () => {
    const { id } = await openSession(trader);
    const flood = Promise.all(
      Array.from({ length: 60 }, () => trader.client.from('chat_messages').insert(message(id, 'x'))),
    );
    let most = 0;
    // Beside the server's pool, in which it would wait with the others.
    const beside = new pg.Client({ connectionString: server.databaseUrl });
    await beside.connect();
    const ended = new AbortController();
    const looking = (async () => {
      while (!ended.signal.aborted) {
        const { rows } = await beside.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        most = Math.max(most, rows[0]?.n ?? 0);
      }
    })();
    const answers = await flood;
    ended.abort();
    await looking;
    await beside.end();
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(chatLimits.paceMessages);
    expect(most).toBeLessThan(4);
  });

  test('RULE-37: somebody else’s conversation is one that there is not', async () => {
    const { id } = await openSession(trader);
    await write(trader, id, 'Private');
    const { client } = await server.person('trader');
    const attempts = [
      await client.from('chat_messages').insert(message(id, 'x')),
      await client.rpc('get_chat_updates', { p_session_id: id, p_after_seq: 0 }),
      await client.rpc('mark_chat_read', { p_session_id: id, p_seq: 1 }),
      await client.rpc('rate_chat_session', { p_session_id: id, p_score: 5 }),
    ];
    expect(attempts.map(refusal)).toEqual(attempts.map(() => unknown));
    expect((await client.from('chat_messages').select().eq('session_id', id)).data).toEqual([]);
    expect(
      (
        await client
          .from('chat_messages')
          .update({ read_at: new Date().toISOString() })
          .eq('session_id', id)
          .select()
      ).data,
    ).toEqual([]);
  });
});

describe('reading', () => {
  test('CHAT-10, CHAT-20, A64: marks go forward only, not beyond the last message, and say nothing when nothing changed', async () => {
    const { id } = await openSession(trader);
    for (const content of ['one', 'two', 'three']) await write(trader, id, content);
    const heard = await listen(agent, `session_id=eq.${id}`);
    const mark = async ({ client }: ChatPerson, p_seq: number) =>
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
    await until(() => heard.some(({ row }) => row.trader_seen_seq === 4));
    const updates = heard.filter(({ table, type }) => table === 'chat_messages' && type === 'UPDATE');
    expect(updates.map(({ row }) => row.seq)).toEqual([1, 2, 3]);
    const sessions = heard.filter(({ table, row }) => table === 'chat_sessions' && row.id === id);
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
    expect(await sessionOf(id)).toMatchObject({ unread_count: 1, support_seen_seq: 0 });
    await agent.client
      .from('chat_messages')
      .update({ read_at: new Date().toISOString() })
      .eq('session_id', id)
      .neq('sender_id', agent.id)
      .is('read_at', null)
      .throwOnError();
    expect((await unread()).count).toBe(0);
    expect(await sessionOf(id)).toMatchObject({ unread_count: 0, support_seen_seq: 2 });
    const own = await trader.client
      .from('chat_messages')
      .update({ read_at: new Date().toISOString() })
      .eq('session_id', id)
      .select('seq')
      .throwOnError();
    expect(own.data).toEqual([{ seq: 3 }]);
    expect(await sessionOf(id)).toMatchObject({ trader_seen_seq: 3, trader_unread_count: 0 });
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

  test('CALL-75, CALL-76, CHAT-06, CHAT-34, CHAT-35: inserts are heard live, by who may', async () => {
    const other = await server.person('trader');
    const [agents, others] = [await listen(agent), await listen(other)];
    const { id } = await openSession(trader);
    const traders = await listen(trader, `session_id=eq.${id}`);
    await until(() =>
      agents.some(({ table, type, row }) => table === 'chat_sessions' && type === 'INSERT' && row.id === id),
    );
    const answer = await write(agent, id, 'Hello');
    for (const heard of [agents, traders]) {
      const insert = await until(() =>
        heard.find(({ table, row }) => table === 'chat_messages' && row.id === answer.id),
      );
      expect(insert).toEqual({ table: 'chat_messages', type: 'INSERT', row: answer });
      await until(() => heard.find(({ table, row }) => table === 'chat_sessions' && row.last_seq === 1));
    }
    expect(others).toEqual([]);
  });

  test('an answer rings once; who has seen it has read the notice too, and is left alone for a while', async () => {
    const { id } = await openSession(trader);
    const heard = await listen(trader);
    const rung = async () =>
      (await trader.client.from('notifications').select('kind, message, read_at').throwOnError()).data;
    for (const content of ['one', 'two']) await write(agent, id, content);
    await trader.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 1 }).throwOnError();
    expect(await rung()).toEqual([{ kind: 'chat_reply', message: texts.chatReply, read_at: null }]);
    await trader.client.rpc('mark_chat_read', { p_session_id: id, p_seq: 2 }).throwOnError();
    const [seen] = (await rung()) ?? [];
    expect(seen?.read_at).not.toBeNull();
    await until(() => heard.some(({ table, row }) => table === 'notifications' && row.read_at !== null));
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
      () => heard.filter(({ table, type }) => table === 'notifications' && type === 'INSERT').length === 2,
    );
  });
});

describe('the end', () => {
  test('CALL-70, CHAT-28, CHAT-29, CHAT-30, A66: closed once, all read, and nothing is written any more', async () => {
    const { id } = await openSession(trader);
    const clientId = randomUUID();
    const sent = await write(trader, id, 'Bye', clientId);
    const second = await server.person('support');
    const heard = await listen(trader);
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
    await until(() => heard.some(({ table, row }) => table === 'chat_sessions' && row.status === 'closed'));
    await until(() => heard.some(({ table, row }) => table === 'chat_messages' && row.read_at !== null));

    for (const sender of [trader, agent]) {
      expect(refusal(await sender.client.from('chat_messages').insert(message(id, 'Late')))).toEqual(closed);
    }
    expect(await write(trader, id, 'Bye', clientId)).toMatchObject({ id: sent.id });
    expect((await agent.client.from('chat_sessions').update({ status: 'open' }).eq('id', id)).status).toBe(
      400,
    );
    expect((await openSession(trader)).id).not.toBe(id);
    const audit = await server.audit(trader.id);
    expect(audit.filter(({ action }) => action === 'chat_session_closed')).toMatchObject([
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

  test('A45: who views as a trader reads the conversation, writes nothing and marks nothing', async () => {
    const { id } = await openSession(trader);
    await write(agent, id, 'Hello');
    const admin = await server.person('admin');
    await server.actAs(admin, trader as never);
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
    expect((await sessionOf(id)).trader_seen_seq).toBe(0);
  });

  test('A73: a conversation goes with its account, and support hears of it', async () => {
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    const admin = await server.person('admin');
    const heard = await listen(agent);
    const deletion = {
      user_id: trader.id,
      p_user_id: trader.id,
      p_reason: 'Asked for it',
      p_client_id: randomUUID(),
    };
    const { user_id: _, ...args } = deletion;
    await admin.client.rpc('delete_user_with_data', args).throwOnError();
    await until(() =>
      heard.some(({ table, type, row }) => table === 'chat_sessions' && type === 'DELETE' && row.id === id),
    );
    expect((await agent.client.from('chat_messages').select().eq('session_id', id)).data).toEqual([]);
  });
});
