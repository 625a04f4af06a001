/**
 * Threat: an account is deleted in two steps, the end of who acts as it and the engine's commit. What begins between them goes
 * with the account, and the audit log would have a beginning without an end.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { startUserServer, type TestUser, tokenOf } from './user-server.ts';

let server: Awaited<ReturnType<typeof startUserServer>>;
let admin: TestUser;
let visitor: TestUser;
beforeAll(async () => {
  server = await startUserServer();
  admin = await server.addUser('admin');
  visitor = await server.addUser('admin');
});
afterAll(() => server.close());

const remove = ({ id }: TestUser) =>
  admin.client.rpc('delete_user_with_data', { p_user_id: id, p_reason: 'Requested deletion' });
const visit = (by: TestUser, { id }: TestUser) =>
  by.client.rpc('impersonate_user', { p_user_id: id, p_reason: 'To see what they see' });

/** Holds the commit of the deletion of `user` back while `work` runs: the engine waits for their row. */
async function beforeCommitOf<T>(
  user: TestUser,
  deletion: () => Promise<T>,
  work: () => Promise<void>,
): Promise<T> {
  const holder = new pg.Client({ connectionString: server.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from app.users where id = $1 for key share', [user.id]);
    const deleted = deletion();
    await eventually(async () => {
      const { rows } = await holder.query(
        'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
        [(await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid],
      );
      expect(rows).toHaveLength(1);
    });
    await work();
    await holder.query('rollback');
    return await deleted;
  } finally {
    await holder.end();
  }
}

const actionsOn = async ({ id }: TestUser) =>
  (await server.audit(id)).map(({ action }) => action).filter((action) => action.startsWith('impersonation'));

test('A45, A73: no impersonation of an account begins while its deletion is under way', async () => {
  const trader = await server.addUser('trader');
  const answer = await beforeCommitOf(
    trader,
    async () => remove(trader),
    async () => {
      expect(await visit(visitor, trader)).toMatchObject({ status: 404, error: { code: 'not_found' } });
    },
  );
  expect(answer).toMatchObject({ error: null });
  expect(await actionsOn(trader)).toEqual([]);
});

test('A45, A73: nor does the account itself begin to act as anybody', async () => {
  const manager = await server.addUser('manager');
  const trader = await server.addUser('trader', { managerId: manager.id });
  const answer = await beforeCommitOf(
    manager,
    async () => remove(manager),
    async () => {
      expect(await visit(manager, trader)).toMatchObject({ status: 401 });
    },
  );
  expect(answer).toMatchObject({ error: null });
  expect(await actionsOn(trader)).toEqual([]);
});

test('A45, A73: what began before is on record as ended', async () => {
  const trader = await server.addUser('trader');
  expect(await visit(visitor, trader)).toMatchObject({ error: null });
  expect(await remove(trader)).toMatchObject({ error: null });
  expect(await actionsOn(trader)).toEqual(['impersonation.start', 'impersonation.end']);
});

test('A45, A73: an account can be impersonated again once every deletion of it was refused', async () => {
  const trader = await server.addUser('trader');
  const { accounts } = server.server;
  const authorization = `Bearer ${await tokenOf(admin.client)}`;
  const caller = accounts.callerOf({ authorization, apikey: server.anonKey });
  if (caller.role === 'anon') throw new Error('not signed in');
  await accounts.deletions.prepare(caller, trader.id);
  await accounts.deletions.prepare(caller, trader.id);
  accounts.deletions.abandon(trader.id);
  expect(await visit(visitor, trader)).toMatchObject({ error: { code: 'not_found' } });
  accounts.deletions.abandon(trader.id);
  expect(await visit(visitor, trader)).toMatchObject({ error: null });
  // What is refused in its first step has abandoned itself.
  await expect(accounts.deletions.prepare({ ...caller, userId: trader.id }, trader.id)).rejects.toThrow();
  expect(accounts.deletions.isUnderWay(trader.id)).toBe(false);
});
