/** Tags, snoozes and mentions: what support notes about a conversation for its colleagues. */
import { randomUUID } from 'node:crypto';
import { chatLimits, hourMs } from '@fulcrum/domain';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../realtime/realtime-server.ts';
import {
  agent,
  type ChatUser,
  close,
  listen,
  openSession,
  refusal,
  server,
  shareChat,
  trader,
  write,
} from './chat-users.ts';

let second: ChatUser;
let sessionId: string;
shareChat();
beforeAll(async () => {
  second = await server.addChatUser('support');
});
beforeEach(async () => {
  sessionId = (await openSession(trader)).id;
  await write(trader, sessionId, 'Hello');
});

const tag = ({ client }: ChatUser, name: string, isOn = true) =>
  client.rpc('tag_chat_session', { p_session_id: sessionId, p_tag: name, p_is_on: isOn });
const snooze = ({ client }: ChatUser, aheadMs: number | null) =>
  client.rpc('snooze_chat_session', {
    p_session_id: sessionId,
    p_until: aheadMs === null ? null : new Date(server.clock.now() + aheadMs).toISOString(),
  });
const triageOf = async ({ client }: ChatUser, id = sessionId) =>
  (await client.from('chat_triage').select('*').eq('session_id', id).throwOnError()).data?.[0];
const tags = async () => (await agent.client.rpc('get_chat_tags').throwOnError()).data.tags;
const auditOf = async (actions: RegExp) =>
  (await server.audit(trader.id)).filter(({ action }) => actions.test(action));

