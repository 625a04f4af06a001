/**
 * Threat: a reason that PostgreSQL refuses fails the whole batch of other users' commands, or forges lines of the
 * log.
 */
import { beforeAll, expect, test } from 'vitest';
import { type Answered, floor, shareTradingServer, type TestUser } from './trading-server.ts';

let manager: TestUser;
let trader: TestUser;
let positionId: string;
shareTradingServer();
beforeAll(async () => {
  manager = await floor.addUser('manager');
  trader = await floor.addUser('trader', { managerId: manager.id });
  positionId = (await floor.open(trader)).id;
});

const reasons = {
  'half a surrogate pair': 'Wire \ud800 of today',
  'a NUL character': 'Wire \0 of today',
  'an escape sequence': 'Wire \u001b[2K of today',
  'more than 500 characters': 'x'.repeat(501),
  'a text that is read in another order': 'Wire \u202eyadot fo',
  'nothing that is seen': '\u200b \u00ad',
} as const;

/** Every command of staff with a reason. */
const ways: Readonly<Record<string, (reason: string) => Promise<Pick<Answered, 'code' | 'status'>>>> = {
  adjust_wallet_balance: (p_reason) =>
    floor.call(manager, 'adjust_wallet_balance', { p_user_id: trader.id, p_amount: 5, p_reason }),
  restrict_user: (p_reason) =>
    floor.call(floor.admin, 'restrict_user', { p_user_id: trader.id, p_restricted: true, p_reason }),
  delete_user_with_data: (p_reason) =>
    floor.call(floor.admin, 'delete_user_with_data', { p_user_id: trader.id, p_reason }),
  impersonate_user: (p_reason) => floor.call(manager, 'impersonate_user', { p_user_id: trader.id, p_reason }),
  admin_update_user_password: (p_reason) =>
    floor.call(floor.admin, 'admin_update_user_password', {
      p_user_id: trader.id,
      p_new_password: 'correct-horse-battery-10',
      p_reason,
    }),
  'positions.update': async (reason) => {
    const edit = manager.client.from('positions').update({ leverage: 5, reason }).eq('id', positionId);
    const { error, status } = await edit;
    return { code: error?.code, status };
  },
  'transactions.insert': async (reason) => {
    const row = { user_id: trader.id, type: 'deposit', amount: 5, reason };
    const { error, status } = await floor.admin.client.from('transactions').insert(row);
    return { code: error?.code, status };
  },
  'transactions.insert by its description': async (description) => {
    const row = { user_id: trader.id, type: 'deposit', amount: 5, description };
    const { error, status } = await floor.admin.client.from('transactions').insert(row);
    return { code: error?.code, status };
  },
};

const kinds = Object.keys(reasons) as (keyof typeof reasons)[];
const auditOf = async ({ id }: TestUser) =>
  (await floor.db.query<{ reason: string }>(`select reason from app.audit_log where subject_id = $1`, [id]))
    .rows;

test.for(Object.keys(ways).flatMap((way) => kinds.map((kind) => [way, kind] as const)))(
  'A09, A12, A72, A73: %s refuses %s as a reason and writes nothing',
  async ([way, kind]) => {
    const { status } = await ways[way]!(reasons[kind]);
    expect(status).toBe(400);
    expect(await auditOf(trader)).toEqual([]);
  },
);

test('a reason of several lines is stored unchanged', async () => {
  const p_reason = 'Wire of today,\n\tsecond half';
  await floor.call(manager, 'adjust_wallet_balance', { p_user_id: trader.id, p_amount: 5, p_reason });
  expect(await auditOf(trader)).toEqual([{ reason: p_reason }]);
});
