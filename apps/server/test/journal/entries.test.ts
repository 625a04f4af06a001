/** The trader's own entries, as the official client writes and reads them. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { journalLimits } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { server, shareTestServer, type Trader } from '../harness/index.ts';

type Client = SupabaseClient<Database>;
interface Writer {
  readonly client: Client;
  readonly userId: string;
}

let writer: Writer;
let other: Writer;
shareTestServer();
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '50000');
  const writerOf = ({ client, userId }: Trader): Writer => ({ client: client as Client, userId });
  [writer, other] = (await Promise.all([server.signUpTrader(), server.signUpTrader()])).map(writerOf) as [
    Writer,
    Writer,
  ];
});

const entry = { title: 'Long BTC after the retest', content: 'Stop under the **swing low**.', tags: ['btc'] };
const entries = ({ client }: Writer) => client.from('journal_entries');
async function written(by: Writer, over: Partial<typeof entry> & { position_id?: string } = {}) {
  const { data } = await entries(by)
    .insert({ ...entry, ...over })
    .select()
    .single()
    .throwOnError();
  return data;
}
async function positionOf({ client }: Writer): Promise<string> {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', size: 0.01, leverage: 10 } as const;
  await client.from('orders').insert(order).throwOnError();
  const { data } = await client.from('positions').select('id').limit(1).single().throwOnError();
  return data.id;
}

describe('the documents’ own calls', () => {
  test('CALL-57, JRNL-09, ENT-28: an entry without an id; its id is made', async () => {
    const created_at = '2026-03-01T08:00:00.000Z';
    const inserted = await entries(writer).insert({ user_id: writer.userId, ...entry, created_at });
    expect(inserted).toMatchObject({ status: 201, error: null });
    const { data } = await entries(writer).select().eq('created_at', created_at).single().throwOnError();
    expect(data).toEqual({
      ...entry,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: writer.userId,
      created_at: '2026-03-01T08:00:00+00:00',
      updated_at: expect.any(String),
      position_id: null,
    });
  });

  test('CALL-56, JRNL-01, JRNL-02, RULE-37: the caller’s own, newest first; no other user’s, whatever owner is named', async () => {
    const days = ['2026-02-03', '2026-02-01', '2026-02-02'].map((day) => `${day}T00:00:00+00:00`);
    const rows = days.map((created_at) => ({ user_id: writer.userId, ...entry, title: 'dated', created_at }));
    await entries(other).insert(rows).throwOnError();
    const mine = await entries(other)
      .select('created_at, user_id')
      .eq('user_id', other.userId)
      .order('created_at', { ascending: false })
      .throwOnError();
    expect(mine.data.map(({ created_at }) => created_at)).toEqual(
      ['2026-02-03', '2026-02-02', '2026-02-01'].map((day) => `${day}T00:00:00+00:00`),
    );
    // Rows that named another user belong to the writer.
    expect(new Set(mine.data.map(({ user_id }) => user_id))).toEqual(new Set([other.userId]));
    const { data: foreign } = await entries(writer).select().eq('user_id', other.userId).throwOnError();
    expect(foreign).toEqual([]);
  });

  test('JRNL-03, JRNL-04: without a session every read and write is refused', async () => {
    const anonymous = server.client();
    const outcomes = [
      await anonymous.from('journal_entries').select(),
      await anonymous.from('journal_entries').insert({ user_id: writer.userId, ...entry }),
    ];
    for (const { status, error } of outcomes) {
      expect({ status, code: error?.code }).toEqual({ status: 401, code: '42501' });
    }
  });
});

describe('refusals and their texts', () => {
  const long = (chars: number) => 'x'.repeat(chars);
  const many = Array.from({ length: journalLimits.tags + 1 }, (_, n) => `t${n}`);
  test.each([
    ['JRNL-05: a blank title', { title: ' \t ' }, texts.journalTitle],
    ['a title of characters without a shape', { title: '\u200b\u2800\u3164 \u{e0020}' }, texts.journalTitle],
    ['a text of them', { content: '\u00ad\u2060\ufe0f' }, texts.journalContent],
    ['a long title', { title: long(journalLimits.titleChars + 1) }, texts.journalTitle],
    ['JRNL-06: a blank text', { content: '\n' }, texts.journalContent],
    ['too many tags', { tags: many }, texts.journalTags],
    ['too many in one text', { tags: [many.join()] }, texts.journalTags],
    ['a long tag', { tags: [long(journalLimits.tagChars + 1)] }, texts.journalTags],
    ['a NUL character', { content: 'a\0b' }, 'a text cannot contain a NUL character'],
    ['half of a surrogate pair', { title: 'a\ud800' }, 'a text cannot contain half a surrogate pair'],
    ['half of a pair in a tag', { tags: ['\udc00'] }, 'a text cannot contain half a surrogate pair'],
  ])('%s', async (_what, over, message) => {
    const { status, error } = await entries(writer).insert({ ...entry, ...over });
    expect({ status, message: error?.message }).toEqual({ status: 400, message });
  });

  test('another user’s position and a missing one give the same error; an own one is accepted', async () => {
    const foreign = await positionOf(other);
    for (const position_id of [foreign, randomUUID()]) {
      const { status, error } = await entries(writer).insert({ ...entry, position_id });
      expect({ status, message: error?.message }).toEqual({ status: 409, message: texts.journalPosition });
    }
    const linked = await written(writer, { position_id: await positionOf(writer) });
    const { data } = await entries(writer)
      .select('title, position:positions(symbol, status)')
      .eq('id', linked.id)
      .single()
      .throwOnError();
    expect(data).toEqual({ title: entry.title, position: { symbol: 'BTCUSDT', status: 'open' } });
    const moved = await entries(writer).update({ position_id: foreign }).eq('id', linked.id);
    expect(moved.error?.message).toBe(texts.journalPosition);
  });

  test('the texts name the limits', () => {
    const { titleChars, contentChars, tags, tagChars, entries: most } = journalLimits;
    expect(texts.journalTitle).toContain(`${titleChars} `);
    expect(texts.journalContent).toContain(`${contentChars} `);
    expect(texts.journalTags).toContain(`${tags} tags of 1 to ${tagChars} `);
    expect(texts.journalFull).toContain(`${most} `);
  });
});

test('ENT-28: hostile or large texts are stored unchanged', async () => {
  const stored = {
    title: '<img src=x onerror=alert(1)> ✓ 𝒯',
    content: `<script>alert(1)</script>\n[x](javascript:alert(1))\n${'字'.repeat(19_940)}`,
    tags: ['❤\ufe0f', '{"x"}', '\\', 'null', 'Ärger'],
  };
  const { id } = await written(writer, stored);
  const { data } = await entries(writer).select('title, content, tags').eq('id', id).single().throwOnError();
  expect(data).toEqual(stored);
});

describe('JRNL-07, JRNL-08, A88: tags are split on commas and trimmed, empty ones dropped, from every sender', () => {
  test.each([
    ['a tag with a comma is two', ['fomo, late entry'], ['fomo', 'late entry']],
    ['an empty one between commas is none', ['a,,b', ' c '], ['a', 'b', 'c']],
    ['blank ones and characters without a shape are none', [' ', '\ufeff', ','], []],
    ['white space within one is one space', ['plan \t followed'], ['plan followed']],
    ['of two spellings the first stays', ['BTC', 'eth,btc'], ['BTC', 'eth']],
  ])('%s', async (_what, sent, tags) => {
    const created = await written(writer, { tags: sent });
    expect(created.tags).toEqual(tags);
    const plain = await written(writer, { tags: ['before'] });
    const changed = await entries(writer)
      .update({ tags: sent })
      .eq('id', plain.id)
      .select('tags')
      .throwOnError();
    expect(changed.data).toEqual([{ tags }]);
    const merged = await entries(writer)
      .upsert({ ...entry, id: plain.id, tags: ['after', ...sent] })
      .select('tags')
      .throwOnError();
    expect(merged.data).toEqual([{ tags: ['after', ...tags] }]);
  });
});

test('A88: a repeated save is the same entry and reverts no later edit', async () => {
  const id = randomUUID();
  const save = () =>
    entries(writer).upsert({ id, ...entry }, { onConflict: 'user_id,id', ignoreDuplicates: true });
  await save().throwOnError();
  await entries(writer).update({ title: 'Edited' }).eq('id', id).throwOnError();
  await save().throwOnError();
  const { data } = await entries(writer).select('title').eq('id', id).throwOnError();
  expect(data).toEqual([{ title: 'Edited' }]);
  // Another user's entry with the same id is a different one.
  await entries(other)
    .upsert({ id, ...entry })
    .throwOnError();
  expect((await entries(other).select('title').eq('id', id)).data).toEqual([{ title: entry.title }]);
});

test('a requested merge changes the columns of an update only', async () => {
  const { id, created_at } = await written(writer);
  const merge = { id, title: 'Merged', content: 'New', created_at: '2020-01-01T00:00:00Z' };
  await entries(writer).upsert(merge).throwOnError();
  const { data } = await entries(writer).select('title, content, tags, created_at').eq('id', id).single();
  expect(data).toEqual({ title: 'Merged', content: 'New', tags: entry.tags, created_at });
});

test('A88: an edit that names the state it saw overwrites no other one', async () => {
  const { id, updated_at } = await written(writer);
  const edit = (title: string) =>
    entries(writer).update({ title }).eq('id', id).eq('updated_at', updated_at).select('title');
  expect((await edit('First').throwOnError()).data).toEqual([{ title: 'First' }]);
  expect((await edit('Second').throwOnError()).data).toEqual([]);
  expect((await entries(writer).select('title').eq('id', id).single()).data).toEqual({ title: 'First' });
});

test('an entry is never from the future, and its time of change is the server’s', async () => {
  const inserted = await entries(writer)
    .insert({ ...entry, created_at: '2999-01-01T00:00:00Z' })
    .select()
    .single()
    .throwOnError();
  expect(Date.parse(inserted.data.created_at)).toBeLessThan(Date.parse('2999-01-01T00:00:00Z'));
  const forged = await writer.client
    .from('journal_entries')
    // @ts-expect-error the types do not offer it either
    .update({ updated_at: '2020-01-01T00:00:00Z' })
    .eq('id', inserted.data.id);
  expect(forged.status).toBe(403);
});

test('A88, RULE-37: another trader’s entry is neither changed nor deleted; one’s own is gone', async () => {
  const { id } = await written(writer);
  const touched = [
    await entries(other).update({ title: 'Mine now' }).eq('id', id).select(),
    await entries(other).delete().eq('id', id).select(),
  ];
  expect(touched.map(({ data }) => data)).toEqual([[], []]);
  const gone = await entries(writer).delete().eq('id', id).select('id').throwOnError();
  expect(gone.data).toEqual([{ id }]);
});

test('the list operators find entries by their tags', async () => {
  const { data: made } = await entries(other)
    .insert([
      { ...entry, title: 'ab', tags: ['a', 'b'] },
      { ...entry, title: 'b', tags: ['b'] },
      { ...entry, title: 'none', tags: [] },
    ])
    .select('id')
    .throwOnError();
  const ids = made.map(({ id }) => id);
  const found = async (operator: 'cs' | 'cd' | 'ov', list: string) => {
    const request = entries(other).select('title').in('id', ids).filter('tags', operator, list);
    return (await request.order('title').throwOnError()).data.map(({ title }) => title);
  };
  expect(await found('cs', '{a,b}')).toEqual(['ab']);
  expect(await found('ov', '{"a","b"}')).toEqual(['ab', 'b']);
  expect(await found('cd', '{b}')).toEqual(['b', 'none']);
  const any = await entries(other).select('title').in('id', ids).or('title.ilike.*NON*,tags.ov.{a}');
  expect(new Set(any.data?.map(({ title }) => title))).toEqual(new Set(['ab', 'none']));
  const wrong = await entries(other).select('title').filter('title', 'cs', '{a}');
  expect(wrong).toMatchObject({ status: 400, error: { code: 'PGRST100' } });
});

test('a full journal is refused, also under concurrent writes, and a deletion frees a place', async () => {
  const full = await server.signUpTrader();
  await server.db.query(
    `insert into app.journal_entries (user_id, title, content)
     select $1, 'old', 'x' from generate_series(1, ${journalLimits.entries - 1})`,
    [full.userId],
  );
  const insert = () => full.client.from('journal_entries').insert(entry);
  const messages = (await Promise.all([insert(), insert(), insert()])).map(
    ({ error }) => error?.message ?? 'saved',
  );
  expect(messages.filter((message) => message !== 'saved')).toEqual([texts.journalFull, texts.journalFull]);
  await full.client.from('journal_entries').delete().eq('title', entry.title).throwOnError();
  expect((await insert()).error).toBeNull();
});

test('a deleted account deletes its journal', async () => {
  const leaving = await server.signUpTrader();
  const client = leaving.client as Client;
  await written(
    { client, userId: leaving.userId },
    { position_id: await positionOf({ client, userId: leaving.userId }) },
  );
  const { accounts, db } = server.server;
  await accounts.createUser(db, {
    email: 'office@example.test',
    username: 'office',
    password: 'correct-horse-battery-9',
    role: 'admin',
    managerId: null,
    initialBalance: 0n,
  });
  const office = server.client();
  await office.auth.signInWithPassword({ email: 'office@example.test', password: 'correct-horse-battery-9' });
  await office
    .rpc('delete_user_with_data', { p_user_id: leaving.userId, p_reason: 'Requested it' })
    .throwOnError();
  const { rows } = await db.query('select from app.journal_entries where user_id = $1', [leaving.userId]);
  expect(rows).toEqual([]);
});
