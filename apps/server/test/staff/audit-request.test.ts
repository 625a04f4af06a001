/** A row of the audit log leads to its request, its users and its object. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '../../src/platform/log/index.ts';
import { withinRequest } from '../../src/platform/request/index.ts';
import { tokenOf } from '../identity/user-server.ts';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

shareTradingServer();

/** One call past the client, for the headers of its answer. */
async function call(by: TestUser, path: string, body: unknown, method = 'POST') {
  const response = await fetch(`${floor.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: floor.anonKey,
      authorization: `Bearer ${await tokenOf(by.client)}`,
      'content-type': 'application/json',
      'x-request-id': 'of the client',
    },
    body: JSON.stringify(body),
  });
  await response.text();
  return { status: response.status, id: response.headers.get('x-request-id') };
}

const lastEntry = async (subjectId: string) =>
  (await floor.admin.client.from('audit_log').select('*').eq('subject_id', subjectId).order('seq')).data?.at(
    -1,
  );

test('X-20: an action of staff has its request, actor, object and the values before and after', async () => {
  const trader = await floor.addUser('trader');
  const other = await floor.addUser('manager');
  const position = await floor.open(trader);

  const funds = await call(floor.admin, 'rpc/adjust_wallet_balance', {
    p_user_id: trader.id,
    p_amount: 5,
    p_reason: 'a gift',
  });
  expect(await lastEntry(trader.id)).toMatchObject({
    actor_id: floor.admin.id,
    on_behalf_of: null,
    action: 'funds.adjust',
    reason: 'a gift',
    request_id: funds.id,
    object_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    detail: { amount: 5 },
  });

  const edit = await call(
    floor.admin,
    `positions?id=eq.${position.id}`,
    { entry_price: 99, reason: 'a wrong fill' },
    'PATCH',
  );
  expect(await lastEntry(trader.id)).toMatchObject({
    action: 'position.edit',
    object_id: position.id,
    request_id: edit.id,
    detail: { before: { entry_price: 100 }, after: { entry_price: 99 } },
  });

  const assign = await call(floor.admin, 'rpc/assign_user_to_manager', {
    p_user_id: trader.id,
    p_manager_id: other.id,
  });
  expect(await lastEntry(trader.id)).toMatchObject({ action: 'user.edit', request_id: assign.id });
  expect(new Set([funds.id, edit.id, assign.id]).size).toBe(3);
  expect([funds.id, edit.id, assign.id]).not.toContain('of the client');
});

test('X-20: an action during an impersonation has both names', async () => {
  const trader = await floor.addUser('trader');
  const staff = await floor.addUser('admin');
  await floor.impersonate(staff, trader);
  expect(await lastEntry(trader.id)).toMatchObject({
    actor_id: staff.id,
    on_behalf_of: null,
    action: 'impersonation.start',
    object_id: expect.any(String),
    request_id: expect.any(String),
  });
  const order = await call(staff, 'rpc/open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 1,
    p_leverage: 10,
  });
  expect(await lastEntry(trader.id)).toMatchObject({
    actor_id: staff.id,
    on_behalf_of: trader.id,
    action: 'position.open',
    request_id: order.id,
  });
  await staff.client.rpc('end_impersonation').throwOnError();
  expect(await lastEntry(trader.id)).toMatchObject({
    actor_id: staff.id,
    action: 'impersonation.end',
    request_id: expect.any(String),
  });
});

test('every answer names its request, also of a page that there is not', async () => {
  const ids = await Promise.all(
    ['/health', '/rest/v1/nothing', '/auth/v1/nothing', '/nothing'].map(async (path) =>
      (await fetch(`${floor.url}${path}`)).headers.get('x-request-id'),
    ),
  );
  expect(new Set(ids).size).toBe(4);
  expect(ids).not.toContain(null);
});

test('a line of the log has the id of its request', async () => {
  const lines: string[] = [];
  const log = createLog(
    { logLevel: 'info' },
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  log.info('at the start');
  await withinRequest('of-a-test', async () => {
    await Promise.resolve();
    log.child({ part: 'x' }).info('in between');
  });
  const [start, between] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(start).not.toHaveProperty('request_id');
  expect(between).toMatchObject({ request_id: 'of-a-test', part: 'x' });
});
