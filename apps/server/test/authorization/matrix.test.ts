/** Completeness: the document, the contract, the routes and PostgreSQL have the same things in them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Access, type Column, type PgType, tables } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../harness/index.ts';
import { alphabetical, callersInContract, describedContract, type Line, none, tableUnder } from './matrix.ts';

/** What the server under test really registers, from fastify's own announcement of a new instance. */
const routes = new Set<string>();
const listen = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    // `/*` is the built web app, when there is one: files that anybody may have.
    if (url === '/*') return;
    // The exchange's doors have a table of their own, which exchange.test.ts walks.
    if (/^\/(fapi|sapi|dapi|papi|eapi|futures\/data|api\/v3)\//.test(url)) return;
    for (const name of [method].flat()) if (name !== 'HEAD') routes.add(`${name} ${url}`);
  });
};

let server: TestServer;
beforeAll(async () => {
  subscribe('fastify.initialization', listen);
  server = await startTestServer();
  unsubscribe('fastify.initialization', listen);
});
afterAll(() => server.close());

const sorted = (lines: readonly Line[]) => lines.map((line) => JSON.stringify(line)).toSorted(alphabetical);

describe('docs/authorization.md lists what the contract declares', () => {
  test.each(Object.entries(describedContract))('X-20: %s', (heading, declared) => {
    expect(sorted(tableUnder(heading))).toEqual(sorted(declared));
  });

  test('X-20: Commands', () => {
    const documented = tableUnder('Commands').map(
      (line): Line =>
        Object.fromEntries(
          Object.entries(line).map(([name, cell]) => [
            name,
            name === 'command' || cell === none ? cell : 'may call',
          ]),
        ),
    );
    expect(sorted(documented)).toEqual(sorted(callersInContract));
  });
});

test('X-20: Routes are those that the protocols register', () => {
  expect([...routes].toSorted(alphabetical)).toEqual(
    tableUnder('Routes')
      .map((line) => line.route)
      .toSorted(alphabetical),
  );
});

test('X-20: a route that needs a session refuses a caller without one, and the open ones do not', async () => {
  const outcomes: Record<string, string> = {};
  for (const { route = '', anon } of tableUnder('Routes')) {
    if (anon === 'as above' || route.includes(':table')) continue;
    const [method = '', path = ''] = route.split(' ');
    const answer = await fetch(`${server.url}${path}`, {
      method,
      // Forwarded: on the machine itself the caller would be its operator.
      headers: {
        apikey: server.anonKey,
        'content-type': 'application/json',
        'x-forwarded-for': '192.0.2.7',
      },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
    outcomes[route] = answer.status === 401 ? none : 'yes';
  }
  const documented = tableUnder('Routes').filter(({ route = '' }) => route in outcomes);
  expect(outcomes).toEqual(Object.fromEntries(documented.map(({ route, anon }) => [route, anon])));
});

describe('PostgreSQL', () => {
  const nameOf: Record<PgType, string> = {
    uuid: 'uuid',
    text: 'text',
    numeric: 'numeric(28,8)',
    int4: 'integer',
    int8: 'bigint',
    bool: 'boolean',
    timestamptz: 'timestamp with time zone',
    'text[]': 'text[]',
    date: 'date',
    jsonb: 'jsonb',
  };

  test('every view of schema api is a declared table with the declared columns and types', async () => {
    const { rows } = await server.db.query<{ view: string; name: string; type: string }>(
      `select c.relname as view, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'api'::regnamespace order by c.relname, a.attnum`,
    );
    const declared = tables.flatMap((table) =>
      Object.entries<Column>(table.columns).map(
        ([name, { type }]) => `${table.name}.${name}: ${nameOf[type]}`,
      ),
    );
    // A computed numeric has no declared precision of its own.
    const found = rows.map(
      ({ view, name, type }) => `${view}.${name}: ${type === 'numeric' ? nameOf.numeric : type}`,
    );
    expect(found.toSorted(alphabetical)).toEqual(declared.toSorted(alphabetical));
  });

  test('a table with writes of plain rows is a plain table with the same column names and key', async () => {
    const { rows } = await server.db.query<{ name: string; columns: string[]; key: string[] }>(
      `select c.relname as name,
              array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns,
              array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
                    where i.indrelid = c.oid and i.indisprimary order by a.attnum) as key
       from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'`,
    );
    for (const table of tables) {
      const isWritten = Object.values<Access>(table.access).some(
        ({ insert, update, delete: deleted }) =>
          insert?.by === 'row' || update?.by === 'row' || deleted?.by === 'row',
      );
      if (!isWritten) continue;
      const stored = rows.find(({ name }) => name === table.name);
      expect(stored?.columns).toEqual(expect.arrayContaining(Object.keys(table.columns)));
      expect(stored?.key).toEqual(table.key);
    }
  });

  test('X-20: the privileges of the server’s role are the listed ones', async () => {
    const { rows } = await server.db.query<{ relation: string; privileges: string }>(
      `select format('%s.%s', n.nspname, c.relname) as relation, coalesce(string_agg(lower(p.name), ', ' order by p.place), $1) as privileges
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
         with ordinality as p (name, place) on has_table_privilege('fulcrum_app', c.oid, p.name)
       where n.nspname in ('app', 'api', 'meta') and c.relkind in ('r', 'v', 'm', 'p', 'f')
       group by 1`,
      [none],
    );
    const reached = rows.map(({ relation, privileges }) => `${relation}: ${privileges}`);
    const documented = tableUnder('Database role').map((line) => `${line.relation}: ${line.privileges}`);
    expect(reached.toSorted(alphabetical)).toEqual(documented.toSorted(alphabetical));
  });
});
