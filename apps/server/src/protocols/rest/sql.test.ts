import { type Caller, type Role, tables } from '@fulcrum/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parametersMatch, undeclaredTokens } from '../../../test/rest/declared-forms.ts';
import { RestError } from './errors.ts';
import { parseTableRequest } from './parse.ts';
import type { TableQuery } from './query.ts';
import { answerStatement, type Statement, targetsStatement, writeStatement } from './sql.ts';
import type { TableRequest } from './table-request.ts';

const me = '6f1c0f6e-6d7b-4f0e-9a51-0c2b7a4e8d11';
const callerWith = (role: Role): Caller =>
  role === 'anon'
    ? { role }
    : { role, userId: me, accountId: me, actorId: me, sessionId: me, impersonationId: null };

/** All statements that a query can produce. */
function statementsOf(query: TableQuery, caller: Caller): Statement[] {
  switch (query.kind) {
    case 'insert command':
    case 'update command':
    case 'delete command': {
      const answer = answerStatement({ ...query, selections: query.returning ?? [] }, [me], caller);
      return query.kind === 'insert command' ? [answer] : [targetsStatement(query, caller), answer];
    }
    default:
      return [writeStatement(query, caller)];
  }
}

function statement(path: string, role: Role = 'trader', more: Partial<TableRequest> = {}) {
  const [table = '', query = ''] = path.split('?', 2);
  const parsed = parseTableRequest({
    method: 'GET',
    table,
    search: new URLSearchParams(query),
    headers: {},
    body: undefined,
    role,
    ...more,
  });
  const [written] = statementsOf(parsed, callerWith(role));
  if (!written) throw new Error('no statement');
  return written;
}

describe('the row policy is part of the WHERE', () => {
  test('RULE-37: own rows', () => {
    const { text, values } = statement('positions?select=id&status=eq.open');
    expect(text).toContain('from api.positions t where t.user_id = $1::uuid and t.status = $2::text');
    expect(values).toEqual([me, 'open', 1000, 0]);
  });

  test('own and assigned rows', () => {
    expect(statement('wallets?select=id', 'manager').text).toContain(
      'where t.user_id in (select m.id from app.users m where m.manager_id = $1::uuid)',
    );
    expect(statement('users?select=id', 'manager').text).toContain(
      'where (t.id = $1::uuid or t.id in (select m.id from app.users m where m.manager_id = $1::uuid))',
    );
  });

  test('A103: own rows, and those of traders in an open conversation', () => {
    expect(statement('users?select=id', 'support').text).toContain(
      "where (t.id = $1::uuid or t.id in (select c.user_id from app.chat_sessions c where c.status = 'open'))",
    );
  });

  test('an embedded row has its own policy', () => {
    expect(statement('wallets?select=id,users(username)').text).toContain(
      "(select json_build_object('username', e.username) from api.users e where e.id = t.user_id and e.id = $2::uuid)",
    );
  });

  test('all rows, for a role and without a session', () => {
    expect(statement('users?select=id', 'admin').text).toContain('from api.users t where true');
    expect(statement('trading_pairs?select=id', 'anon').text).toContain(
      'from api.trading_pairs t where true',
    );
  });

  test('a count has the same WHERE', () => {
    const { text } = statement('users', 'trader', { method: 'HEAD', headers: { prefer: 'count=exact' } });
    expect(text).toContain('select null as body');
    expect(text).toContain('(select count(*)::int from api.users t where t.id = $1::uuid) as total');
  });
});

describe('statements', () => {
  test('numerics lose their zeros and an alias is a parameter', () => {
    const { text, values } = statement('wallets?select=id,"x"":balance'.replace('""', '"'));
    expect(text).toContain("json_build_object('id', t.id, $2::text, trim_scale(t.balance))");
    expect(values[1]).toBe('x');
  });

  test('an order is settled by the key', () => {
    expect(statement('positions?select=id&order=created_at.desc').text).toContain(
      'order by t.created_at desc, t.id limit',
    );
    expect(statement('positions?select=id').text).not.toContain('order by');
  });

  test('an insert takes the owner from the token, and a merge reaches own rows only', () => {
    const { text, values } = statement('favorites', 'trader', {
      method: 'POST',
      body: [{ symbol: 'A', user_id: 'x' }],
      headers: { prefer: 'resolution=merge-duplicates' },
    });
    expect(text).toBe(
      'with w as (insert into app.favorites as t (user_id, symbol) values ($2::uuid, $1::text) ' +
        'on conflict (user_id, symbol) do update set symbol = excluded.symbol where t.user_id = $3::uuid ' +
        'returning null as item) select null as body, count(*)::int as rows, null::int as total from w',
    );
    expect(values).toEqual(['A', me, me]);
  });

  test('a write on a table whose changes are announced also returns whole rows, and answers what was selected', () => {
    const { text, values } = statement('notifications?symbol=eq.A&select=unread:read_at', 'trader', {
      method: 'PATCH',
      body: { read_at: null },
      headers: { prefer: 'return=representation' },
    });
    expect(text).toBe(
      'with w as (update app.notifications t set read_at = $1::timestamptz ' +
        'where t.user_id = $2::uuid and t.symbol = $3::text ' +
        'returning t.id as id, t.user_id as user_id, t.kind as kind, t.message as message, t.symbol as symbol, ' +
        't.position_id as position_id, t.order_id as order_id, t.created_at as created_at, t.read_at as read_at) ' +
        "select coalesce(json_agg(r.item), '[]')::text as body, count(*)::int as rows, null::int as total, " +
        'json_agg(t) as changed ' +
        'from w t cross join lateral (select json_build_object($4::text, t.read_at) as item) r',
    );
    expect(values).toEqual([null, me, 'A', 'unread']);
  });

  test('a delete reaches own rows only', () => {
    expect(statement('favorites?symbol=in.(A,B)', 'trader', { method: 'DELETE' })).toEqual({
      text:
        'with w as (delete from app.favorites t where t.user_id = $1::uuid and t.symbol = any($2::text[]) ' +
        'returning null as item) select null as body, count(*)::int as rows, null::int as total from w',
      values: [me, ['A', 'B']],
    });
  });
});

