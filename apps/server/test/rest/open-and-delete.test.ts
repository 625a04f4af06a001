/**
 * Inserts that are open to all roles, deletes by command, names that PostgreSQL would fold, and tables that cannot be read
 * during an impersonation; the tests bring their own commands.
 */
import { randomUUID } from 'node:crypto';
import { AppError, texts } from '@fulcrum/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sender } from '../../src/protocols/rest/command-writes.ts';
import { impersonating, namedUsers, type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let sent: { sender: Sender; rows: readonly object[] }[] = [];
let stored: readonly string[] = [];
let requests: (readonly string[])[] = [];
let gone: (ids: readonly string[]) => readonly string[] = (ids) => ids;
beforeAll(async () => {
  server = await startRestServer({
    writes: {
      'contact_forms.open insert': async (sender, rows) => {
        sent.push({ sender, rows });
        if (rows.some(({ name }) => name === 'refused')) throw new AppError('invalid_argument', 'No.');
        return stored;
      },
      'chat_sessions.delete': async (_caller, ids) => {
        requests.push(ids);
        const went = gone(ids);
        await server.db.query(`delete from app.chat_sessions where id = any($1)`, [went]);
        return went;
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  sent = [];
  stored = [];
  requests = [];
  gone = (ids) => ids;
  await server.db.query('delete from app.chat_sessions');
});

const whole = { name: 'Zoe', email: 'z@example.test', subject: 'Hi', message: 'There' };

async function storedForm(): Promise<string> {
  const { rows } = await server.db.query<{ id: string }>(
    `insert into app.contact_forms (name, email, subject, message, created_at, updated_at)
     values ('Zoe', 'z@example.test', 'Hi', 'There', now(), now()) returning id`,
  );
  return rows[0]!.id;
}

test('an open insert without a session, with and without the key as a token: 201 without a body, by address', async () => {
  const bare = await server.fetch('contact_forms', { method: 'POST', body: JSON.stringify(whole) }, null);
  expect([bare.status, await bare.text()]).toEqual([201, '']);
  expect(await server.as(null).from('contact_forms').insert(whole)).toMatchObject({
    status: 201,
    data: null,
  });
  const sender = { caller: { role: 'anon' }, address: '127.0.0.1' };
  expect(sent).toEqual([
    { sender, rows: [whole] },
    { sender, rows: [whole] },
  ]);
});

test('with a session it carries the user, and the same address', async () => {
  expect((await server.as('alice').from('contact_forms').insert(whole)).status).toBe(201);
  expect(sent[0]!.sender).toMatchObject({
    caller: { role: 'trader', userId: namedUsers.alice.id },
    address: '127.0.0.1',
  });
});

test('a caller without read access gets no row and no count, and the request writes nothing else', async () => {
  for (const user of [null, 'alice', 'mona', 'sam'] as const) {
    const { status, error } = await server.as(user).from('contact_forms').insert(whole).select();
    expect([status, error?.code]).toEqual([user === null ? 401 : 403, '42501']);
  }
  expect(sent).toEqual([]);
  stored = [];
  const dropped = await server.as(null).from('contact_forms').insert(whole, { count: 'exact' });
  stored = [randomUUID()];
  const answer = await server.as(null).from('contact_forms').insert(whole, { count: 'exact' });
  expect(dropped).toEqual(answer);
});

test('a caller with read access gets the row; a missing row is not returned', async () => {
  stored = [await storedForm()];
  const insert = () => server.as('ada').from('contact_forms').insert(whole).select('name, status').single();
  expect(await insert()).toMatchObject({ status: 201, data: { name: 'Zoe', status: 'new' } });
  stored = [];
  expect(await insert()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
});

test('refusals of an open insert are answered with their error; undeclared input never reaches it', async () => {
  const from = server.as(null).from('contact_forms');
  expect(await from.insert({ ...whole, name: 'refused' })).toMatchObject({
    status: 400,
    error: { code: 'invalid_argument', message: 'No.' },
  });
  sent = [];
  const rows: readonly (readonly [object, number, string])[] = [
    [{ ...whole, reply: 'x' }, 401, '42501'],
    [{ ...whole, secret: 'x' }, 400, '42703'],
    [{ ...whole, name: null }, 400, '23502'],
  ];
  for (const [row, status, code] of rows) {
    expect(await from.insert(row as typeof whole)).toMatchObject({ status, error: { code } });
  }
  expect(
    await server.as(null).from('contact_forms').update({ status: 'read' }).eq('status', 'new'),
  ).toMatchObject({
    status: 401,
  });
  expect(await server.as(null).from('users').insert({ username: 'x' })).toMatchObject({ status: 401 });
  expect(sent).toEqual([]);
});

async function session(user: 'alice' | 'bob', over: { status?: string; seq?: string } = {}): Promise<string> {
  const { rows } = await server.db.query<{ id: string }>(
    `insert into app.chat_sessions (user_id, status, created_at, updated_at, closed_at, last_seq)
     values ($1, $2, now(), now(), case $2 when 'closed' then now() end, $3) returning id`,
    [namedUsers[user].id, over.status ?? 'closed', over.seq ?? '0'],
  );
  return rows[0]!.id;
}

test('a delete by command finds its rows under the role’s scope and answers what stood there', async () => {
  const [mine, other] = [await session('alice'), await session('bob')];
  const remove = (ids: string[]) => server.withToken('alice').from('chat_sessions').delete().in('id', ids);
  expect(await remove([mine, other]).select('id, state:status')).toMatchObject({
    status: 200,
    data: [{ id: mine, state: 'closed' }],
  });
  expect(requests).toEqual([[mine]]);
  expect(await remove([other])).toMatchObject({ status: 204 });
  const { rows } = await server.db.query('select id from app.chat_sessions');
  expect(rows).toEqual([{ id: other }]);
});

test('its response has exactly the deleted rows, with numbers that JavaScript would round', async () => {
  const ids = [
    await session('alice', { seq: '9007199254740993' }),
    await session('alice'),
    await session('alice'),
  ];
  const [first = '', , third = ''] = ids.toSorted();
  gone = () => [third, first];
  const answer = await server.fetch(`chat_sessions?id=in.(${ids.join()})&select=id,last_seq`, {
    method: 'DELETE',
    headers: { prefer: 'return=representation' },
  });
  const text = await answer.text();
  expect(JSON.parse(text).map(({ id }: { id: string }) => id)).toEqual([third, first]);
  const big = ids[0]!;
  expect(text.includes('9007199254740993')).toBe([first, third].includes(big));
});

test('one object of a delete is one row or a refusal', async () => {
  const [one, other] = [await session('alice'), await session('alice')];
  const remove = (ids: string[]) =>
    server.withToken('alice').from('chat_sessions').delete().in('id', ids).select('id').single();
  expect(await remove([one, other])).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
  expect(requests).toEqual([]);
  expect(await remove([one])).toMatchObject({ status: 200, data: { id: one } });
  gone = () => [];
  expect(await remove([other])).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
});

test('a delete by command has a filter, at most 100 rows, and is refused during an impersonation', async () => {
  await session('alice');
  expect((await server.withToken('alice').from('chat_sessions').delete()).error).toMatchObject({
    code: '21000',
  });
  expect(
    await server.withToken(impersonating('alice')).from('chat_sessions').delete().eq('status', 'closed'),
  ).toMatchObject({ status: 403, error: { message: texts.notWhileImpersonating } });
  await server.db.query(
    `insert into app.chat_sessions (user_id, status, created_at, updated_at, closed_at)
     select $1, 'closed', now(), now(), now() from generate_series(1, 101)`,
    [namedUsers.alice.id],
  );
  expect(await server.withToken('alice').from('chat_sessions').delete().eq('status', 'closed')).toMatchObject(
    { error: { code: 'PGRST124' } },
  );
  expect(requests).toEqual([]);
});

test('a name with capitals is selected, renamed, filtered and sorted by as it is declared', async () => {
  const details = () => server.withToken('sam').from('support_details');
  expect((await details().select('workingHours, level').throwOnError()).data).toMatchObject([
    { workingHours: { start: '09:00' }, level: 'Agent' },
  ]);
  expect((await details().select('*').throwOnError()).data![0]).toHaveProperty('workingHours');
  // One alias makes the answer of other SQL; the declared names beside it stay what they are.
  expect((await details().select('grade:level, workingHours').throwOnError()).data).toMatchObject([
    { grade: 'Agent', workingHours: { timezone: 'UTC' } },
  ]);
  expect((await details().select('hours:workingHours').throwOnError()).data).toMatchObject([
    { hours: { end: '17:00' } },
  ]);
  expect((await details().select('level').not('workingHours', 'is', null).throwOnError()).data).toHaveLength(
    1,
  );
  expect((await details().select('level').is('workingHours', null).throwOnError()).data).toEqual([]);
  // What is not sorted by is refused by its type and not by PostgreSQL.
  expect((await details().select('level').order('workingHours')).error).toMatchObject({ code: 'PGRST100' });
  expect((await details().select('workinghours')).error).toMatchObject({ code: '42703' });
});

test('A45: a table that cannot be read during an impersonation is refused, its count too', async () => {
  const viewed = server.withToken(impersonating('alice')).from('kyc_verifications');
  const refused = { status: 403 };
  expect(await viewed.select('*')).toMatchObject({
    ...refused,
    error: { message: texts.notWhileImpersonating },
  });
  expect(await viewed.select('id', { head: true, count: 'exact' })).toMatchObject(refused);
  expect((await server.withToken('alice').from('kyc_verifications').select('*')).error).toBeNull();
  expect((await server.withToken(impersonating('alice')).from('chat_sessions').select('*')).error).toBeNull();
});
