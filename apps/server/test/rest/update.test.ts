/** PATCH of own rows under declared columns, and values of every type in a body. */
import { beforeEach, expect, test } from 'vitest';
import { impersonating, namedUsers, server, shareRestServer } from './rest-server.ts';

shareRestServer();
beforeEach(async () => {
  await server.db.asOwner('delete from app.samples');
  await server.db.asOwner(
    `insert into app.samples (user_id, label, rank)
     values ($1, 'one', 1), ($1, 'two', 2), ($2, 'of bob', 1), ($3, 'of sam', 1)`,
    [namedUsers.alice.id, namedUsers.bob.id, namedUsers.sam.id],
  );
});

const samples = (token = 'alice') => server.withToken(token).from('samples');
const stored = async () => {
  const rows = await server.db.asOwner('select label from app.samples order by label');
  return rows.map(({ label }) => label);
};

test('X-20: an update reaches the caller’s own rows only', async () => {
  const { data, status } = await samples().update({ label: 'new' }).eq('rank', 1).select('label, rank');
  expect([status, data]).toEqual([200, [{ label: 'new', rank: 1 }]]);
  expect(await samples().update({ label: 'stolen' }).eq('user_id', namedUsers.bob.id).select()).toMatchObject(
    {
      status: 200,
      data: [],
    },
  );
  expect(await stored()).toEqual(['new', 'of bob', 'of sam', 'two']);
});

test('an update needs a filter, an object and a declared column that the role may write', async () => {
  const refused = async (request: PromiseLike<{ status: number; error: { code: string } | null }>) => {
    const { status, error } = await request;
    return [status, error?.code];
  };
  expect(await refused(samples().update({ label: 'x' }))).toEqual([400, '21000']);
  expect(await refused(samples().update({}).eq('rank', 1))).toEqual([400, 'PGRST102']);
  expect(await refused(samples().update({ rank: 9 }).eq('rank', 1))).toEqual([403, '42501']);
  expect(await refused(samples().update({ user_id: namedUsers.bob.id }).eq('rank', 1))).toEqual([
    403,
    '42501',
  ]);
  expect(await refused(samples().update({ secret: 9 }).eq('rank', 1))).toEqual([400, '42703']);
  expect(await refused(samples('mona').update({ label: 'x' }).eq('rank', 1))).toEqual([403, '42501']);
  expect(await stored()).toEqual(['of bob', 'of sam', 'one', 'two']);
});

test('one request updates at most 100 rows, else none', async () => {
  await server.db.asOwner(
    `insert into app.samples (user_id, label, rank) select $1, 'many', 7 from generate_series(1, 101)`,
    [namedUsers.alice.id],
  );
  const { status, error } = await samples().update({ label: 'changed' }).eq('rank', 7);
  expect([status, error?.code]).toEqual([400, 'PGRST124']);
  expect(await stored()).not.toContain('changed');
  // Threat: however many rows a refused request means, none is written and taken back, which would leave its mark.
  const written = await server.db.asOwner(`select count(*)::int as n from app.samples where xmax <> '0'`);
  expect(written).toEqual([{ n: 0 }]);
});

test('a result that single() refuses has not been written', async () => {
  const both = await samples().update({ label: 'both' }).gt('rank', 0).select().single();
  expect(both).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
  expect(await stored()).toEqual(['of bob', 'of sam', 'one', 'two']);
});

test('dates, lists and JSON are written and read back', async () => {
  const row = {
    label: 'ü "quoted" \\ text',
    amount: '12345678.00000001',
    rank: 3,
    serial: '9007199254740993',
    done: false,
    born: '2000-02-29',
    seen: '2026-11-21T08:00:00+02:00',
    tags: ['a', 'b,c', '{"d"}', ''],
    detail: { kind: 'x', nested: [1, null, { a: '\\u0000 as text' }] },
  };
  const { data } = await samples().insert(row).select('*').single();
  expect(data).toMatchObject({
    ...row,
    user_id: namedUsers.alice.id,
    amount: 12345678.00000001,
    serial: 9007199254740992,
    seen: '2026-11-21T06:00:00+00:00',
  });
});

test('a value that its type, its bounds or the row cannot hold is a 400 and nothing is written', async () => {
  for (const [row, code] of [
    [{ born: '2001-02-29' }, '22008'],
    [{ born: 'today' }, '22P02'],
    [{ tags: 'a' }, '22P02'],
    [{ tags: [1] }, '22P02'],
    [{ tags: Array.from({ length: 101 }, () => 'a') }, 'PGRST100'],
    [{ detail: { a: '\0' } }, '22P05'],
    [{ detail: { a: 'x'.repeat(17_000) } }, 'PGRST100'],
    [{ amount: '0.000000001' }, '22003'],
    [{ amount: 1e30 }, '22003'],
    [{ serial: '9223372036854775808' }, '22003'],
    [{ label: 'a\0b' }, '22021'],
  ] as const) {
    const { status, error } = await samples().insert(row);
    expect([status, error?.code, JSON.stringify(row).slice(0, 60)]).toEqual([
      400,
      code,
      JSON.stringify(row).slice(0, 60),
    ]);
  }
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  for (const [column, code] of [
    ['detail', '22023'],
    ['label', '22P02'],
    ['tags', '22P02'],
  ]) {
    const refused = await server.fetch('samples', { method: 'POST', body: `{"${column}":${deep}}` });
    expect([refused.status, await refused.json()]).toMatchObject([400, { code }]);
  }
  expect(await stored()).toHaveLength(4);
});

test('A45: during an impersonation rows are read, and written only where the contract allows it', async () => {
  const viewed = samples(impersonating('alice'));
  expect((await viewed.select('label').order('rank')).data).toEqual([{ label: 'one' }, { label: 'two' }]);
  const refused = { status: 403, error: { code: 'not_allowed' } };
  expect(await viewed.insert({ label: 'x' })).toMatchObject(refused);
  expect(await viewed.update({ label: 'x' }).eq('rank', 1)).toMatchObject(refused);
  expect(await viewed.delete().eq('rank', 1)).toMatchObject(refused);
  expect(await stored()).toEqual(['of bob', 'of sam', 'one', 'two']);
  const allowed = await samples(impersonating('sam'))
    .update({ label: 'by ada' })
    .eq('rank', 1)
    .select('label');
  expect(allowed.data).toEqual([{ label: 'by ada' }]);
});
