/** Staff edit a position by the table API (CALL-43, A09). */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { done, edit, floor, reason, refusal, shareTradingServer, type TestUser } from './trading-server.ts';

let admin: TestUser;
let manager: TestUser;
let trader: TestUser;
shareTradingServer();
beforeAll(async () => {
  ({ admin } = floor);
  manager = await floor.addUser('manager');
});
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  trader = await floor.addUser('trader', { managerId: manager.id });
});

describe('consequences of an edit', () => {
  test('CALL-43, A09: margin, available and liquidation price follow entry, size and leverage', async () => {
    const { id } = await floor.open(trader);
    const { data, error } = await edit(admin, id, { leverage: 5, version: 1 });
    expect(error).toBeNull();
    expect(data).toMatchObject([{ id, leverage: 5, margin: 20, liquidation_price: 81, version: 2 }]);
    expect(data![0].edited_at).not.toBeNull();
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_980 });
    expect(await floor.notices(trader)).toEqual([
      {
        kind: 'position_adjusted',
        message:
          'Your position BUY 1 BTCUSDT was adjusted by our staff: leverage 10x to 5x, liquidation 90.50 to 81.00.',
      },
    ]);
  });

  test('RULE-34, A09, A11: a new realized PnL moves the balance by the difference and amends its line', async () => {
    const id = await floor.closedAt(trader, '110');
    done(await edit(admin, id, { realized_pnl: 25, close_price: 125 }));
    expect(await floor.wallet(trader)).toEqual({ balance: 10_025, available: 10_025 });
    const { data: history } = await trader.client
      .from('transactions')
      .select('amount')
      .eq('type', 'position_closed');
    expect(history).toEqual([{ amount: 25 }]);
    expect(await floor.notices(trader)).toEqual([
      {
        kind: 'position_adjusted',
        message:
          'Your position BUY 1 BTCUSDT was adjusted by our staff: close price 110.00 to 125.00, PnL +10.00 to +25.00. Your balance changed by +15.00 USDT.',
      },
    ]);
  });

  test('ADMIN-72, CALL-43: each of the nine columns is stored as it was sent', async () => {
    const id = await floor.closedAt(trader, '110');
    const sent = {
      entry_price: 101.5,
      close_price: 99.25,
      size: 1.5,
      leverage: 5,
      side: 'SELL',
      realized_pnl: 3.375,
      liquidation_price: 120,
      created_at: '2026-11-19T08:00:00+00:00',
      closed_at: '2026-11-19T09:30:00+00:00',
    };
    done(await edit(admin, id, sent));
    const [stored] = await floor.rowsOf<typeof sent>('positions', trader);
    expect(stored).toMatchObject(sent);
  });

  test('A09: times are accepted in every form of the table API', async () => {
    const id = await floor.closedAt(trader, '100');
    const { data } = await edit(admin, id, {
      created_at: '2026-11-20 10:00+02',
      closed_at: '2026-11-20T09:30:00.5Z',
    });
    expect(data).toMatchObject([
      { created_at: '2026-11-20T08:00:00+00:00', closed_at: '2026-11-20T09:30:00.5+00:00' },
    ]);
  });

  test('A09: a field that an open position does not have, or an invalid value, is refused by name', async () => {
    const { id } = await floor.open(trader);
    const refusals = [
      [{ realized_pnl: 5 }, 'Realized PnL can be changed on a closed position only.'],
      [{ closed_at: '2026-11-20T09:30:00Z' }, 'Close time can be changed on a closed position only.'],
      [{ size: 0 }, 'Size must be between 0.00001 and 9000 in steps of 0.00001.'],
      [{ leverage: 126 }, 'Leverage must be a whole number from 1 to 125.'],
      [{ size: 2_000 }, 'This change needs 19990.00 USDT, but only 9990.00 USDT are available.'],
    ] as const;
    for (const [changes, message] of refusals) {
      expect(refusal(await edit(admin, id, changes))).toMatchObject({ status: 400, message });
    }
    expect(await floor.rowsOf('positions', trader)).toMatchObject([{ version: 1 }]);
  });

  test('A09: a closed position loses its margin at most', async () => {
    const id = await floor.closedAt(trader, '100');
    expect(refusal(await edit(admin, id, { realized_pnl: -10.01 }))).toMatchObject({
      status: 400,
      message: 'The loss cannot exceed the margin of 10.00 USDT.',
    });
  });
});

