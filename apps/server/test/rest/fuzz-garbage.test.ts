/**
 * Threat: a client sends arbitrary input. No response is a server fault, and only the declared forms of a statement reach
 * PostgreSQL: each token of the text is the contract's or the grammar's, and each client value is a parameter. fast-check
 * prints the seed of a failure.
 */
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parametersMatch, undeclaredTokens } from './declared-forms.ts';
import { namedUsers, orderOf, positionOf, type RestServer, startRestServer } from './rest-server.ts';
import { tablesWithSamples } from './samples.ts';

/** In every text that a client makes up, so that it would be found in a statement. */
const canary = 'zqxcanary';
const declared = [...tablesWithSamples.values()];

let server: RestServer;
const outside = new Set<string>();
let statements = 0;
beforeAll(async () => {
  server = await startRestServer({
    onStatement: (text, values) => {
      statements += 1;
      for (const token of undeclaredTokens(text, declared)) outside.add(`${token} in ${text}`);
      if (!parametersMatch(text, values.length)) outside.add(`places of ${text}`);
      if (text.includes(canary)) outside.add(`canary in ${text}`);
    },
    writes: {
      'users.insert': async () => [namedUsers.alice.id],
      'users.update': async (_caller, ids) => ids,
      'wallets.insert': async () => [],
      'positions.update': async (_caller, ids) => ids,
      'orders.insert': async (_caller, rows) => ({
        ids: rows.map(() => orderOf.alice),
        rows: rows.map(() => ({ id: orderOf.alice, user_id: namedUsers.alice.id })),
      }),
      'orders.update': async (_caller, ids) => ids,
      'transactions.insert': async () => [],
    },
    procedures: {
      get_candles: async () => [],
      list_sessions: async () => [],
      open_position: async () => ({}),
    },
  });
});
afterAll(() => server.close());

const made = fc.constantFrom(
  canary,
  `${canary}'; drop table app.users; --`,
  `"${canary}`,
  `${canary}"\\`,
  `$1 ${canary}`,
  `${canary}\0`,
  `../${canary}`,
  '\ud800',
  '٣',
);
const columns = fc.constantFrom(
  'id',
  'user_id',
  'symbol',
  'label',
  'amount',
  'detail',
  'tags',
  'username',
  'role',
  'status',
  'version',
  'read_at',
  'at',
  // Claims: of a command write, and of nothing else.
  'reason',
  'client_id',
  '__proto__',
  'constructor',
);
const value = fc.oneof(
  made,
  fc.string({ maxLength: 8, unit: 'binary' }),
  fc.constantFrom(
    namedUsers.alice.id,
    positionOf.alice,
    '1',
    '-1e400',
    'null',
    '{a,b}',
    '(a,b)',
    '{"a',
    '(',
    '2026-02-30',
    '1e-9',
  ),
);
const operator = fc.constantFrom(
  'eq',
  'not.eq',
  'in',
  'is',
  'like',
  'ilike(any)',
  'gt(all)',
  'isdistinct',
  'fts',
  'cs',
  'not.not.eq',
  '',
);
const filter = fc.tuple(operator, value).map(([name, operand]) => `${name}.${operand}`);
const select = fc
  .array(
    fc.tuple(
      fc.oneof(columns, made),
      fc.constantFrom('', ':', '!', '(', ')', ',', '::text', '->a', '!inner(id)', '.sum()', '...'),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.flat().join(''));
const parameter = fc.oneof(
  fc.tuple(fc.oneof(columns, made), filter),
  fc.tuple(
    fc.constantFrom('or', 'and', 'not.or', 'users.or', 'user.and'),
    fc
      .array(
        fc.tuple(columns, filter).map(([name, text]) => `${name}.${text}`),
        { maxLength: 3 },
      )
      .map((list) => `(${list.join(',')})`),
  ),
  fc.tuple(
    fc.constant('select'),
    fc.oneof(select, fc.constantFrom('*', 'id,users(username)', 'id,user(id)')),
  ),
  fc.tuple(
    fc.constantFrom('order', 'users.order'),
    fc.oneof(
      made,
      columns,
      columns.map((name) => `users(${name}).desc`),
    ),
  ),
  fc.tuple(
    fc.constantFrom('limit', 'offset', 'on_conflict', 'columns', 'user.limit'),
    fc.oneof(value, fc.constantFrom('5', 'id')),
  ),
);
const body = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.dictionary(columns, fc.oneof(value, fc.jsonValue({ maxDepth: 3 }))).map((row) => JSON.stringify(row)),
  fc.array(fc.dictionary(columns, value), { maxLength: 3 }).map((list) => JSON.stringify(list)),
  fc.constantFrom('', '{', 'null', '"a"', '['.repeat(5000), `{"label":"${canary}","rank":1e400}`),
  made,
);
const header = fc.oneof(
  made,
  fc.string({ maxLength: 10 }),
  fc.constantFrom(
    'return=representation',
    'return=representation,count=exact,resolution=merge-duplicates',
    'missing=default',
    'tx=rollback',
    'application/json',
    'application/vnd.pgrst.object+json',
    'text/csv',
    '0-5',
    '9-3',
    'items=1-',
  ),
);

