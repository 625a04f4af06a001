/** The remaining query features of supabase-js on a declared table, on a real PostgreSQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { namedUsers, server, shareRestServer } from './rest-server.ts';

shareRestServer();
beforeAll(async () => {
  await server.db.asOwner(
    `insert into app.samples (user_id, label, amount, rank, serial, done, born, seen, tags, detail) values
     ($1, 'a,b', 1.5, 1, 9007199254740993, true, '2000-02-29', '2026-11-21T08:00:00Z', '{x,"y,z"}', '{"k":[1]}'),
     ($1, 'A*B', -2, 2, null, false, null, null, '{}', null),
     ($1, 'plain', null, 3, 3, null, '1999-12-31', '2026-11-20T23:00:00Z', null, '[]'),
     ($1, null, 0.00000001, 4, 4, true, null, null, null, 'null'),
     ($2, 'bob''s', 7, 5, 5, true, null, null, null, null)`,
    [namedUsers.alice.id, namedUsers.bob.id],
  );
});

const samples = () => server.withToken('alice').from('samples');
/** The ranks of the rows that a filter leaves to alice. */
async function ranks(filtered: PromiseLike<{ data: unknown; error: unknown }>): Promise<number[]> {
  const { data, error } = await filtered;
  if (error) throw error;
  return (data as { rank: number }[]).map(({ rank }) => rank).toSorted((a, b) => a - b);
}
const select = () => samples().select('rank');

describe('filters, with the official client', () => {
  test('comparisons and their negation; NULL is in neither', async () => {
    expect(await ranks(select().neq('amount', 1.5))).toEqual([2, 4]);
    expect(await ranks(select().not('amount', 'eq', 1.5))).toEqual([2, 4]);
    expect(await ranks(select().gt('amount', '-0.5').lte('rank', 3))).toEqual([1]);
    expect(await ranks(select().match({ done: true, rank: 4 }))).toEqual([4]);
    expect(await ranks(select().isDistinct('amount', 1.5))).toEqual([2, 3, 4]);
  });

  test('is null, true, false, unknown', async () => {
    expect(await ranks(select().is('done', null))).toEqual([3]);
    expect(await ranks(select().filter('done', 'is', 'unknown'))).toEqual([3]);
    expect(await ranks(select().is('done', false))).toEqual([2]);
    expect(await ranks(select().not('done', 'is', null))).toEqual([1, 2, 4]);
    expect(await ranks(select().not('done', 'is', true))).toEqual([2, 3]);
  });

  test('like and ilike, of one pattern and of several', async () => {
    expect(await ranks(select().like('label', 'a*'))).toEqual([1]);
    expect(await ranks(select().ilike('label', 'A%'))).toEqual([1, 2]);
    expect(await ranks(select().like('label', 'A__'))).toEqual([2]);
    expect(await ranks(select().likeAnyOf('label', ['%b', 'pl%']))).toEqual([1, 3]);
    expect(await ranks(select().likeAllOf('label', ['%l%', '%n']))).toEqual([3]);
    expect(await ranks(select().ilikeAnyOf('label', ['PLAIN', 'none']))).toEqual([3]);
    expect(await ranks(select().ilikeAllOf('label', ['A%', '%B']))).toEqual([1, 2]);
    expect(await ranks(select().not('label', 'ilike', 'a*'))).toEqual([3]);
  });

  test('in and not in, with values that need quotes', async () => {
    expect(await ranks(select().in('label', ['a,b', 'plain']))).toEqual([1, 3]);
    expect(await ranks(select().notIn('rank', [1, 2]))).toEqual([3, 4]);
    expect(await ranks(select().filter('rank', 'eq(any)', '{1,4}'))).toEqual([1, 4]);
    expect(await ranks(select().filter('rank', 'gt(all)', '{1,2}'))).toEqual([3, 4]);
  });

  test('or, nested and negated', async () => {
    expect(await ranks(select().or('label.eq."a,b",rank.eq.4'))).toEqual([1, 4]);
    expect(await ranks(select().or('and(rank.gt.1,rank.lt.3), label.like(any).{pl*,"x,y"}'))).toEqual([2, 3]);
    expect(await ranks(select().or('not.and(rank.gte.1,rank.lte.3)'))).toEqual([4]);
    const negated = await server.fetch('samples?select=rank&not.or=(rank.eq.1,rank.gt.2)');
    expect(await negated.json()).toEqual([{ rank: 2 }]);
  });

  test('dates, times with and without a zone, whole numbers beyond a float, lists', async () => {
    expect(await ranks(select().eq('born', '2000-02-29'))).toEqual([1]);
    expect(await ranks(select().lt('seen', '2026-11-21'))).toEqual([3]);
    expect(await ranks(select().eq('serial', '9007199254740993'))).toEqual([1]);
    expect(await ranks(select().filter('tags', 'eq', '{x,"y,z"}'))).toEqual([1]);
    expect((await select().eq('born', '2001-02-29')).error).toMatchObject({ code: '22008' });
  });

  test('every type arrives as JSON has it', async () => {
    const { data } = await samples().select('born, tags, detail, amount, done').eq('rank', 1).single();
    expect(data).toEqual({
      born: '2000-02-29',
      tags: ['x', 'y,z'],
      detail: { k: [1] },
      amount: 1.5,
      done: true,
    });
  });

  test('what is outside the grammar is named, with a hint', async () => {
    const refusals = await Promise.all([
      select().textSearch('label', 'a'),
      select().contains('label', ['x']),
      select().containedBy('rank', ['x']),
      select().overlaps('label', ['x']),
      select().rangeGt('rank', '[1,2)'),
      select().regexMatch('label', 'a'),
      select().eq('detail', '{}'),
      select().order('detail'),
      samples().select('detail->k'),
      samples().select('amount.sum()'),
    ]);
    for (const { status, error } of refusals) {
      expect([status, error?.code]).toEqual([400, 'PGRST100']);
    }
    expect(refusals[0]?.error?.message).toBe('Unsupported operator "fts" on column "label"');
    expect(refusals[0]?.error?.hint).toContain('ilike');
  });

  test('unsupported media types are 406: CSV, GeoJSON, a plan, stripped nulls', async () => {
    for (const query of [
      samples().select().csv(),
      samples().select().geojson(),
      samples().select().explain(),
      samples().select().stripNulls(),
    ]) {
      expect(await query).toMatchObject({ status: 406, error: { code: 'PGRST107' } });
    }
  });
});

