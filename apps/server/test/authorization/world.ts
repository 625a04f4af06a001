/**
 * A running server with one person of each role and a row of every table for each of them. `alice` is assigned to
 * `mona`; `bob` and `carol` to nobody.
 */
import type { Role, UserRole } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import { startTestServer, type TestServer, testPassword } from '../support/index.ts';

export const symbol = 'BTCUSDT';
export const price = '50000';

const roleOf = {
  alice: 'trader',
  bob: 'trader',
  mona: 'manager',
  sam: 'support',
  ada: 'admin',
} as const satisfies Record<string, UserRole>;
export type Person = keyof typeof roleOf;
export const people = Object.keys(roleOf) as Person[];

/** Whose row it is, seen from the caller. */
export type Ownership = 'own' | 'assigned' | 'foreign';

/** One caller of each role, and whose rows it meets in which sense. */
export const callers: readonly {
  readonly role: Role;
  readonly person: Person | null;
  readonly rows: Partial<Record<Ownership, Person>>;
}[] = [
  { role: 'anon', person: null, rows: { foreign: 'alice' } },
  { role: 'trader', person: 'alice', rows: { own: 'alice', foreign: 'bob' } },
  { role: 'manager', person: 'mona', rows: { own: 'mona', assigned: 'alice', foreign: 'bob' } },
  { role: 'support', person: 'sam', rows: { own: 'sam', foreign: 'alice' } },
  { role: 'admin', person: 'ada', rows: { own: 'ada', foreign: 'alice' } },
];

/** Whether a cell of the document admits a row of that ownership. */
export const reaches = (cell: string, ownership: Ownership): boolean =>
  cell === 'all' || cell.split(', ').includes(ownership);

export interface World {
  readonly server: TestServer;
  readonly idOf: Readonly<Record<Person, string>>;
  readonly clientOf: (person: Person | null) => SupabaseClient;
  /** A further session of somebody, as from another device, and its id. */
  readonly signIn: (
    person: Person,
  ) => Promise<{ readonly client: SupabaseClient; readonly sessionId: string }>;
  readonly close: () => Promise<void>;
}

/** A closed position: it holds no margin, so the books stay in balance without the engine. */
async function seedRows({ server }: TestServer, userId: string): Promise<void> {
  const { db } = server;
  await db.query(`insert into app.wallets (user_id) values ($1) on conflict (user_id) do nothing`, [userId]);
  await db.query(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
       rules, account_version, closed_at, close_price, realized_pnl, close_reason)
     values (gen_random_uuid(), $1, $2, 'BUY', 100, 1, 10, 10, 90, 'closed', 'standard', 0, now(), 100, 0, 'manual')`,
    [userId, symbol],
  );
  await db.query(
    `insert into app.transactions (user_id, type, amount, status) values ($1, 'fee', 1, 'completed')`,
    [userId],
  );
  await db.query(`insert into app.favorites (user_id, symbol) values ($1, $2)`, [userId, symbol]);
  // An order that waits no more holds nothing either.
  await db.query(
    `insert into app.orders (id, user_id, symbol, type, side, price, size, leverage, rules, status, version,
       account_version, created_at, updated_at)
     values (gen_random_uuid(), $1, $2, 'LIMIT', 'BUY', 100, 1, 10, 'standard', 'CANCELED', 2, 0, now(), now())`,
    [userId, symbol],
  );
  await db.query(
    `insert into app.notifications (id, user_id, kind, message, created_at)
     values (gen_random_uuid(), $1, 'funds_changed', 'told', now())`,
    [userId],
  );
  await db.query(
    `insert into app.equity_snapshots (user_id, at, balance, equity) values ($1, now() - interval '1 hour', 0, 0)`,
    [userId],
  );
}

const emailOf = (person: Person) => `${person}@example.test`;

async function signIn(server: TestServer, person: Person) {
  const client = server.client();
  const { data, error } = await client.auth.signInWithPassword({
    email: emailOf(person),
    password: testPassword,
  });
  if (error) throw error;
  const [, claims = ''] = data.session.access_token.split('.');
  const { session_id } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { session_id: string };
  return { client, sessionId: session_id };
}

export async function createWorld(): Promise<World> {
  const server = await startTestServer({ config: { allowReset: true } });
  server.feed.setPrice(symbol, price);
  const idOf = Object.fromEntries(people.map((person) => [person, ''])) as Record<Person, string>;
  const clients = new Map<Person | null, SupabaseClient>([[null, server.client()]]);
  const { accounts, db } = server.server;
  // Mona first: Alice is assigned to her.
  for (const person of people.toSorted((a, b) => Number(b === 'mona') - Number(a === 'mona'))) {
    const user = await accounts.createUser(db, {
      email: emailOf(person),
      username: person,
      password: testPassword,
      role: roleOf[person],
      managerId: person === 'alice' ? idOf.mona : null,
      initialBalance: roleOf[person] === 'trader' ? 1_000_000_000_000n : null,
    });
    idOf[person] = user.id;
    await seedRows(server, user.id);
    clients.set(person, (await signIn(server, person)).client);
  }
  return {
    server,
    idOf,
    clientOf: (person) => {
      const client = clients.get(person);
      if (!client) throw new Error(`nobody is called ${person}`);
      return client;
    },
    signIn: (person) => signIn(server, person),
    close: () => server.close(),
  };
}
