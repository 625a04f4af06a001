/** Rights that are lost between the request and the commit: the commit checks them again (A09, A73). */
import { randomUUID } from 'node:crypto';
import type { SignedIn, UserRole } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import type { Database } from '../../src/platform/database/index.ts';
import { desk, shareEngine, type Trader } from './database-engine.ts';

shareEngine();

async function addStaff(role: UserRole): Promise<SignedIn> {
  const userId = randomUUID();
  await desk.db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, $4)`, [
    userId,
    `${userId}@example.test`,
    userId,
    role,
  ]);
  return { role, userId, accountId: userId, actorId: userId, sessionId: randomUUID(), impersonationId: null };
}

/** The database, in which `statement` runs right after the first one named `after`. */
function interrupted(after: string, statement: string, values: unknown[]): Database {
  let isDue = true;
  return new Proxy<Database>(desk.db, {
    get(db, property) {
      if (property !== 'query') return Reflect.get(db, property, db);
      const query: Database['query'] = async (text, parameters, name) => {
        const result = await db.query(text, parameters, name);
        if (isDue && name === after) {
          isDue = false;
          await db.query(statement, values);
        }
        return result as never;
      };
      return query;
    },
  });
}

const adjustment = ({ userId }: Trader) => ({ p_user_id: userId, p_amount: 100, p_reason: 'Test' });
const gone = { code: 'not_found', message: 'User not found' };

test('A12: a manager who loses the trader before the commit changes nothing and leaves no audit row', async () => {
  const trader = await desk.addTrader('1000');
  const manager = await addStaff('manager');
  const assign = `update app.users set manager_id = $2 where id = $1`;
  await desk.db.query(assign, [trader.userId, manager.userId]);
  await desk.restart({ db: interrupted('staff_subject', assign, [trader.userId, null]) });
  const { adjust_wallet_balance: adjust } = desk.actions;
  await expect(adjust(manager, adjustment(trader))).rejects.toMatchObject(gone);
  await desk.restart();
  expect(await desk.wallet(trader)).toMatchObject({ balance: '1000.00000000' });
  const { rows } = await desk.db.query(`select from app.audit_log where subject_id = $1`, [trader.userId]);
  expect(rows).toEqual([]);
});

test('A12: an admin who is demoted before the commit changes nothing', async () => {
  const trader = await desk.addTrader('1000');
  const admin = await addStaff('admin');
  const demote = `update app.users set role = 'support' where id = $1`;
  await desk.restart({ db: interrupted('staff_subject', demote, [admin.userId]) });
  const { adjust_wallet_balance: adjust } = desk.actions;
  await expect(adjust(admin, adjustment(trader))).rejects.toMatchObject(gone);
  await desk.restart();
  expect(await desk.wallet(trader)).toMatchObject({ balance: '1000.00000000' });
});

test('A73: a user who becomes an admin before the commit is not deleted', async () => {
  const trader = await desk.addTrader('1000');
  const admin = await addStaff('admin');
  await desk.db.query(`update app.users set role = 'admin' where id = $1`, [trader.userId]);
  const { delete_user_with_data: remove } = desk.actions;
  await expect(remove(admin, { p_user_id: trader.userId, p_reason: 'Test' })).rejects.toMatchObject(gone);
  expect(await desk.wallet(trader)).toMatchObject({ balance: '1000.00000000' });
  expect(await desk.invariants()).toMatchObject({ ok: true });
});

test('A09, A11: two corrections of one result at the same moment leave one line with the last one', async () => {
  const trader = await desk.addTrader('1000');
  const admin = await desk.addAdmin();
  const { id } = await desk.open(trader);
  await desk.close(trader, id);
  const correct = (realized_pnl: string) =>
    desk.trading.writes['positions.update'](admin, [id], { realized_pnl, reason: 'Wrong tick' });
  await Promise.all([correct('3'), correct('5')]);
  const { rows } = await desk.db.query<{ realized_pnl: string; amount: string }>(
    `select p.realized_pnl, t.amount from app.positions p
     join app.transactions t on t.user_id = p.user_id and t.type = 'position_closed' where p.id = $1`,
    [id],
  );
  // The order depends on their look-ups of the owner.
  const [line] = rows;
  expect(['3.00000000', '5.00000000']).toContain(line?.realized_pnl);
  expect(rows).toEqual([{ realized_pnl: line?.realized_pnl, amount: line?.realized_pnl }]);
  expect(await desk.wallet(trader)).toMatchObject({ balance: `100${line?.realized_pnl}` });
  expect(await desk.invariants()).toMatchObject({ ok: true });
});