describe('two editors', () => {
  test('A09: the second one gets 409 with the seen version and the current row, and loses nothing', async () => {
    const { id } = await floor.open(trader);
    done(await edit(manager, id, { leverage: 5, version: 1 }));
    const late = await edit(admin, id, { leverage: 20, version: 1 });
    expect(refusal(late)).toEqual({
      status: 409,
      code: 'changed_meanwhile',
      message: 'Someone else changed this in the meantime.',
    });
    expect(JSON.parse(late.error!.details)).toMatchObject({
      expected_version: 1,
      current: { id, leverage: 5, version: 2, user_id: trader.id },
    });
    done(await edit(admin, id, { leverage: 20, version: 2 }));
    expect(await floor.rowsOf('positions', trader)).toMatchObject([{ leverage: 20, version: 3 }]);
  });

  test('A09: of two at the same moment one succeeds', async () => {
    const { id } = await floor.open(trader);
    const answers = await Promise.all([
      edit(manager, id, { leverage: 5, version: 1 }),
      edit(admin, id, { leverage: 20, version: 1 }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('A09: a repeat with the same client id gets the first answer, for any current version', async () => {
    const { id } = await floor.open(trader);
    const changes = { leverage: 5, version: 1, client_id: 'edit-1' };
    const first = await edit(admin, id, changes);
    done(await edit(admin, id, { leverage: 6, version: 2 }));
    expect((await edit(admin, id, changes)).data).toEqual(first.data);
    expect(refusal(await edit(admin, id, { ...changes, leverage: 7 }))).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
    // Another staff member's id of the same name is a different key.
    expect((await edit(manager, id, { leverage: 8, client_id: 'edit-1' })).status).toBe(200);
  });
});

describe('permissions', () => {
  test('A09: a reason is required, and the audit log has it with the changes', async () => {
    const { id } = await floor.open(trader);
    for (const blank of ['', '  ']) {
      expect(refusal(await edit(admin, id, { leverage: 5, reason: blank }))).toEqual({
        status: 400,
        code: 'reason_required',
        message: 'Please give a reason.',
      });
    }
    expect(refusal(await admin.client.from('positions').update({ leverage: 5 }).eq('id', id))).toMatchObject({
      code: 'reason_required',
    });
    expect(await floor.audit(trader.id)).toEqual([]);
    done(await edit(manager, id, { leverage: 5 }));
    expect(await floor.audit(trader.id)).toEqual([
      {
        actor_id: manager.id,
        action: 'position.edit',
        reason,
        detail: {
          id,
          before: { leverage: 10, margin: 10, liquidation_price: 90.5 },
          after: { leverage: 5, margin: 20, liquidation_price: 81 },
        },
      },
    ]);
  });

  test('MGR-17, A83: a manager adjusts the funds and edits the positions of an assigned trader, and of no other', async () => {
    const foreign = await floor.addUser('trader', { managerId: (await floor.addUser('manager')).id });
    const outcomes = [];
    for (const user of [trader, foreign]) {
      floor.feed.setPrice('BTCUSDT', '100');
      const id = await floor.closedAt(user, '110');
      const edited = await edit(manager, id, { realized_pnl: 12 });
      const funds = await floor.call(manager, 'adjust_wallet_balance', {
        ...{ p_user_id: user.id, p_amount: 50, p_reason: reason },
      });
      outcomes.push([edited.data?.length, funds.status, (await floor.wallet(user))?.balance]);
    }
    // 10000 and the close's 10; then the manager's deposit.
    expect(outcomes).toEqual([
      [1, 200, 10_062],
      [0, 404, 10_010],
    ]);
  });

  test('A09: to a manager the positions of other managers’ traders do not exist', async () => {
    const other = await floor.addUser('manager');
    const { id } = await floor.open(trader);
    const answers = [
      await edit(other, id, { leverage: 5 }),
      await edit(other, randomUUID(), { leverage: 5 }),
    ];
    for (const answer of answers) expect(answer.data).toEqual([]);
    expect(await floor.rowsOf('positions', trader)).toMatchObject([{ leverage: 10, version: 1 }]);
  });

  test('A09: refused to traders, to support and during impersonation', async () => {
    const { id } = await floor.open(trader);
    const support = await floor.addUser('support');
    for (const by of [trader, support]) {
      expect((await edit(by, id, { leverage: 5 })).status).toBe(403);
    }
    const helper = await floor.addUser('manager');
    const own = await floor.addUser('trader', { managerId: helper.id });
    const { id: ownId } = await floor.open(own);
    await floor.impersonate(helper, own);
    expect((await edit(helper, ownId, { leverage: 5 })).status).toBe(403);
    expect(await floor.rowsOf('positions', own)).toMatchObject([{ version: 1 }]);
  });

  test('A09: one position at a time, with at least one change', async () => {
    const [one, two] = [await floor.open(trader), await floor.open(trader)];
    const many = await admin.client
      .from('positions')
      .update({ leverage: 5, reason })
      .in('id', [one.id, two.id]);
    expect(refusal(many)).toMatchObject({ status: 400, message: 'Edit one position at a time.' });
    expect(refusal(await edit(admin, one.id, {}))).toMatchObject({
      status: 400,
      message: 'There is nothing to change.',
    });
  });
});