describe('tags', () => {
  test('support: a tag reaches colleagues at once, joins the list, is audited once and comes off again', async () => {
    const received = await listen(second);
    await tag(agent, 'refund').throwOnError();
    await tag(second, 'billing').throwOnError();
    await tag(agent, 'billing').throwOnError();
    await until(() => received.some(({ row }) => `${row.tags}` === 'billing,refund'));
    expect(await tags()).toEqual(expect.arrayContaining(['billing', 'refund']));
    await tag(agent, 'refund', false).throwOnError();
    await tag(agent, 'refund', false).throwOnError();
    expect(await triageOf(second)).toMatchObject({ tags: ['billing'], is_open: true, user_id: trader.id });
    expect((await auditOf(/\.tag$/)).map(({ detail }) => detail)).toEqual([
      { tag: 'refund', is_on: true },
      { tag: 'billing', is_on: true },
      { tag: 'refund', is_on: false },
    ]);
  });

  test('support: of two agents who tag at once none is lost', async () => {
    await Promise.all([tag(agent, 'at-once').throwOnError(), tag(second, 'refund').throwOnError()]);
    expect((await triageOf(agent))?.tags).toEqual(['at-once', 'refund']);
  });

  test('support: a bad name, a sixth tag and a thirty-first name are refused in words', async () => {
    expect(refusal(await tag(agent, 'Refund!'))).toMatchObject({ status: 400, code: 'invalid_argument' });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await tag(agent, name).throwOnError();
    expect(refusal(await tag(agent, 'f'))).toMatchObject({
      status: 409,
      message: 'A session has at most 5 tags.',
    });
    await tag(agent, 'a', false).throwOnError();
    const known = await tags();
    const more = Array.from({ length: chatLimits.tags - known.length }, (_, at) => `more-${at}`);
    for (const name of more) {
      await tag(agent, name).throwOnError();
      await tag(agent, name, false).throwOnError();
    }
    expect(refusal(await tag(agent, 'one-too-many')).message).toBe('The team has 30 tags. Delete one first.');
    for (const name of more) await agent.client.rpc('delete_chat_tag', { p_tag: name }).throwOnError();
    await tag(agent, 'one-too-many').throwOnError();
  });

  test('support: a deleted tag leaves the list and every conversation, and colleagues see it', async () => {
    await tag(agent, 'old').throwOnError();
    const received = await listen(second);
    await agent.client.rpc('delete_chat_tag', { p_tag: 'old' }).throwOnError();
    await agent.client.rpc('delete_chat_tag', { p_tag: 'old' }).throwOnError();
    await until(() => received.some(({ row }) => row.session_id === sessionId && `${row.tags}` === ''));
    expect(await tags()).not.toContain('old');
    const { rows } = await server.db.query<{ n: number }>(
      `select count(*)::int as n from app.audit_log where action = 'chat_tag.delete' and detail ->> 'tag' = 'old'`,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe('snoozes', () => {
  test('support: a snooze reaches colleagues, is audited, and ends on request or with the trader’s message', async () => {
    const received = await listen(second);
    await snooze(agent, hourMs).throwOnError();
    await until(() => received.some(({ row }) => row.session_id === sessionId && row.snoozed_until !== null));
    await write(agent, sessionId, 'I am looking into it');
    expect((await triageOf(second))?.snoozed_until).not.toBeNull();
    await write(trader, sessionId, 'Thank you');
    expect((await triageOf(second))?.snoozed_until).toBeNull();
    await snooze(agent, 60_000).throwOnError();
    await snooze(second, null).throwOnError();
    await snooze(second, null).throwOnError();
    expect((await auditOf(/\.snooze$/)).map(({ detail }) => detail?.until === null)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('support: a time that is past, far ahead or none at all is refused', async () => {
    for (const aheadMs of [-1_000, chatLimits.snoozeMs + 60_000]) {
      expect(refusal(await snooze(agent, aheadMs)).message).toBe('Choose a time within the next 30 days.');
    }
    const never = { p_session_id: sessionId, p_until: 'tomorrow' };
    expect(refusal(await agent.client.rpc('snooze_chat_session', never)).status).toBe(400);
  });

  test('support: the close ends a snooze and keeps the tags; a closed or unknown session is refused', async () => {
    await tag(agent, 'refund').throwOnError();
    await snooze(agent, 60_000).throwOnError();
    await close(agent, sessionId);
    expect(await triageOf(agent)).toMatchObject({ tags: ['refund'], snoozed_until: null, is_open: false });
    expect(refusal(await tag(agent, 'billing'))).toMatchObject({ code: 'session_closed' });
    expect(refusal(await snooze(agent, 60_000))).toMatchObject({ code: 'session_closed' });
    const unknown = { p_session_id: randomUUID(), p_until: null };
    expect(refusal(await agent.client.rpc('snooze_chat_session', unknown)).status).toBe(404);
  });
});

describe('mentions', () => {
  const usernameOf = async ({ id }: ChatUser) => {
    const named = await server.db.query<{ username: string }>(
      'select username from app.users where id = $1',
      [id],
    );
    return named.rows[0]?.username ?? '';
  };
  const note = ({ client }: ChatUser, content: string) =>
    client.from('chat_notes').insert({ session_id: sessionId, content }).throwOnError();
  const mentions = async ({ client }: ChatUser) =>
    (await client.from('chat_mentions').select('session_id').throwOnError()).data;

  test('support: a name in a note is a mention of that agent, who alone reads it and deletes it by reading', async () => {
    const name = await usernameOf(second);
    await note(agent, `@${name.toUpperCase()}, please look. (@${name}.)`);
    expect(await mentions(second)).toEqual([{ session_id: sessionId }]);
    expect(await mentions(agent)).toEqual([]);
    await agent.client.from('chat_mentions').delete().eq('session_id', sessionId).throwOnError();
    expect(await mentions(second)).toHaveLength(1);
    await second.client.from('chat_mentions').delete().eq('session_id', sessionId).throwOnError();
    expect(await mentions(second)).toEqual([]);
  });

  test('support: no mention for the author, a trader, an address of mail or a longer name', async () => {
    const [own, other] = [await usernameOf(agent), await usernameOf(second)];
    const traders = await usernameOf(trader);
    await note(agent, `@${own} @${traders} mail@${other} @${other}x @@${other}`);
    expect(await mentions(second)).toEqual([]);
    expect(await mentions(agent)).toEqual([]);
  });

  test('support: mentions go with the role and with the conversation', async () => {
    const third = await server.addChatUser('support');
    await note(agent, `@${await usernameOf(third)} and @${await usernameOf(second)}`);
    await server.db.query(`update app.users set role = 'manager' where id = $1`, [third.id]);
    const count = async (id: string) =>
      (await server.db.query('select from app.chat_mentions where agent_id = $1', [id])).rowCount;
    expect([await count(third.id), await count(second.id)]).toEqual([0, 1]);
    await second.client.from('chat_mentions').delete().eq('session_id', sessionId).throwOnError();
  });
});