const garbage = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'),
  table: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(...declared.map(({ name }) => name), 'samples', 'samples'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('rpc/get_candles', 'rpc/open_position', 'rpc/list_sessions'),
    },
    { weight: 1, arbitrary: made.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%00', 'rpc', 'a/b/c', '%2e%2e%2fapp', '') },
  ),
  pairs: fc.array(parameter, { maxLength: 4 }),
  raw: fc.constantFrom('', '', '', '&%zz', '&=', '&select', '&a=%ff'),
  caller: fc.constantFrom('alice', 'alice', 'mona', 'ada', 'ada as alice', 'ada as unknown', canary),
  headers: fc.dictionary(
    fc.constantFrom('prefer', 'accept', 'range', 'range-unit', 'accept-profile', 'content-type'),
    header,
    {
      maxKeys: 3,
    },
  ),
  body,
});

/** Requests that do reach PostgreSQL, with texts of the client in every place that takes one. */
const aliased = fc.constantFrom(`"${canary}":label`, `"${canary}'; --":amount`, 'id', 'detail', 'user(id)');
const wellFormed = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE'),
  table: fc.constant('samples'),
  pairs: fc
    .tuple(
      fc.constantFrom('eq', 'not.ilike', 'like(any)', 'in', 'isdistinct'),
      fc.constantFrom(canary, `${canary}'; --`, `${canary}"\\\\`, `${canary}$1`),
      fc.uniqueArray(aliased, { minLength: 1, maxLength: 3 }),
    )
    .map(([name, text, selected]): [string, string][] => {
      const quotedText = `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
      const [open, close] = name === 'in' ? ['(', ')'] : name === 'like(any)' ? ['{', '}'] : ['', ''];
      return [
        ['select', selected.join(',')],
        ['label', `${name}.${open}${open === '' ? text : quotedText}${close}`],
        ['or', `(label.${name}.${open}${quotedText}${close},amount.gt.1)`],
      ];
    }),
  raw: fc.constant(''),
  caller: fc.constantFrom('alice', 'bob'),
  headers: fc.constantFrom<Record<string, string>>({}, { prefer: 'return=representation,count=exact' }),
  body: fc
    .record({
      label: made,
      tags: fc.array(made, { maxLength: 2 }),
      detail: fc.dictionary(made, fc.jsonValue()),
    })
    .map((row) => JSON.stringify(row)),
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}
/** Without the client and without `fetch`, which would tidy up what is sent. */
function send({ method, path, headers, body: text }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const framed = { ...headers, 'content-length': String(Buffer.byteLength(text)) };
    const sent = httpRequest({ hostname, port, method, path, headers: framed, agent: false }, (answer) => {
      let received = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: received }));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
/** What node refuses to send is not a header of any client. */
const sendable = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');

test('X-20: whatever is sent, no answer is a fault and no statement has a word of the client', async () => {
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(garbage, wellFormed),
      async ({ method, table, pairs, raw, caller, headers, body: text }) => {
        const search = new URLSearchParams(
          pairs.map(([name, original]): [string, string] => [name.toWellFormed(), original.toWellFormed()]),
        );
        const writes = method !== 'GET' && method !== 'HEAD';
        const answer = await send({
          method,
          path: `/rest/v1/${table}?${search}${raw}`,
          headers: {
            apikey: 'sb_publishable_rest_test',
            authorization: `Bearer ${caller}`,
            ...(writes ? { 'content-type': 'application/json' } : {}),
            ...Object.fromEntries(
              Object.entries(headers).map(([name, original]) => [name, sendable(original)]),
            ),
          },
          body: writes ? text.toWellFormed() : '',
        });
        seen[answer.status] = (seen[answer.status] ?? 0) + 1;
        expect(answer.status).toBeLessThan(500);
        if (answer.text !== '') JSON.parse(answer.text);
        expect([...outside]).toEqual([]);
      },
    ),
    { numRuns: 1500 },
  );
  // The walk has to come through to PostgreSQL too, or it shows nothing.
  expect(statements).toBeGreaterThan(300);
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']));
  const { rows } = await server.db.query('select count(*)::int as users from app.users');
  expect(rows).toEqual([{ users: 5 }]);
});
