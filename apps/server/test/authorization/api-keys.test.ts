/** Walks every table and procedure with a key that reads and one that trades, by plain HTTP, and compares with the document. */
import { type Procedure, procedures, type Table, tables, texts } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MadeKey, makeKey, withKey } from '../api-keys/world.ts';
import { none, tableUnder } from './matrix.ts';
import { requiredOf, sampleOf } from './samples.ts';
import { createWorld, price, symbol, type World } from './world.ts';

let world: World;
let keys: Readonly<Record<'read' | 'trade', MadeKey>>;
beforeAll(async () => {
  world = await createWorld();
  const of = (scope: string) =>
    makeKey(world.clientOf('alice'), world.idOf.alice, { p_name: scope, p_scopes: [scope] });
  keys = { read: await of('read'), trade: await of('trade') };
});
afterAll(() => world.close());

const scopeOf = (action: string): string =>
  tableUnder('By API key').find((line) => line.action === action)?.scope ?? none;

/** What the document says of an action with a key of that scope. */
function expected(action: string, scope: 'read' | 'trade'): string {
  const needed = scopeOf(action);
  if (needed === none) return texts.apiKeyRefused;
  return needed === 'read' || scope === 'trade' ? 'allowed' : texts.apiKeyScope(needed);
}

/** `allowed`, or the text of the refusal; what the role may not do in the first place is refused as such. */
const outcomeOf = ({
  status,
  body,
}: {
  status: number;
  body: { code?: string; message?: string } | null;
}) => {
  if (status === 403 && body?.code === '42501') return 'denied to the role';
  return status === 403 && body?.code === 'not_allowed' ? (body.message ?? '') : 'allowed';
};

const uses = {
  select: { method: 'GET', action: 'select from' },
  insert: { method: 'POST', action: 'insert into' },
  update: { method: 'PATCH', action: 'update of' },
  delete: { method: 'DELETE', action: 'delete from' },
} as const;

for (const scope of ['read', 'trade'] as const) {
  test(`A119, X-20: a key with ${scope} uses the listed tables only`, async () => {
    const [outcomes, documented]: [string[], string[]] = [[], []];
    for (const table of tables as readonly Table[]) {
      for (const use of Object.keys(uses) as (keyof typeof uses)[]) {
        const { method, action } = uses[use];
        const label = `${action} ${table.name}`;
        const written = use === 'insert' ? insertOf(table) : use === 'update' ? updateOf(table) : undefined;
        const path = use === 'insert' ? table.name : `${table.name}?${filterOf(table)}`;
        const answer = await withKey(world.server, keys[scope], path, {
          method,
          ...(written !== undefined && { body: written }),
        });
        // Nothing is refused for its form.
        const outcome = answer.status === 400 ? JSON.stringify(answer.body) : outcomeOf(answer);
        outcomes.push(`${label}: ${outcome}`);
        const isOfRole = table.access.trader?.[use] !== undefined;
        documented.push(`${label}: ${isOfRole ? expected(label, scope) : 'denied to the role'}`);
      }
    }
    expect(outcomes).toEqual(documented);
  });

  test(`A119, X-20: a key with ${scope} calls the listed procedures only`, async () => {
    world.server.feed.setPrice(symbol, price);
    const [outcomes, documented]: [string[], string[]] = [[], []];
    for (const { name, roles } of procedures as readonly Procedure[]) {
      // Without arguments: who may call it is judged before them.
      const answer = await withKey(world.server, keys[scope], `rpc/${name}`, { body: {} });
      outcomes.push(`${name}: ${outcomeOf(answer)}`);
      documented.push(`${name}: ${roles.includes('trader') ? expected(name, scope) : 'denied to the role'}`);
    }
    expect(outcomes).toEqual(documented);
  });
}

test('A119, X-20: what no key may read is not embedded either, and not answered by a write', async () => {
  const refused = { status: 403, body: { message: texts.apiKeyRefused } };
  const { trade } = keys;
  expect(await withKey(world.server, trade, 'orders?select=id,user:users(email)')).toMatchObject(refused);
  const order = { symbol, type: 'LIMIT', side: 'BUY', price: 40_000, size: 0.01, leverage: 10 };
  const before = await countOrders();
  expect(
    await withKey(world.server, trade, 'orders?select=id,user:users(email)', {
      body: order,
      headers: { prefer: 'return=representation' },
    }),
  ).toMatchObject(refused);
  expect(await countOrders()).toEqual(before);
});

test('A119, X-20: a key reads the rows of its own account and no others', async () => {
  const { data } = await world.clientOf('alice').rpc('create_account', { p_name: 'Of a bot' });
  const key = await makeKey(world.clientOf('alice'), data.id, { p_name: 'apart' });
  const ownedByAccount = (tables as readonly Table[]).filter(
    ({ ownedBy, access }) => ownedBy !== undefined && access.trader?.apiKey?.select !== undefined,
  );
  expect(ownedByAccount.length).toBeGreaterThan(5);
  for (const { name, owner } of ownedByAccount) {
    const { body } = await withKey(world.server, key, `${name}?select=${owner}`);
    const owners = new Set((body as Record<string, string>[]).map((row) => row[owner ?? '']));
    owners.delete(data.id);
    expect([name, [...owners]]).toEqual([name, []]);
  }
});

async function countOrders(): Promise<unknown> {
  const { rows } = await world.server.db.query('select count(*) as orders from app.orders');
  return rows[0];
}

const filterOf = ({ key, columns, name }: Table) => {
  const column = key.find((one) => columns[one]?.type === 'text') ?? key[0] ?? '';
  const value = columns[column]?.type === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'nothing';
  if (columns[column]?.type === 'date') return `${column}=eq.2026-01-01`;
  return name === 'equity_snapshots' ? `user_id=eq.${world.idOf.bob}` : `${column}=eq.${value}`;
};

/** Well-formed rows, so that only the key decides. */
function insertOf(table: Table): unknown {
  if (table.name === 'orders')
    return { symbol, type: 'LIMIT', side: 'BUY', price: 40_000, size: 0.01, leverage: 10 };
  const required = requiredOf(world, table);
  const [first = firstOf(table)] = table.access.trader?.insert?.columns ?? [];
  return Object.keys(required).length > 0 ? required : changeOf(table, first);
}

function updateOf(table: Table): unknown {
  if (table.name === 'orders') return { status: 'CANCELED' };
  const [column = firstOf(table)] = table.access.trader?.update?.columns ?? [];
  return changeOf(table, column);
}

const firstOf = ({ columns }: Table): string => Object.keys(columns)[0] ?? '';

function changeOf({ columns }: Table, column: string): unknown {
  const declared = columns[column];
  return { [column]: declared && sampleOf(world, column, declared) };
}