test('quotes a name that PostgreSQL would fold', () => {
  const { text } = statement('support_details?select=workingHours', 'support');
  expect(text).toContain('t."workingHours" as "workingHours"');
  expect(undeclaredTokens(text)).toEqual([]);
  expect(undeclaredTokens('select t."nope" from api.users t')).not.toEqual([]);
  expect(
    undeclaredTokens("select t.id from api.users t where t.username = 'open' or t.username = 'nope'"),
  ).toEqual(['nope']);
});

test('whatever is sent, the text of a statement has no word outside the contract and the grammar', () => {
  const column = fc.constantFrom(
    'id',
    'user_id',
    'symbol',
    'balance',
    'created_at',
    'manager_id',
    'market_open',
    'nope',
  );
  const evil = fc.oneof(
    fc.string({ maxLength: 10 }),
    fc.constantFrom("'; drop table x; --", 'a"b', '$1', '1e3', me, 'true', '5'),
  );
  const parameter = fc.oneof(
    fc.tuple(
      column,
      fc
        .tuple(fc.constantFrom('eq.', 'not.neq.', 'lte.', 'is.', 'ilike.', 'isdistinct.', 'eq(any).'), evil)
        .map((parts) => parts.join('')),
    ),
    fc.tuple(
      column,
      fc.array(evil, { maxLength: 4 }).map((list) => `in.(${list.join(',')})`),
    ),
    fc.tuple(
      fc.constantFrom('or', 'not.and', 'users.or', 'users.email'),
      fc
        .tuple(column, evil, column, evil)
        .map(([a, x, b, y]) => `(${a}.eq."${x}",not.or(${b}.neq.${y},id.is.null))`),
    ),
    fc.tuple(
      fc.constant('order'),
      column.map((name) => `users(${name}),id`),
    ),
    fc.tuple(
      fc.constant('order'),
      column.map((name) => `${name}.desc.nullsfirst`),
    ),
    fc.tuple(
      fc.constant('select'),
      fc.tuple(evil, column, evil).map(([a, name, b]) => `"${a}":${name},users("${b}":id),*`),
    ),
    fc.tuple(fc.constantFrom('limit', 'offset', 'select', 'on_conflict'), evil),
  );
  let written = 0;
  fc.assert(
    fc.property(
      fc.record({
        method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE'),
        table: fc.constantFrom(...tables.map((table) => table.name)),
        pairs: fc.uniqueArray(parameter, { maxLength: 3, selector: ([name]) => name }),
        prefer: fc.constantFrom('', 'count=exact', 'return=representation', 'resolution=merge-duplicates'),
        body: fc.array(fc.record({ symbol: evil }), { minLength: 1, maxLength: 3 }),
        role: fc.constantFrom<Role>('anon', 'trader', 'trader', 'manager', 'support', 'admin'),
      }),
      ({ method, table, pairs, prefer, body, role }) => {
        let statements: Statement[];
        try {
          const query = parseTableRequest({
            method,
            table,
            search: new URLSearchParams(pairs),
            headers: { prefer },
            body,
            role,
          });
          statements = statementsOf(query, callerWith(role));
        } catch (error) {
          if (error instanceof RestError) return;
          throw error;
        }
        written += 1;
        for (const { text, values } of statements) {
          expect(undeclaredTokens(text)).toEqual([]);
          expect(parametersMatch(text, values.length)).toBe(true);
        }
      },
    ),
    { numRuns: 4000 },
  );
  expect(written).toBeGreaterThan(150);
});