describe('embedded rows', () => {
  test('a filter empties the embed, !inner removes the row, order follows it', async () => {
    const ada = server.as('ada');
    const left = await ada
      .from('wallets')
      .select('id, owner:users!user_id(username)')
      .ilike('owner.username', 'AL*')
      .order('owner(username)');
    expect(left.data?.map(({ owner }) => owner)).toEqual([{ username: 'alice' }, null]);
    const inner = await ada
      .from('wallets')
      .select('id, users!inner(username)', { count: 'exact' })
      .eq('users.username', 'bob');
    expect(inner).toMatchObject({ count: 1, data: [{ users: { username: 'bob' } }] });
    const either = await ada
      .from('wallets')
      .select('users!inner(username)')
      .or('username.eq.alice,username.eq.bob', { referencedTable: 'users' })
      .order('users(username)', { ascending: false });
    expect(either.data?.map(({ users }) => users.username)).toEqual(['bob', 'alice']);
  });

  test('X-20: a filter or order on an embed discloses nothing about a row that the caller may not read', async () => {
    const alice = server.as('alice');
    for (const guess of ['mona', 'nobody']) {
      const { data } = await alice
        .from('users')
        .select('id, manager:manager_id!inner(username)')
        .eq('manager.username', guess);
      expect(data).toEqual([]);
    }
  });

  test('a page of an embed and an embed that is not selected are refused', async () => {
    const ada = server.as('ada');
    const page = await ada.from('wallets').select('id, users(id)').limit(1, { referencedTable: 'users' });
    expect(page.error).toMatchObject({ code: 'PGRST100' });
    const missing = await ada.from('wallets').select('id').eq('users.username', 'bob');
    expect(missing.error).toMatchObject({ code: 'PGRST108' });
  });
});

describe('counts and one row', () => {
  test('every kind of count is exact, with and without rows, and on writes', async () => {
    for (const count of ['exact', 'planned', 'estimated'] as const) {
      expect(await samples().select('*', { count, head: true }).gt('rank', 1)).toMatchObject({ count: 3 });
    }
    const page = await samples().select('rank', { count: 'exact' }).order('rank').range(1, 2);
    expect(page).toMatchObject({ status: 206, count: 4, data: [{ rank: 2 }, { rank: 3 }] });
    const written = await samples().update({ label: 'plain' }, { count: 'exact' }).eq('rank', 3);
    expect(written).toMatchObject({ status: 204, count: 1, error: null });
  });

  test('a range that begins behind the last row is 416, an empty one is not', async () => {
    const beyond = await samples().select('rank', { count: 'exact' }).range(5, 9);
    expect(beyond).toMatchObject({ status: 416, error: { code: 'PGRST103' } });
    const empty = await samples().select('rank', { count: 'exact' }).eq('rank', 99);
    expect(empty).toMatchObject({ status: 200, count: 0, data: [] });
  });

  test('maybeSingle() of several is an error of the client itself', async () => {
    expect(await samples().select().maybeSingle()).toMatchObject({ error: { code: 'PGRST116' }, data: null });
    expect(await samples().select().eq('rank', 99).maybeSingle()).toMatchObject({ error: null, data: null });
  });
});
