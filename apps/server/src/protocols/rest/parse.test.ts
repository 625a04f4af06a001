import type { Role } from '@fulcrum/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { id, refused, select } from '../../../test/rest/parsing.ts';
import { RestError } from './errors.ts';
import { limits } from './limits.ts';
import { parseTableRequest } from './parse.ts';

describe('select', () => {
  test('CALL-19: an id filter and one object', () => {
    const query = select(`users?select=*&id=eq.${id}`, {
      headers: { accept: 'application/vnd.pgrst.object+json' },
    });
    expect(query).toMatchObject({
      single: true,
      conditions: [{ kind: 'compare', column: 'id', by: 'eq', value: id }],
    });
    expect(query.selections).toHaveLength(11);
  });

  test('CALL-21: all columns, the manager of each and an order', () => {
    const query = select('users?select=*,manager:manager_id(username)&order=created_at.desc', {
      role: 'admin',
    });
    expect(query.selections.at(-1)).toMatchObject({
      kind: 'embed',
      name: 'manager',
      through: 'manager_id',
      columns: [{ name: 'username', column: 'username' }],
    });
    expect(query.order).toEqual([{ column: 'created_at', of: null, direction: 'desc', nulls: null }]);
  });

  test('CALL-32: a wallet with the name of its user, by table, hint, column and declared name', () => {
    for (const target of ['users', 'users!user_id', 'users!wallets_user_id_fkey!left', 'user_id', 'user']) {
      const { selections } = select(`wallets?select=id,owner:${target}(username)`);
      expect(selections.at(-1)).toMatchObject({ kind: 'embed', name: 'owner', through: 'user_id' });
    }
  });

  test('CALL-35: several filters, among them a list with quoted values', () => {
    const query = select(
      'transactions?type=in.(deposit,"with,draw\\"al")&status=eq.completed&amount=gte.10.50',
    );
    expect(query.conditions).toEqual([
      { kind: 'in', column: 'type', values: ['deposit', 'with,draw"al'] },
      { kind: 'compare', column: 'status', by: 'eq', value: 'completed' },
      { kind: 'compare', column: 'amount', by: 'gte', value: '10.5' },
    ]);
  });

  test('aliases, repeated columns and nulls order', () => {
    const query = select('positions?select=*,id,entry:entry_price&order=closed_at.desc.nullslast,id');
    expect(query.selections.filter(({ name }) => name === 'id')).toHaveLength(1);
    expect(query.selections.at(-1)).toEqual({ kind: 'column', name: 'entry', column: 'entry_price' });
    expect(query.order).toEqual([
      { column: 'closed_at', of: null, direction: 'desc', nulls: 'last' },
      { column: 'id', of: null, direction: 'asc', nulls: null },
    ]);
  });

  test('a page comes from limit and offset or from the Range header and never exceeds the cap', () => {
    expect(select('positions')).toMatchObject({ offset: 0, limit: limits.pageRows, capped: true });
    expect(select('positions?limit=20&offset=40')).toMatchObject({ offset: 40, limit: 20, capped: false });
    expect(select('positions?limit=5000')).toMatchObject({ limit: limits.pageRows, capped: true });
    expect(select('positions', { headers: { range: '10-19' } })).toMatchObject({ offset: 10, limit: 10 });
    expect(refused('positions', { headers: { range: '9-3' } })).toMatchObject({ status: 416 });
  });

  test('operators, negated and over several values', () => {
    expect(
      select(
        'positions?symbol=not.ilike.*btc*&status=isdistinct.open&side=eq(any).{BUY,"a,\\"b"}&closed_at=not.is.null&symbol=like(all).{B*,*T}',
      ).conditions,
    ).toEqual([
      { kind: 'not', condition: { kind: 'like', column: 'symbol', by: 'ilike', pattern: '%btc%' } },
      { kind: 'distinct', column: 'status', value: 'open' },
      { kind: 'quantified', column: 'side', by: 'eq', over: 'any', values: ['BUY', 'a,"b'] },
      { kind: 'not', condition: { kind: 'is', column: 'closed_at', state: 'null' } },
      { kind: 'quantified', column: 'symbol', by: 'like', over: 'all', values: ['B%', '%T'] },
    ]);
  });

  test('groups, nested, negated and with quoted operands', () => {
    const { conditions } = select(
      'positions?or=(symbol.eq."a,(b)", not.and(leverage.gt.5,side.in.(BUY,"x)y")),symbol.like(any).{a*,"b,c"})&not.and=(size.lt.1)',
    );
    expect(conditions).toEqual([
      {
        kind: 'group',
        join: 'or',
        conditions: [
          { kind: 'compare', column: 'symbol', by: 'eq', value: 'a,(b)' },
          {
            kind: 'not',
            condition: {
              kind: 'group',
              join: 'and',
              conditions: [
                { kind: 'compare', column: 'leverage', by: 'gt', value: '5' },
                { kind: 'in', column: 'side', values: ['BUY', 'x)y'] },
              ],
            },
          },
          { kind: 'quantified', column: 'symbol', by: 'like', over: 'any', values: ['a%', 'b,c'] },
        ],
      },
      {
        kind: 'not',
        condition: {
          kind: 'group',
          join: 'and',
          conditions: [{ kind: 'compare', column: 'size', by: 'lt', value: '1' }],
        },
      },
    ]);
  });

  test('filters and order of an embedded row, by the name that it has in the answer', () => {
    const query = select(
      'wallets?select=id,owner:users!user_id!inner(username)&owner.username=ilike.a*&owner.or=(role.eq.trader,role.eq.admin)&order=owner(username).desc&owner.order=username',
      { role: 'admin' },
    );
    expect(query.conditions).toEqual([]);
    expect(query.selections.at(-1)).toMatchObject({
      kind: 'embed',
      name: 'owner',
      join: 'inner',
      conditions: [
        { kind: 'like', pattern: 'a%' },
        { kind: 'group', join: 'or' },
      ],
    });
    expect(query.order).toMatchObject([
      { column: 'username', of: { through: 'user_id' }, direction: 'desc' },
    ]);
  });

  test('X-20: what a role may not read, it cannot filter or order by, in groups and embeds either', () => {
    for (const query of ['or=(password_hash.eq.a)', 'and=(or(id.is.null,secret.is.null))', 'order=secret']) {
      expect(refused(`users?${query}`)).toMatchObject({ code: '42703' });
    }
    expect(refused('wallets?select=users(id)&users.secret=eq.a')).toMatchObject({ code: '42703' });
    expect(refused('wallets?select=users(id)&order=users(secret)')).toMatchObject({ code: '42703' });
  });

  test('CALL-25: a count without rows', () => {
    const query = select('users?select=*', { method: 'HEAD', headers: { prefer: 'count=exact' } });
    expect(query).toMatchObject({ headOnly: true, counted: true });
  });
});

