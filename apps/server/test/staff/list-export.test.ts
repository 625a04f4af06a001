/** Files of the admin console's lists: the rows and the filter of the list, exact values, UTC times, and no formula. */
import { beforeAll, expect, test } from 'vitest';
import { server, shareUserServer, type TestUser } from '../identity/user-server.ts';
import { number, of, submit } from '../kyc/cases.ts';

let admin: TestUser;
let manager: TestUser;
let trader: TestUser;

shareUserServer();
beforeAll(async () => {
  [admin, manager] = [await server.addUser('admin'), await server.addUser('manager')];
  trader = await server.addUser('trader', { managerId: manager.id, phoneNumber: '+351912345678' });
});

async function recordsOf(args: Record<string, unknown>, by = admin) {
  const { data, error } = await by.client.rpc('export_list', args);
  if (error) throw error;
  const { url, file_name } = data as { url: string; file_name: string };
  const { data: held } = await by.client.auth.getSession();
  const headers = { apikey: server.anonKey, authorization: `Bearer ${held.session!.access_token}` };
  const answer = await fetch(`${server.url}${url}`, { headers });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const [head = '', ...records] = text.trimEnd().split('\r\n');
  return { file_name, head: head.split(','), records };
}

test('export: users as the list filters them, with exact amounts and UTC times', async () => {
  const { file_name, head, records } = await recordsOf({
    p_list: 'users',
    p_users: { p_search: trader.username, p_roles: ['trader'] },
  });
  const stamp = new Date(server.clock.now()).toISOString().slice(0, 10).replaceAll('-', '');
  expect(file_name).toBe(`users_${stamp}.csv`);
  expect(head.slice(0, 6)).toEqual(['User Id', 'Username', 'Email', 'Phone', 'Role', 'Manager']);
  expect(records).toHaveLength(1);
  const cells = records[0]!.split(',');
  expect(cells.slice(0, 3)).toEqual([trader.id, trader.username, trader.email]);
  // A phone number begins as a formula does, so it is guarded; an amount stays a number.
  expect(cells[3]).toBe("'+351912345678");
  expect(cells.slice(4, 10)).toEqual(['trader', manager.username, 'unverified', '', '10000', '10000']);
  expect(cells[10]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('export: wallets, transactions, identity checks, contact messages and the audit log', async () => {
  const check = await submit(server, trader, number());
  await server.db.query(
    `insert into app.contact_forms (name, email, subject, message, created_at, updated_at)
     values ('=cmd()', 'vera@example.test', 'Hello', 'How?', now(), now())`,
  );
  const wallets = await recordsOf({ p_list: 'wallets', p_search: trader.email });
  expect(wallets.records).toEqual([
    expect.stringContaining(`${trader.id},${trader.username},${trader.email},10000,`),
  ]);
  const money = await recordsOf({ p_list: 'transactions', p_user_id: trader.id });
  expect(money.records).toEqual([
    expect.stringContaining(`,${trader.username},${trader.email},deposit,10000,completed`),
  ]);
  const later = new Date(server.clock.now() + 60_000).toISOString();
  expect((await recordsOf({ p_list: 'transactions', p_from: later })).records).toEqual([]);
  const checks = await recordsOf({
    p_list: 'kyc',
    p_kyc: { p_status: 'pending', p_search: trader.username },
  });
  expect(checks.records).toEqual([expect.stringContaining(`${check},${trader.id},${trader.username}`)]);
  expect(checks.head).not.toContain('Document Number');
  const messages = await recordsOf({ p_list: 'contact', p_status: 'new', p_search: 'vera' });
  expect(messages.records).toEqual([expect.stringContaining(",'=cmd(),vera@example.test,Hello,How?,new,")]);
  const audit = await recordsOf({ p_list: 'audit', p_action: 'kyc.submit', p_user_id: trader.id });
  expect(audit.records).toHaveLength(1);
  expect(audit.records[0]).toContain(`kyc.submit,${trader.id},${trader.username},${check}`);
});

test('export: transactions of main accounts, as the list shows them', async () => {
  const { data: account } = await trader.client
    .rpc('create_account', { p_name: 'Practice', p_start_balance: 5000 })
    .throwOnError();
  const { rows } = await server.db.query('select from app.transactions where user_id = $1', [account.id]);
  expect(rows).toHaveLength(1);
  const all = await recordsOf({ p_list: 'transactions' });
  expect(all.records.filter((record) => record.includes(account.id))).toEqual([]);
  expect(all.records.filter((record) => record.includes(trader.id))).toHaveLength(1);
  expect((await recordsOf({ p_list: 'transactions', p_user_id: account.id })).records).toEqual([]);
});

test('export: for admins only, and the request and its end are in the audit log', async () => {
  for (const user of [trader, manager, await server.addUser('support')]) {
    expect((await of(user).rpc('export_list', { p_list: 'users' })).status).toBe(403);
  }
  const other = await server.addUser('admin');
  await recordsOf({ p_list: 'wallets' }, other);
  const { rows } = await server.db.query<{ action: string; detail: Record<string, unknown> }>(
    `select action, detail from app.audit_log where actor_id = $1 and action like 'list.%' order by id`,
    [other.id],
  );
  expect(rows).toMatchObject([
    { action: 'list.request_export', detail: { list: 'wallets' } },
    { action: 'list.export', detail: { list: 'wallets', outcome: 'whole', rows: expect.any(Number) } },
  ]);
});
