/**
 * A running server with one user of each role and a row of every table for each of them. `alice` is assigned to `mona`;
 * `bob` and `carol` have no manager.
 */
import { randomUUID } from 'node:crypto';
import type { Role, UserRole } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Queryable } from '../../src/platform/database/index.ts';
import { startTestServer, type TestServer, testPassword } from '../harness/index.ts';

export const symbol = 'BTCUSDT';
export const price = '50000';

const roleOf = {
  alice: 'trader',
  bob: 'trader',
  mona: 'manager',
  sam: 'support',
  ada: 'admin',
} as const satisfies Record<string, UserRole>;
export type UserName = keyof typeof roleOf;
export const userNames = Object.keys(roleOf) as UserName[];

/** Whose row it is, seen from the caller. */
export type Ownership = 'own' | 'assigned' | 'attended' | 'foreign';

/** One caller of each role, and whose rows it meets in which sense. */
export const callers: readonly {
  readonly role: Role;
  readonly userName: UserName | null;
  readonly rows: Partial<Record<Ownership, UserName>>;
}[] = [
  { role: 'anon', userName: null, rows: { foreign: 'alice' } },
  { role: 'trader', userName: 'alice', rows: { own: 'alice', foreign: 'bob' } },
  { role: 'manager', userName: 'mona', rows: { own: 'mona', assigned: 'alice', foreign: 'bob' } },
  // Alice has an open conversation, Bob's is closed.
  { role: 'support', userName: 'sam', rows: { own: 'sam', attended: 'alice', foreign: 'bob' } },
  { role: 'admin', userName: 'ada', rows: { own: 'ada', foreign: 'alice' } },
];

/** Whether a cell of the document admits a row of that ownership. */
export const reaches = (cell: string, ownership: Ownership): boolean =>
  cell === 'all' || cell.split(', ').includes(ownership);

export interface World {
  readonly server: TestServer;
  readonly idOf: Readonly<Record<UserName, string>>;
  /** Closed ones without a playbook. */
  readonly positionsOfAlice: readonly string[];
  readonly clientOf: (userName: UserName | null) => SupabaseClient;
  /** Another session of a user, as from another device, and its id. */
  readonly signIn: (
    userName: UserName,
  ) => Promise<{ readonly client: SupabaseClient; readonly sessionId: string }>;
  readonly close: () => Promise<void>;
}

const playbookPrefix = '00000004';
/** More than a walk gives a playbook at the same time: a position has one. */
const positionsWithoutPlaybook = 8;
export const playbookOf = (world: Pick<World, 'idOf'>, userName: UserName) =>
  world.idOf[userName].replace(/^.{8}/, playbookPrefix);

/**
 * A row of every table, by the server's own means, so that the books are whole: an order that is filled and whose position
 * is closed again, and one that is cancelled. It takes a trader; staff have been one before they became staff. Returns `more` closed
 * positions without a playbook.
 */
async function leaveRows(client: SupabaseClient, userId: string, more: number): Promise<string[]> {
  const order = { symbol, side: 'BUY', size: 0.01, leverage: 10 };
  const placeOrder = (more: Record<string, unknown>) =>
    client
      .from('orders')
      .insert({ ...order, ...more })
      .select('id')
      .single()
      .throwOnError();
  await placeOrder({ type: 'MARKET' });
  const { data: opened } = await client.from('positions').select('id').single().throwOnError();
  await client.rpc('close_position', { p_position_id: opened.id }).throwOnError();
  const playbook = {
    id: userId.replace(/^.{8}/, playbookPrefix),
    name: 'Retest',
    criteria: ['With the trend'],
  };
  await client.from('playbooks').insert(playbook).throwOnError();
  await client
    .from('playbook_trades')
    .insert({ position_id: opened.id, playbook_id: playbook.id, met: playbook.criteria })
    .throwOnError();
  const withoutPlaybook: string[] = [];
  for (let n = 0; n < more; n += 1) {
    const terms = { p_symbol: symbol, p_side: 'BUY', p_size: 0.01, p_leverage: 10 };
    const { data } = await client.rpc('open_position', terms).throwOnError();
    await client.rpc('close_position', { p_position_id: data.id }).throwOnError();
    withoutPlaybook.push(data.id);
  }
  const { data: waiting } = await placeOrder({ type: 'LIMIT', price: 40_000 });
  await client.from('orders').update({ status: 'CANCELED' }).eq('id', waiting.id).throwOnError();
  await client.from('favorites').insert({ symbol }).throwOnError();
  await client.from('user_settings').insert({ key: 'shortcuts', value: {} }).throwOnError();
  await client.rpc('create_alert', { p_kind: 'price', p_symbol: symbol, p_level: 90_000 }).throwOnError();
  await client
    .from('journal_entries')
    .insert({ id: randomUUID(), title: 'A plan', content: 'Kept.', tags: ['walk'] })
    .throwOnError();
  return withoutPlaybook;
}

/**
 * Only people of support have any, and lose them with the role; here everybody does, so that there is something to be
 * refused.
 */
export async function giveDetails(db: Queryable): Promise<void> {
  // Those of practice accounts, in rows of the accounts that are walked.
  await db.query(
    `insert into app.symbol_leverages (user_id, symbol, leverage)
     select id, '${symbol}', 20 from app.trading_accounts on conflict do nothing`,
  );
  await db.query('insert into app.support_details (user_id) select id from app.users on conflict do nothing');
  // Of notes that each wrote themself, so that there is one for everybody.
  await db.query(
    `insert into app.chat_mentions (note_id, session_id, agent_id)
     select id, session_id, author_id from app.chat_notes on conflict do nothing`,
  );
}