describe('what is refused', () => {
  test('an alias of more than 63 characters or with a NUL, in an embed too', () => {
    const long = 'x'.repeat(64);
    for (const alias of [long, `"a%00b"`]) {
      expect(refused(`wallets?select=${alias}:id`)).toMatchObject({ code: 'PGRST100' });
      expect(refused(`wallets?select=user(${alias}:email)`)).toMatchObject({ code: 'PGRST100' });
    }
    expect(select(`wallets?select=user(${long.slice(1)}:email)`).selections).toHaveLength(1);
  });

  test('an undeclared table, column or relation does not exist', () => {
    expect(refused('credentials')).toMatchObject({ status: 404, code: 'PGRST205' });
    expect(refused('__proto__')).toMatchObject({ status: 404, code: 'PGRST205' });
    expect(refused('users?select=password_hash')).toMatchObject({
      status: 400,
      code: '42703',
      message: 'column users.password_hash does not exist',
    });
    expect(refused('users?constructor=eq.1')).toMatchObject({ code: '42703' });
    expect(refused('users?order=attempts')).toMatchObject({ code: '42703' });
    // A claim of its command writes.
    expect(refused('positions?select=id,reason')).toMatchObject({ code: '42703' });
    expect(refused('positions?select=id,wallets(id)')).toMatchObject({ status: 400, code: 'PGRST200' });
  });

  test.each([
    ['positions?symbol=fts.BTC', 'fts'],
    ['positions?symbol=plfts(german).BTC', 'plfts'],
    ['positions?symbol=match.^B', 'match'],
    ['positions?symbol=cs.{a}', 'cs'],
    ['positions?symbol=cd.{a}', 'cd'],
    ['positions?symbol=ov.{a}', 'ov'],
    ['positions?symbol=sl.(1,2)', 'sl'],
    ['positions?symbol=not.not.eq.a', 'not'],
    ['positions?symbol=neq(any).{a}', 'neq(any)'],
    ['positions?symbol=eq(some).{a}', 'eq(some)'],
    ['positions?entry_price=like.1*', 'like'],
    ['positions?symbol=BTC', 'BTC'],
    ['positions?select=id,users(id)&users.limit=1', 'users.limit'],
    ['positions?select=id,users(id)&users.manager.id=eq.1', 'users.manager.id'],
    ['positions?select=size::text', '::'],
    ['positions?select=size->a', '->'],
    ['positions?select=size.sum()', 'Aggregate'],
    ['positions?select=count()', 'count'],
    ['positions?select=...users(username)', 'Spread'],
    ['positions?select=users(manager_id(username))', 'more than one level'],
    ['users?select=users!manager_id(username)', 'many rows'],
    ['wallets?select=users!user_id!wallets_user_id_fkey(username)', 'one hint'],
  ])('%s is outside the grammar and named', (path, named) => {
    const error = refused(path);
    expect(error).toMatchObject({ status: 400, code: 'PGRST100' });
    expect(error.message).toContain(named);
  });

  test.each([
    'positions?select=id,',
    'positions?select=id)',
    'positions?select=users(id',
    'positions?select="id',
    'positions?select=a:id,a:size',
    'positions?order=id.up',
    'positions?limit=-1',
    'positions?limit=1&limit=2',
    'positions?offset=99999999',
    'positions?status=in.open',
    'positions?status=in.("open)',
    'positions?leverage=is.true',
    'positions?leverage=is.unknown',
    'positions?or=()',
    'positions?or=id.eq.1',
    'positions?or=(symbol.eq.a',
    'positions?or=(symbol.eq.a)b',
    'positions?or=(symbol)',
    'positions?or=(symbol.eq."a"b)',
    'positions?order=users(username)',
    'positions?select=users(id)&order=users.username',
    'positions?users.username=eq.a',
  ])('%s is malformed', (path) => {
    expect(refused(path)).toMatchObject({ status: 400, code: expect.stringMatching(/^PGRST10[08]$/) });
  });

  test('a value that is not of its column', () => {
    for (const filter of [
      'id=eq.1',
      'leverage=eq.1.5',
      'size=eq.abc',
      'size=gt.0x1e',
      'created_at=lt.yesterday',
    ]) {
      expect(refused(`positions?${filter}`)).toMatchObject({ status: 400, code: '22P02' });
    }
    expect(refused('positions?leverage=eq.3000000000')).toMatchObject({ code: '22003' });
    expect(refused('positions?size=eq.0.123456789')).toMatchObject({ code: '22003' });
    expect(refused('positions?created_at=lt.2026-02-30')).toMatchObject({ code: '22008' });
    expect(refused('positions?symbol=eq.%00')).toMatchObject({ code: '22021' });
  });

  test('more than the bounds allow', () => {
    const many = (count: number, make: (i: number) => string, by: string) =>
      Array.from({ length: count }, (_, i) => make(i)).join(by);
    for (const query of [
      many(limits.filters + 1, () => 'symbol=eq.A', '&'),
      `symbol=in.(${many(limits.inListValues + 1, () => 'A', ',')})`,
      `order=${many(limits.orderTerms + 1, () => 'id', ',')}`,
      `select=${many(limits.selections + 1, (i) => `a${i}:id`, ',')}`,
      `select=${many(limits.embeds + 1, (i) => `a${i}:users(id)`, ',')}`,
      `symbol=eq.${'A'.repeat(limits.valueChars + 1)}`,
      `symbol=like(any).{${many(limits.quantifiedValues + 1, () => 'A', ',')}}`,
      `or=(${many(limits.filters + 1, () => 'symbol.eq.A', ',')})`,
      `or=(${'and('.repeat(limits.logicDepth)}symbol.eq.A${')'.repeat(limits.logicDepth)})`,
    ]) {
      expect(refused(`positions?${query}`)).toMatchObject({ status: 400, code: 'PGRST100' });
    }
  });

  test('X-20: a table that the role may not read: 401 without a session, 403 with one', () => {
    expect(refused('wallets', { role: 'anon' })).toMatchObject({ status: 401, code: '42501' });
    expect(refused('wallets', { role: 'support' })).toMatchObject({ status: 403, code: '42501' });
    expect(refused('favorites', { role: 'admin' })).toMatchObject({ status: 403, code: '42501' });
  });

  test('media types and preferences that cannot be honoured', () => {
    expect(refused('positions', { headers: { accept: 'text/csv' } })).toMatchObject({ status: 406 });
    expect(
      refused('positions', { headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' } }),
    ).toMatchObject({
      status: 406,
    });
    expect(refused('positions', { headers: { prefer: 'tx=rollback' } })).toMatchObject({ code: 'PGRST100' });
    expect(select('positions', { headers: { accept: 'text/html, */*;q=0.8' } }).single).toBe(false);
  });
});

test('whatever is sent, the parser answers with a query or a typed error', () => {
  const token = fc.oneof(
    fc.constantFrom(
      'id',
      'select',
      'order',
      'limit',
      'symbol',
      'users',
      '*',
      'or',
      '__proto__',
      'on_conflict',
      'eq',
      'in',
    ),
    fc.string({ maxLength: 12, unit: 'binary' }),
  );
  const fragment = fc.array(
    fc.oneof(token, fc.constantFrom('.', ',', '(', ')', '!', ':', '"', '\\', '->', '::', '=', ' ')),
    { maxLength: 12 },
  );
  const text = fragment.map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.record({
        method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE'),
        table: fc.oneof(fc.constantFrom('users', 'positions', 'favorites', 'trading_pairs'), token),
        pairs: fc.array(fc.tuple(token, text), { maxLength: 6 }),
        prefer: text,
        accept: text,
        range: text,
        body: fc.jsonValue(),
        role: fc.constantFrom<Role>('anon', 'trader', 'manager', 'support', 'admin'),
      }),
      ({ method, table, pairs, prefer, accept, range, body, role }) => {
        try {
          const query = parseTableRequest({
            method,
            table,
            search: new URLSearchParams(pairs),
            headers: { prefer, accept, range },
            body,
            role,
          });
          expect(Object.hasOwn(query.table.access, role)).toBe(true);
        } catch (error) {
          if (!(error instanceof RestError)) throw error;
          expect(error.status).toBeGreaterThanOrEqual(400);
          expect(error.status).toBeLessThan(500);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
