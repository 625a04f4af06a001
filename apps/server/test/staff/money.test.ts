/** Previews of funds and edits, the history of a position, and idempotent staff actions. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { done, edit, floor, reason, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

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

const previewEdit = (by: TestUser, id: string, p_changes: Record<string, unknown>) =>
  floor.call(by, 'preview_position_edit', { p_position_id: id, p_changes });
const previewFunds = (by: TestUser, p_user_id: string, p_amount: number | string) =>
  floor.call(by, 'preview_funds', { p_user_id, p_amount });
const walletOf = (balance: number, available: number) => ({
  balance,
  available_balance: available,
  margin: balance - available,
});

describe('preview_funds', () => {
  test('A12: returns the resulting balance, and changes nothing', async () => {
    await floor.open(trader);
    expect((await previewFunds(manager, trader.id, '250.5')).data).toEqual({
      before: walletOf(10_000, 9_990),
      after: walletOf(10_250.5, 10_240.5),
      refusal: null,
    });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_990 });
    expect(await floor.audit(trader.id)).toEqual([]);
    expect(await floor.notices(trader)).toEqual([]);
  });

  test.each([
    [0, texts.fundsAmountInvalid],
    ['0.000000001', texts.fundsAmountInvalid],
    [-9_990.01, 'Only 9990.00 USDT are available.'],
  ])('A12: the preview of %s equals the command’s response', async (amount, refusal) => {
    await floor.open(trader);
    expect((await previewFunds(admin, trader.id, amount)).data).toEqual({
      before: walletOf(10_000, 9_990),
      after: null,
      refusal,
    });
    expect(
      await floor.call(admin, 'adjust_wallet_balance', {
        p_user_id: trader.id,
        p_amount: amount,
        p_reason: reason,
      }),
    ).toMatchObject({ message: refusal });
  });

  test('A12: discloses nothing about a foreign user, and accepts only traders', async () => {
    const other = await floor.addUser('manager');
    const unknown = await previewFunds(other, randomUUID(), 5);
    expect(unknown).toMatchObject({ status: 404, message: 'User not found' });
    expect(await previewFunds(other, trader.id, 5)).toEqual(unknown);
    expect(await previewFunds(admin, manager.id, 5)).toMatchObject({
      status: 403,
      message: 'This is possible for traders only.',
    });
    expect((await previewFunds(trader, trader.id, 5)).status).toBe(403);
  });
});

describe('preview_position_edit', () => {
  test('A09: the preview of an edit equals the edit', async () => {
    const id = await floor.closedAt(trader, '110');
    const changes = { realized_pnl: 25, close_price: '125' };
    const preview = await previewEdit(manager, id, changes);
    expect(preview.data).toEqual({
      before: walletOf(10_010, 10_010),
      after: walletOf(10_025, 10_025),
      refusal: null,
      version: 2,
      changes: [
        { column: 'close_price', before: 110, after: 125 },
        { column: 'realized_pnl', before: 10, after: 25 },
      ],
      derived_pnl: 25,
    });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_010, available: 10_010 });
    done(await edit(manager, id, { ...changes, version: 2 }));
    expect(await floor.wallet(trader)).toEqual({ balance: 10_025, available: 10_025 });
  });

  test('A09: a close price alone moves no money; its effect is listed beside it', async () => {
    const id = await floor.closedAt(trader, '110');
    expect((await previewEdit(admin, id, { close_price: 130 })).data).toMatchObject({
      before: walletOf(10_010, 10_010),
      after: walletOf(10_010, 10_010),
      changes: [{ column: 'close_price', before: 110, after: 130 }],
      derived_pnl: 30,
    });
  });

  test('A09: of an open one the margin, the available balance and the liquidation price follow', async () => {
    const { id } = await floor.open(trader);
    expect((await previewEdit(admin, id, { leverage: 5 })).data).toEqual({
      before: walletOf(10_000, 9_990),
      after: walletOf(10_000, 9_980),
      refusal: null,
      version: 1,
      changes: [
        { column: 'leverage', before: 10, after: 5 },
        { column: 'margin', before: 10, after: 20 },
        { column: 'liquidation_price', before: 90.5, after: 81 },
      ],
      derived_pnl: null,
    });
  });

  test('A09: an empty edit changes nothing; an invalid one gets the error of the edit', async () => {
    const { id } = await floor.open(trader);
    expect((await previewEdit(admin, id, {})).data).toMatchObject({
      after: walletOf(10_000, 9_990),
      changes: [],
    });
    const ofTheEdit = [
      [{ size: 2_000 }, 'This change needs 19990.00 USDT, but only 9990.00 USDT are available.'],
      [{ realized_pnl: 5 }, 'Realized PnL can be changed on a closed position only.'],
      [{ side: 'LONG' }, 'Side must be BUY or SELL.'],
    ] as const;
    // No column accepts these: the table refuses them before the edit, with its own text.
    const ofItsForm = [
      [{ size: '1.0000000001' }, 'Size is not a valid value.'],
      [{ created_at: 'yesterday' }, 'created_at is not a time'],
    ] as const;
    for (const [changes, refusal] of [...ofTheEdit, ...ofItsForm]) {
      expect((await previewEdit(admin, id, changes)).data).toMatchObject({
        after: null,
        refusal,
        changes: [],
        version: 1,
      });
      expect((await edit(admin, id, changes)).status).toBe(400);
    }
    for (const [changes, refusal] of ofTheEdit) {
      expect((await edit(admin, id, changes)).error?.message).toBe(refusal);
    }
  });

  test('A09: to a manager the positions of other managers’ traders are not there', async () => {
    const { id } = await floor.open(trader);
    const other = await floor.addUser('manager');
    for (const named of [id, randomUUID()]) {
      expect(await previewEdit(other, named, { leverage: 5 })).toMatchObject({
        status: 404,
        message: 'Position not found',
      });
      expect(await floor.call(other, 'get_position_history', { p_position_id: named })).toMatchObject({
        status: 404,
        message: 'Position not found',
      });
    }
  });
});

test('A09: a position lists its editors, reasons and changes, the latest first', async () => {
  const { id } = await floor.open(trader);
  done(await edit(manager, id, { leverage: 5 }));
  floor.clock.advance(1_000);
  done(await edit(admin, id, { side: 'SELL', reason: 'Wrong side' }));
  const other = await floor.open(trader);
  done(await edit(admin, other.id, { leverage: 2 }));
  const { data } = await floor.call(manager, 'get_position_history', { p_position_id: id.toUpperCase() });
  expect(data).toMatchObject([
    {
      action: 'position.edit',
      actor: admin.username,
      on_behalf_of: null,
      reason: 'Wrong side',
      changes: expect.arrayContaining([{ column: 'side', before: 'BUY', after: 'SELL' }]),
    },
    {
      actor: manager.username,
      reason,
      changes: [
        { column: 'leverage', before: 10, after: 5 },
        { column: 'margin', before: 10, after: 20 },
        { column: 'liquidation_price', before: 90.5, after: 81 },
      ],
    },
  ]);
});

describe('once', () => {
  test('A12: funds that are sent twenty times at once with one client id move once', async () => {
    const args = { p_user_id: trader.id, p_amount: 100, p_reason: reason, p_client_id: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => floor.call(admin, 'adjust_wallet_balance', args)),
    );
    const [first] = answers;
    for (const answer of answers) expect(answer).toEqual(first);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_100, available: 10_100 });
    expect(await floor.audit(trader.id)).toHaveLength(1);
    expect(await floor.notices(trader)).toHaveLength(1);
    expect(await floor.rowsOf('transactions', trader)).toHaveLength(2);
  });

  test('A09: an edit that is sent twenty times at once with one client id is one edit', async () => {
    const id = await floor.closedAt(trader, '110');
    const changes = { realized_pnl: 25, version: 2, client_id: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => edit(admin, id, changes)));
    for (const { data, error } of answers) {
      expect(error).toBeNull();
      expect(data).toMatchObject([{ id, realized_pnl: 25, version: 3 }]);
    }
    expect(await floor.wallet(trader)).toEqual({ balance: 10_025, available: 10_025 });
    expect(await floor.audit(trader.id)).toHaveLength(1);
  });

  test('A09: of twenty concurrent edits of one version one is applied, and nineteen receive both versions', async () => {
    const id = await floor.closedAt(trader, '110');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        edit(index % 2 ? admin : manager, id, { realized_pnl: 20 + index, version: 2 }),
      ),
    );
    const received = answers.filter(({ error }) => error === null);
    expect(received).toHaveLength(1);
    const pnl = received[0]!.data![0].realized_pnl as number;
    for (const { error } of answers) {
      if (!error) continue;
      expect(error.code).toBe('changed_meanwhile');
      expect(JSON.parse(error.details)).toMatchObject({
        expected_version: 2,
        current: { id, realized_pnl: pnl, version: 3 },
      });
    }
    expect((await floor.wallet(trader))?.balance).toBe(10_000 + pnl);
    expect(await floor.audit(trader.id)).toHaveLength(1);
  });
});