const pictures = ['document_front', 'document_back', 'selfie'] as const;
/** Of the conversation and the identity check that everybody here has. */
export const conversationOf = (world: Pick<World, 'idOf'>, userName: UserName) =>
  world.idOf[userName].replace(/^.{8}/, '00000001');
export const checkOf = (world: Pick<World, 'idOf'>, userName: UserName) =>
  world.idOf[userName].replace(/^.{8}/, '00000002');
export const contactMessage = {
  email: 'visitor@example.test',
  id: '00000003-0000-4000-8000-000000000000',
} as const;

/** What people leave of identity checks and conversations, whatever they are today. */
async function leavePeoplesRows(db: Queryable, idOf: World['idOf'], userName: UserName): Promise<void> {
  const userId = idOf[userName];
  const files: string[] = [];
  for (const name of pictures) {
    const { rows } = await db.query<{ id: string }>(
      'insert into app.file_uploads (owner_id, started_at) values ($1, now()) returning id',
      [userId],
    );
    const id = rows[0]?.id ?? '';
    files.push(id);
    await db.query(
      `insert into app.files (id, bucket, path, version, owner_id, content_type, size_bytes, chunks, sha256, cache_control_s, stored_at)
       values ($1, 'kyc-documents', $2, 1, $3, 'image/jpeg', 1, 1, sha256($4::text::bytea), 0, now())`,
      [id, `${userId}/${name}.jpg`, userId, id],
    );
  }
  await db.query(
    `insert into app.kyc_verifications (id, user_id, attempt, first_name, last_name, date_of_birth, country, address, city,
       postal_code, document_type, document_number, document_front_file, document_back_file, selfie_file, submitted_at)
     values ($1, $2, 1, 'A', 'Trader', '1990-01-01', 'Country', 'Street 1', 'City', '1000', 'passport', $3, $4, $5, $6, now())`,
    [checkOf({ idOf }, userName), userId, `NUMBER-${userName}`, ...files],
  );
  const session = conversationOf({ idOf }, userName);
  await db.query(
    `insert into app.chat_sessions (id, user_id, status, created_at, updated_at, closed_at, last_seq)
     values ($1, $2, $3, now(), now(), case when $3 = 'closed' then now() end, 2)`,
    [session, userId, userName === 'bob' ? 'closed' : 'open'],
  );
  await db.query(
    `insert into app.chat_messages (session_id, user_id, seq, sender_id, sender_role, content, created_at)
     values ($1, $2, 1, $2, 'trader', 'Hello', now()), ($1, $2, 2, $3, 'support', 'Hello', now())`,
    [session, userId, idOf.sam],
  );
  await db.query(`insert into app.chat_notes (session_id, author_id, content) values ($1, $2, 'For us')`, [
    session,
    userId,
  ]);
  await db.query(
    `insert into app.chat_triage (session_id, user_id, tags, is_open, updated_at) values ($1, $2, '{walk}', $3, now())`,
    [session, userId, userName !== 'bob'],
  );
  await db.query(
    `insert into app.canned_replies (user_id, shortcut, content) values ($1, 'hello', 'Hello.')`,
    [userId],
  );
}

const emailOf = (userName: UserName) => `${userName}@example.test`;

async function signIn(server: TestServer, userName: UserName) {
  const client = server.client();
  const { data, error } = await client.auth.signInWithPassword({
    email: emailOf(userName),
    password: testPassword,
  });
  if (error) throw error;
  const [, claims = ''] = data.session.access_token.split('.');
  const { session_id } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { session_id: string };
  return { client, sessionId: session_id };
}

export async function createWorld(): Promise<World> {
  // Nothing listens there: what is mailed waits.
  const smtp = { host: '127.0.0.1', port: 1, tls: 'none', login: null } as const;
  const server = await startTestServer({ config: { allowReset: true, smtp, pushHosts: ['push.invalid'] } });
  server.feed.setPrice(symbol, price);
  const idOf = Object.fromEntries(userNames.map((userName) => [userName, ''])) as Record<UserName, string>;
  const positionsOfAlice: string[] = [];
  const clients = new Map<UserName | null, SupabaseClient>([[null, server.client()]]);
  const { accounts, db } = server.server;
  for (const userName of userNames) {
    const user = await accounts.createUser(db, {
      email: emailOf(userName),
      username: userName,
      password: testPassword,
      role: 'trader',
      managerId: null,
      initialBalance: 1_000_000_000_000n,
    });
    idOf[userName] = user.id;
    // On a slow machine the users take longer than a price stays fresh.
    server.feed.setPrice(symbol, price);
    const more = userName === 'alice' ? positionsWithoutPlaybook : 0;
    positionsOfAlice.push(...(await leaveRows((await signIn(server, userName)).client, user.id, more)));
  }
  for (const userName of userNames) {
    await db.query('update app.users set role = $2, manager_id = $3 where id = $1', [
      idOf[userName],
      roleOf[userName],
      userName === 'alice' ? idOf.mona : null,
    ]);
    clients.set(userName, (await signIn(server, userName)).client);
  }
  for (const userName of userNames) await leavePeoplesRows(db, idOf, userName);
  await giveDetails(db);
  await db.query(
    `insert into app.audit_log (actor_id, subject_id, action, reason) select $1, id, 'walked', 'test' from app.users`,
    [idOf.ada],
  );
  await db.query(
    `insert into app.contact_forms (id, name, email, subject, message, created_at, updated_at)
     values ($1, 'A visitor', $2, 'A question', 'How?', now(), now())`,
    [contactMessage.id, contactMessage.email],
  );
  return {
    server,
    idOf,
    positionsOfAlice,
    clientOf: (userName) => {
      const client = clients.get(userName);
      if (!client) throw new Error(`no user is called ${userName}`);
      return client;
    },
    signIn: (userName) => signIn(server, userName),
    close: () => server.close(),
  };
}
