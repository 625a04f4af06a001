/** Writing in a conversation: numbered once, announced to the other side, refused with clear texts. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { chatLimits } from '@fulcrum/domain';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { until } from '../realtime/realtime-server.ts';
import {
  agent,
  listen,
  message,
  openSession,
  refusal,
  server,
  sessionOf,
  shareChat,
  trader,
  unknown,
  write,
} from './chat-users.ts';

// Times of one conversation grow by a millisecond each while the clock stands.
shareChat(chatLimits.paceMs + 1_000);

describe('writing', () => {
  test('CALL-74, CHAT-08, CHAT-12: numbered, trimmed, from the token’s user, unread or read according to its side', async () => {
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
    const waiting = await sessionOf(agent, id);
    expect(waiting).toMatchObject({ last_seq: 1, unread_count: 1, waiting_since: inserted.data?.created_at });
    await write(trader, id, 'Are you there?');
    expect((await sessionOf(agent, id)).waiting_since).toBe(inserted.data?.created_at);

    const answer = await write(agent, id, 'Yes');
    expect(answer).toMatchObject({
      seq: 3,
      sender_role: 'support',
      sender_id: agent.id,
      read_at: answer.created_at,
    });
    expect(await sessionOf(agent, id)).toMatchObject({
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
    ['another user as the sender', { sender_id: randomUUID() }, 403, 'You can only write as yourself.'],
    ['a session that there is not', { session_id: randomUUID() }, 404, texts.chatNotFound],
  ])('refused: %s', async (_what, over, status, text) => {
    const { id } = await openSession(trader);
    const outcome = await trader.client.from('chat_messages').insert({ ...message(id, 'x'), ...over });
    expect(outcome).toMatchObject({ status, error: { message: text } });
    expect((await openSession(trader)).last_seq).toBe(0);
  });

  test('the longest text is stored unchanged, and the texts name the limit', async () => {
    const { id } = await openSession(trader);
    const content = '𝒯'.repeat(chatLimits.messageChars);
    expect((await write(trader, id, content)).content).toBe(content);
    expect(texts.chatTooLong).toContain(`${chatLimits.messageChars} `);
  });

  test('a repeat is the same message and is announced once; another text under its id is refused, not lost', async () => {
    const { id } = await openSession(trader);
    const received = await listen(agent, `session_id=eq.${id}`);
    const clientId = randomUUID();
    const sent = await Promise.all(Array.from({ length: 6 }, () => write(trader, id, 'Once', clientId)));
    expect(new Set(sent.map((row) => row.id)).size).toBe(1);
    const other = await trader.client.from('chat_messages').insert(message(id, 'Other words', clientId));
    expect(refusal(other)).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    const last = await write(trader, id, 'Next');
    expect(last.seq).toBe(2);
    await until(() => received.some(({ row }) => row.id === last.id));
    expect(
      received.filter(({ table }) => table === 'chat_messages').map(({ type, row }) => [type, row.seq]),
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

  test('10 messages in 10 s: the next one gets the waiting time, a repeat is not counted', async () => {
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
    server.clock.advance(chatLimits.paceMs + 1_000);
    expect((await write(trader, id, 'Slowly')).seq).toBe(chatLimits.paceMessages + 1);
  });

  test('a clock that was ahead refuses no sender for longer than the pace does', async () => {
    const { id } = await openSession(trader);
    for (let n = 0; n < chatLimits.paceMessages; n += 1) await write(trader, id, 'x');
    // As a clock that was ahead by so much would have dated them.
    const shift = (ms: number) =>
      server.db.query(
        `update app.chat_messages set created_at = created_at + make_interval(secs => $2) where sender_id = $1`,
        [trader.id, ms / 1_000],
      );
    const tryToWrite = () => trader.client.from('chat_messages').insert(message(id, 'Back'));
    await shift(chatLimits.paceMs / 2);
    expect((await tryToWrite()).status).toBe(429);
    server.clock.advance(chatLimits.paceMs * 1.5 + 1_000);
    expect((await tryToWrite()).status).toBe(201);
    await shift(60 * chatLimits.paceMs);
    expect((await tryToWrite()).status).toBe(201);
  });

  test('a flood in one conversation leaves the database to the others', async () => {
    const { id } = await openSession(trader);
    const flood = Promise.all(
      Array.from({ length: 60 }, () => trader.client.from('chat_messages').insert(message(id, 'x'))),
    );
    let most = 0;
    // Beside the server's pool, in which it would wait with the others.
    const beside = new pg.Client({ connectionString: server.databaseUrl });
    await beside.connect();
    const ended = new AbortController();
    const polling = (async () => {
      while (!ended.signal.aborted) {
        const { rows } = await beside.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        most = Math.max(most, rows[0]?.n ?? 0);
      }
    })();
    const answers = await flood;
    ended.abort();
    await polling;
    await beside.end();
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(chatLimits.paceMessages);
    expect(most).toBeLessThan(4);
  });

  test('RULE-37: another trader’s conversation answers like a missing one', async () => {
    const { id } = await openSession(trader);
    await write(trader, id, 'Private');
    const { client } = await server.addChatUser('trader');
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
