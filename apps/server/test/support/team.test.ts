/** Support as a team: assignment and transfer, who has a conversation open, and search. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { until } from '../realtime/realtime-server.ts';
import {
  agent,
  type ChatUser,
  close,
  closed,
  listen,
  openSession,
  refusal,
  server,
  sessionOf,
  shareChat,
  trader,
  unknown,
  write,
} from './chat-users.ts';

let second: ChatUser;
shareChat();
beforeAll(async () => {
  second = await server.addChatUser('support');
});

interface Assignment {
  readonly to: ChatUser | null;
  readonly expected?: string | null;
  readonly note?: string;
  readonly clientId?: string;
}
const assign = (
  { client }: ChatUser,
  sessionId: string,
  { to, expected = null, note, clientId = randomUUID() }: Assignment,
) =>
  client.rpc('assign_chat_session', {
    p_session_id: sessionId,
    p_agent_id: to?.id ?? null,
    p_expected: expected,
    p_note: note ?? null,
    p_client_id: clientId,
  });
const usernameOf = async ({ id }: ChatUser): Promise<string> => {
  const { rows } = await server.db.query<{ username: string }>(
    'select username from app.users where id = $1',
    [id],
  );
  return rows[0]?.username ?? '';
};
const notesOf = async (sessionId: string) =>
  (
    await agent.client
      .from('chat_notes')
      .select('content, author_id')
      .eq('session_id', sessionId)
      .order('created_at')
      .throwOnError()
  ).data;

describe('assignment', () => {
  test('support: the first answer assigns the conversation, later ones of others do not', async () => {
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    expect(await sessionOf(agent, id)).toMatchObject({ assigned_to: null });
    await write(agent, id, 'Welcome');
    await write(second, id, 'Me too');
    expect(await sessionOf(agent, id)).toMatchObject({ assigned_to: agent.id, last_agent_id: second.id });
    await close(second, id);
    expect(await sessionOf(agent, id)).toMatchObject({ assigned_to: agent.id, support_id: second.id });
  });

  test('support: a transfer with words reaches colleagues, is audited and is made once', async () => {
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    const received = await listen(second);
    const clientId = randomUUID();
    const first = await assign(agent, id, { to: second, note: ' Knows futures ', clientId }).throwOnError();
    expect(first.data).toMatchObject({ assigned_to: second.id });
    await until(() => received.some(({ row }) => row.id === id && row.assigned_to === second.id));
    expect(
      (await assign(agent, id, { to: second, note: ' Knows futures ', clientId }).throwOnError()).data,
    ).toEqual(first.data);
    const name = await usernameOf(second);
    expect(await notesOf(id)).toEqual([
      { content: `Assigned to ${name}: Knows futures`, author_id: agent.id },
    ]);
    expect(refusal(await assign(agent, id, { to: null, clientId, expected: second.id }))).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
    await assign(second, id, { to: null, expected: second.id }).throwOnError();
    expect(await sessionOf(agent, id)).toMatchObject({ assigned_to: null });
    expect((await notesOf(id)).at(-1)?.content).toBe('Given back to all');
    const audit = await server.audit(trader.id);
    expect(audit.filter(({ action }) => action === 'chat_session.assign')).toMatchObject([
      { detail: { agent_id: second.id, client_id: clientId } },
      { detail: { agent_id: null } },
    ]);
  });

  test('support: of two transfers at once one is made, the other is refused in words', async () => {
    const { id } = await openSession(trader);
    const third = await server.addChatUser('support');
    const answers = await Promise.all([assign(agent, id, { to: second }), assign(second, id, { to: third })]);
    const refused = answers.find(({ error }) => error !== null);
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    const { assigned_to } = await sessionOf(agent, id);
    const name = await usernameOf(assigned_to === second.id ? second : third);
    expect(refused && refusal(refused)).toEqual({
      status: 409,
      code: 'changed_meanwhile',
      message: `This session is assigned to ${name} now. Nothing was changed.`,
    });
    expect(await notesOf(id)).toHaveLength(1);
    expect(refusal(await assign(agent, id, { to: agent, expected: randomUUID() })).code).toBe(
      'changed_meanwhile',
    );
  });

  test('support: only agents are assigned, only open conversations, and by agents alone', async () => {
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    const admin = await server.addChatUser('admin');
    for (const to of [trader, admin]) {
      expect(refusal(await assign(agent, id, { to }))).toMatchObject({
        status: 400,
        code: 'invalid_argument',
      });
    }
    for (const caller of [trader, admin]) {
      expect((await assign(caller, id, { to: agent })).status).toBe(403);
      expect((await caller.client.rpc('get_support_team')).status).toBe(403);
      expect((await caller.client.rpc('search_chats', { p_text: 'Hello' })).status).toBe(403);
    }
    expect(refusal(await assign(agent, randomUUID(), { to: agent }))).toEqual(unknown);
    await close(agent, id);
    expect(refusal(await assign(agent, id, { to: second }))).toEqual(closed);
    expect(await notesOf(id)).toEqual([]);
  });

  test('support: an agent who gets another role, or is deleted, leaves the conversation to all', async () => {
    const { id } = await openSession(trader);
    const leaving = await server.addChatUser('support');
    const before = (await assign(agent, id, { to: leaving }).throwOnError()).data;
    await server.db.query(`update app.users set role = 'manager' where id = $1`, [leaving.id]);
    const after = await sessionOf(agent, id);
    expect(after.assigned_to).toBeNull();
    expect(after.version).toBeGreaterThan(before.version);
    const gone = await server.addChatUser('support');
    await assign(agent, id, { to: gone }).throwOnError();
    await server.db.query('delete from app.users where id = $1', [gone.id]);
    expect(await sessionOf(agent, id)).toMatchObject({ assigned_to: null });
  });

  test('support: the team is listed with its states and its open conversations', async () => {
    const busy = await server.addChatUser('support');
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    await write(busy, id, 'Welcome');
    const team = async () => {
      const { data } = await agent.client.rpc('get_support_team').throwOnError();
      return data.agents.find((one) => one.id === busy.id);
    };
    expect(await team()).toEqual({
      id: busy.id,
      username: await usernameOf(busy),
      status: 'offline',
      assigned: 1,
    });
    await close(busy, id);
    expect(await team()).toMatchObject({ assigned: 0 });
  });
});

test('support: colleagues see who has a conversation open and who writes; a trader never does', async () => {
  const { id } = await openSession(trader);
  const other = await server.addChatUser('trader');
  const join = async ({ client }: ChatUser) => {
    await client.realtime.setAuth();
    const channel = client.channel(`chat-team:${id}`, {
      config: { private: true, presence: { enabled: true, key: '' } },
    });
    return { channel, status: await new Promise<string>((resolve) => channel.subscribe(resolve)) };
  };
  const [one, two] = [await join(agent), await join(second)];
  expect([one.status, two.status]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
  for (const outsider of [trader, other]) {
    const refused = await join(outsider);
    expect(refused.status).toBe('CHANNEL_ERROR');
    await outsider.client.removeAllChannels();
  }
  await one.channel.track({ state: 'writing' });
  await until(() => {
    const [meta] = two.channel.presenceState<{ state: string }>()[agent.id] ?? [];
    return meta?.state === 'writing';
  });
  expect(await two.channel.track({ state: 'somewhere else' })).not.toBe('ok');
  await one.channel.unsubscribe();
  await until(() => !(agent.id in two.channel.presenceState()));
  await setTimeout(0);
  await agent.client.removeAllChannels();
  await second.client.removeAllChannels();
});

describe('search', () => {
  const search = async (p_text: string, p_before: string | null = null) =>
    (await agent.client.rpc('search_chats', { p_text, p_before }).throwOnError()).data;

  test('support: words are found in open and closed conversations, the newest first, page by page', async () => {
    const label = `zebra${randomUUID().slice(0, 8)}`;
    const { id: closedId } = await openSession(trader);
    await write(trader, closedId, `Where is my ${label} margin?`);
    await write(agent, closedId, `The ${label} is in the wallet`);
    await close(agent, closedId);
    const { id: openId } = await openSession(trader);
    for (let count = 0; count < 21; count += 1) {
      server.later();
      await write(trader, openId, `${label.toUpperCase()} again ${count}`);
    }
    const first = await search(label.slice(0, 9));
    expect(first).toMatchObject({ has_more: true, sessions: [] });
    expect(first.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, at) => 21 - at));
    const next = await search(label, first.messages.at(-1)?.id ?? null);
    expect(next.has_more).toBe(false);
    const name = await usernameOf(trader);
    expect(next.messages).toMatchObject([
      { session_id: openId, seq: 1, status: 'open' },
      { session_id: closedId, seq: 2, status: 'closed', sender_role: 'support', username: name },
      { session_id: closedId, seq: 1, status: 'closed', sender_role: 'trader' },
    ]);
    expect((await search(`margin ${label}`)).messages).toHaveLength(1);
    expect((await search(`${label} absent`)).messages).toEqual([]);
  });

  test('support: closed conversations are found by the trader’s name, and signs are no query', async () => {
    const name = await usernameOf(trader);
    const { id } = await openSession(trader);
    await write(trader, id, 'Hello');
    expect((await search(name)).sessions).toEqual([]);
    await close(agent, id);
    expect((await search(name.toUpperCase())).sessions).toMatchObject([{ id, username: name, messages: 1 }]);
    for (const signs of ["'; --", '& | !', '%_', '::']) {
      expect(await search(signs)).toEqual({ messages: [], has_more: false, sessions: [] });
    }
    expect((await agent.client.rpc('search_chats', { p_text: 'x' })).status).toBe(400);
  });
});

describe('replies of the team', () => {
  interface ReplyText {
    readonly shortcut: string;
    readonly content: string;
  }
  const save = (
    { client }: ChatUser,
    id: string,
    { shortcut, content }: ReplyText,
    former: ReplyText | null = null,
  ) =>
    client.rpc('save_team_reply', {
      ...{ p_id: id, p_shortcut: shortcut, p_content: content, p_former: former },
    });
  const shortcutsOf = async ({ client }: ChatUser) => {
    const { data } = await client.rpc('get_team_replies').throwOnError();
    return data.replies.map(({ shortcut }: { readonly shortcut: string }) => shortcut);
  };

  test('what one agent saves, the others have, change and delete; each change is in the audit log', async () => {
    const id = randomUUID();
    const first = { shortcut: 'fees', content: 'There is one fee.' };
    await save(agent, id, first).throwOnError();
    // A repeat is the same reply, and no second entry.
    await save(agent, id, first).throwOnError();
    expect(await shortcutsOf(second)).toEqual(['fees']);
    await save(second, id, { shortcut: 'costs', content: ' There are two. ' }, first).throwOnError();
    const { data } = await agent.client.rpc('get_team_replies').throwOnError();
    expect(data.replies).toEqual([{ id, shortcut: 'costs', content: 'There are two.' }]);
    await second.client.rpc('delete_team_reply', { p_id: id }).throwOnError();
    await second.client.rpc('delete_team_reply', { p_id: id }).throwOnError();
    expect(await shortcutsOf(agent)).toEqual([]);
    const { rows } = await server.db.query<{ action: string; actor_id: string }>(
      'select action, actor_id from app.audit_log where object_id = $1 order by id',
      [id],
    );
    expect(rows).toEqual([
      { action: 'team_reply.save', actor_id: agent.id },
      { action: 'team_reply.save', actor_id: second.id },
      { action: 'team_reply.delete', actor_id: second.id },
    ]);
  });

  test('a save replaces only what its author was shown, and revives nothing that was deleted', async () => {
    const id = randomUUID();
    const shown = { shortcut: 'hours', content: 'From nine to five.' };
    await save(agent, id, shown).throwOnError();
    const changed = { shortcut: 'hours', content: 'From eight to six.' };
    await save(second, id, changed, shown).throwOnError();
    // The answer was lost: a repeat is no conflict.
    await save(second, id, changed, shown).throwOnError();
    const refused = { code: 'changed_meanwhile', message: 'Someone else changed this in the meantime.' };
    const late = { shortcut: 'times', content: 'Never.' };
    expect((await save(agent, id, late, shown)).error).toMatchObject(refused);
    expect((await save(agent, id, late)).error).toMatchObject(refused);
    const { data } = await agent.client.rpc('get_team_replies').throwOnError();
    expect(data.replies).toEqual([{ id, ...changed }]);
    await second.client.rpc('delete_team_reply', { p_id: id }).throwOnError();
    expect((await save(agent, id, late, changed)).error).toMatchObject(refused);
    expect(await shortcutsOf(agent)).toEqual([]);
  });

  test('a shortcut is unique however many save at once; wrong input and traders are refused', async () => {
    const saved = await Promise.all(
      [agent, second, agent].map((by) => save(by, randomUUID(), { shortcut: 'same', content: 'Hello' })),
    );
    expect(saved.filter(({ error }) => error === null)).toHaveLength(1);
    expect(saved.find(({ error }) => error !== null)?.error?.message).toBe(
      'The team has a reply /same already.',
    );
    expect((await save(agent, randomUUID(), { shortcut: 'Two words', content: 'Hello' })).error?.code).toBe(
      'invalid_argument',
    );
    expect((await save(agent, randomUUID(), { shortcut: 'blank', content: '  ' })).error?.message).toBe(
      'Please write the reply.',
    );
    expect((await save(trader, randomUUID(), { shortcut: 'mine', content: 'Hello' })).error?.code).toBe(
      '42501',
    );
    expect((await trader.client.rpc('get_team_replies')).error?.code).toBe('42501');
  });
});
