/** Commands about a user, which are one batch for all accounts of the user (A73, A112). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PostgresStore } from '../../src/features/trading/engine/postgres-store.ts';
import { CommitRefused } from '../../src/features/trading/engine/store.ts';
import { eventually } from '../harness/eventually.ts';
import { type EngineSetup, openEngine } from '../trading/database-engine.ts';

let desk: EngineSetup;
beforeEach(async () => {
  desk = await openEngine();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.dispose();
});

test('A73, A112: an account that opens after the engine read the user’s accounts is booked out with the others', async () => {
  const [trader, admin] = [await desk.addTrader('1000'), await desk.addAdmin()];
  await desk.open(trader);
  const { commit } = PostgresStore.prototype;
  vi.spyOn(PostgresStore.prototype, 'commit').mockImplementationOnce(async function (
    this: PostgresStore,
    batch,
  ) {
    expect(batch.deletions).toEqual([trader.userId]);
    await desk.addAccount(trader, '500');
    await commit.call(this, batch);
  });
  await desk.actions.delete_user_with_data(admin, { p_user_id: trader.userId, p_reason: 'requested it' });
  const { rows } = await desk.db.query(
    `select (select count(*)::int from app.users where id = $1) as users,
            (select count(distinct user_id)::int from app.ledger_entries where user_id is not null) as accounts,
            (select sum(amount)::text from app.ledger_entries where user_id is not null) as left`,
    [trader.userId],
  );
  expect(rows).toEqual([{ users: 0, accounts: 2, left: '0.00000000' }]);
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
});

test('A73, A112: after a deletion that was not written the stop losses of every account of the user still fire', async () => {
  const [trader, admin] = [await desk.addTrader('1000'), await desk.addAdmin()];
  const accounts = [trader, await desk.addAccount(trader, '500')];
  const positions = await Promise.all(accounts.map((of) => desk.open(of, { p_stop_loss_price: 95 })));
  const refused = new CommitRefused('refused by the test');
  // With the others, then alone.
  vi.spyOn(PostgresStore.prototype, 'commit').mockRejectedValueOnce(refused).mockRejectedValueOnce(refused);
  const deletion = { p_user_id: trader.userId, p_reason: 'a test' };
  await expect(desk.actions.delete_user_with_data(admin, deletion)).rejects.toThrow();
  await eventually(() => expect(desk.trading.state().staleAccounts).toBe(0));
  desk.tick('BTCUSDT', '94');
  await desk.settle();
  const { rows } = await desk.db.query('select close_reason from app.positions where id = any ($1::uuid[])', [
    positions.map(({ id }) => id),
  ]);
  expect(rows).toEqual([{ close_reason: 'stop_loss' }, { close_reason: 'stop_loss' }]);
});
