/**
 * A running server with one person of each role and a row of every table for each of them. `alice` is assigned to
 * `mona`; `bob` and `carol` to nobody.
 */
import { randomUUID } from 'node:crypto';
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

/**
 * A row of every table, by the server's own means, so that the books are whole: an order that is filled and whose position
 * is closed again, and one that is cancelled. It takes a trader; staff have been one before they became staff.
 */
async function leaveRows(client: SupabaseClient): Promise<void> {
  const order = { symbol, side: 'BUY', size: 0.01, leverage: 10 };
  const place = (more: Record<string, unknown>) =>
    client
      .from('orders')
      .insert({ ...order, ...more })
      .select('id')
      .single()
      .throwOnError();
  await place({ type: 'MARKET' });
  const { data: opened } = await client.from('positions').select('id').single().throwOnError();
  await client.rpc('close_position', { p_position_id: opened.id }).throwOnError();
  const { data: waiting } = await place({ type: 'LIMIT', price: 40_000 });
  await client.from('orders').update({ status: 'CANCELED' }).eq('id', waiting.id).throwOnError();
  await client.from('favorites').insert({ symbol }).throwOnError();
  await client
    .from('journal_entries')
    .insert({ id: randomUUID(), title: 'A plan', content: 'Kept.', tags: ['walk'] })
    .throwOnError();
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
  for (const person of people) {
    const user = await accounts.createUser(db, {
      email: emailOf(person),
      username: person,
      password: testPassword,
      role: 'trader',
      managerId: null,
      initialBalance: 1_000_000_000_000n,
    });
    idOf[person] = user.id;
    await leaveRows((await signIn(server, person)).client);
  }
  for (const person of people) {
    await db.query('update app.users set role = $2, manager_id = $3 where id = $1', [
      idOf[person],
      roleOf[person],
      person === 'alice' ? idOf.mona : null,
    ]);
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
