/** Threat: a reader of the audit log, or of a backup, finds the phone numbers behind its pseudonyms by trying (SEC-F9). */
import { hash } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { createPseudonymizer, recordAuditEntry, verifyAuditChain } from '../../src/features/audit/index.ts';
import { server, shareUserServer, type TestUser } from './user-server.ts';

let admin: TestUser;
shareUserServer();
beforeAll(async () => {
  admin = await server.addUser('admin');
});

const phone = '+49170012345';

/** The mark that the log holds of the phone number which `trader` has just got. */
async function markOfPhone(trader: TestUser): Promise<unknown> {
  const { error } = await admin.client.rpc('safe_update_user_profile', {
    user_id: trader.id,
    new_phone_number: phone,
  });
  expect(error).toBeNull();
  const { detail } = (await server.audit(trader.id)).at(-1)!;
  return (detail.after as { phone_number: unknown }).phone_number;
}

async function verdict() {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    return await verifyAuditChain({
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const { rows, rowCount } = await client.query(text, [...values]);
        return { rows: rows as Row[], rowCount: rowCount ?? 0 };
      },
    });
  } finally {
    await client.end();
  }
}

test('SEC-F9: a pseudonym is not found by trying values with the log’s content, and differs between two users', async () => {
  const [ada, bob] = [await server.addUser('trader'), await server.addUser('trader')];
  const mark = await markOfPhone(ada);
  expect(mark).toMatch(/^#[0-9a-f]{16}$/);
  expect(mark).not.toBe(`#${hash('sha256', `${ada.id} ${phone}`, 'hex').slice(0, 16)}`);
  expect(await markOfPhone(bob)).not.toBe(mark);
});

test('SEC-F9: a reader of the database can check a value while the account exists, and not afterwards', async () => {
  const trader = await server.addUser('trader');
  const mark = await markOfPhone(trader);
  expect((await createPseudonymizer(server.db, trader.id))(phone)).toBe(mark);
  expect((await createPseudonymizer(server.db, trader.id))('+49170012346')).not.toBe(mark);
  const { error } = await admin.client.rpc('delete_user_with_data', {
    p_user_id: trader.id,
    p_reason: 'Requested deletion',
  });
  expect(error).toBeNull();
  const { rows } = await server.db.query('select from app.credentials where user_id = $1', [trader.id]);
  expect(rows).toEqual([]);
  expect((await createPseudonymizer(server.db, trader.id))(phone)).not.toBe(mark);
  expect(
    (await server.audit(trader.id)).some(({ detail }) => JSON.stringify(detail).includes(String(mark))),
  ).toBe(true);
});

test('SEC-F9: each account has a key of its own, which no door shows', async () => {
  const { rows } = await server.db.query<{ keys: number; users: number }>(
    `select count(distinct mark_key)::int as keys, count(*)::int as users from app.credentials`,
  );
  expect(rows[0]!.keys).toBe(rows[0]!.users);
  const { rows: shown } = await server.db.query(
    `select from information_schema.columns where table_schema = 'api' and column_name = 'mark_key'`,
  );
  expect(shown).toEqual([]);
});

test('SEC-F9: marks of before stay as they are, and the chain over them and the new ones is whole', async () => {
  const trader = await server.addUser('trader');
  const unkeyed = `#${hash('sha256', `${trader.id} ${phone}`, 'hex').slice(0, 16)}`;
  await server.db.transaction((tx) =>
    recordAuditEntry(tx, {
      at: new Date(server.clock.now()),
      actorId: admin.id,
      subjectId: trader.id,
      action: 'user.edit',
      detail: { before: { phone_number: null }, after: { phone_number: unkeyed } },
    }),
  );
  await markOfPhone(trader);
  const { links, fault } = await verdict();
  expect(fault).toBeNull();
  expect(links).toBeGreaterThanOrEqual(2);
});
