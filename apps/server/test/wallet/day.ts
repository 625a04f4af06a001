/**
 * A trading day with every kind of ledger event: orders of all kinds and outcomes, partial closes, triggers, fees,
 * and every staff action. Between its two halves lies `afternoon`.
 */
import { expect } from 'vitest';
import { type EngineSetup, engineConfig, openEngine, type Trader, usdt } from '../trading/database-engine.ts';

/** Later entries are above the checkpoint of `spendDay`. */
export const afternoon = '2026-11-21T14:00:00Z';

export const openEngineWithFees = (): Promise<EngineSetup> =>
  openEngine({ config: { ...engineConfig, tradingFeeRate: usdt('0.0006') } });

/** Every kind of entry, order and end, of one trader; staff come with `staffActions`. BTCUSDT is at 100 before and after. */
export async function trade(desk: EngineSetup, trader: Trader): Promise<void> {
  const { caller } = trader;
  const { procedures, writes } = desk.trading;
  const profitable = await desk.open(trader, { p_take_profit_price: '110' });
  await desk.open(trader, { p_side: 'SELL', p_stop_loss_price: '105' });
  await desk.open(trader, { p_leverage: 3 });
  await procedures.close_position(caller, { p_position_id: profitable.id, p_size: 0.4 });
  const canceled = await desk.placeOrder(trader, { type: 'LIMIT', price: '95' });
  await writes['orders.update'](caller, [canceled.id], { status: 'CANCELED' });
  await desk.placeOrder(trader, { type: 'LIMIT', price: '90' });
  const moved = await desk.placeOrder(trader, { type: 'STOP', side: 'SELL', price: '85' });
  await procedures.amend_order(caller, { p_order_id: moved.id, p_price: 80 });
  const amended = await desk.placeOrder(trader, { type: 'LIMIT', price: '93', leverage: 20 });
  await procedures.amend_order(caller, { p_order_id: amended.id, p_price: 97 });
  await procedures.amend_order(caller, { p_order_id: amended.id, p_price: '99' });
  await desk.placeOrder(trader, { type: 'STOP', price: '104' });
  await desk.placeOrder(trader, { type: 'MARKET' });
  // Far beyond the balance: stored as REJECTED, because it is one of two.
  await writes['orders.insert'](caller, [
    { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', size: '100000', leverage: 1, price: '70' },
    { symbol: 'BTCUSDT', type: 'MARKET', side: 'SELL', size: '1', leverage: 5 },
  ]);
  for (const price of ['99', '104', '106', '111', '100']) {
    desk.tick('BTCUSDT', price);
    await desk.settle();
  }
  // On a symbol with both sides, whose gains pay for it (A111), and on one of its own, which the insurance pays for.
  await desk.open(trader, { p_leverage: 125 });
  desk.tick('BTCUSDT', '98.5');
  await desk.settle();
  desk.tick('BTCUSDT', '100');
  await desk.settle();
  await desk.open(trader, { p_symbol: 'ETHUSDT', p_leverage: 125 });
  desk.tick('ETHUSDT', '49');
  await desk.settle();
  desk.tick('ETHUSDT', '50');
  await desk.settle();
}

/** Every staff action: on one of the trader's positions of each sort, on the trader, and on two others. */
export async function staffActions(desk: EngineSetup, trader: Trader): Promise<void> {
  const { procedures, writes } = desk.trading;
  const admin = await desk.addAdmin();
  const reason = 'a correction';
  const { rows } = await desk.db.query<{ id: string; status: string }>(
    `select distinct on (status) id, status from app.positions
     where user_id = $1 and edited_at is null and coalesce(close_reason, 'manual') = 'manual'
     order by status, created_at desc, id`,
    [trader.userId],
  );
  const idOf = (status: string) => rows.find((row) => row.status === status)?.id ?? '';
  await writes['positions.update'](admin, [idOf('closed')], { realized_pnl: '25', reason });
  await writes['positions.update'](admin, [idOf('open')], { leverage: 2, reason });
  await desk.actions.adjust_wallet_balance(admin, {
    p_user_id: trader.userId,
    p_amount: 50,
    p_reason: reason,
  });
  await desk.actions.adjust_wallet_balance(admin, {
    p_user_id: trader.userId,
    p_amount: -20,
    p_reason: reason,
  });

  const restricted = await desk.addTrader('1000');
  await desk.placeOrder(restricted, { type: 'LIMIT', price: '90' });
  await desk.actions.restrict_user(admin, {
    p_user_id: restricted.userId,
    p_restricted: true,
    p_reason: reason,
  });
  const reset = await desk.addTrader('1000');
  await desk.open(reset);
  await procedures.reset_account(reset.caller, {});
  const leaver = await desk.addTrader('1000');
  await desk.open(leaver);
  await desk.placeOrder(leaver, { type: 'LIMIT', price: '90' });
  await desk.actions.delete_user_with_data(admin, { p_user_id: leaver.userId, p_reason: reason });
}

/** The present statuses and close reasons, of orders and positions. */
export async function happened(desk: EngineSetup): Promise<string[]> {
  const { rows } = await desk.db.query<{ what: string }>(
    `select distinct o.type || ' ' || o.status as what from app.orders o
     union select distinct coalesce(close_reason, 'open') || case when split_from is null then '' else ' part' end
     from app.positions
     union select distinct kind from app.ledger_entries order by 1`,
  );
  return rows.map(({ what }) => what);
}

/** A whole day; `atNoon` is called between its halves. */
export async function spendDay(desk: EngineSetup, atNoon: () => Promise<void>): Promise<Trader> {
  const trader = await desk.addTrader('10000');
  await trade(desk, trader);
  await staffActions(desk, trader);
  await atNoon();
  desk.clock.set(Date.parse(afternoon));
  await trade(desk, trader);
  await staffActions(desk, trader);
  expect(await happened(desk)).toEqual(
    [
      ...[
        'LIMIT CANCELED',
        'LIMIT FILLED',
        'LIMIT NEW',
        'LIMIT REJECTED',
        'MARKET FILLED',
        'STOP FILLED',
        'STOP NEW',
      ],
      ...['open', 'manual', 'manual part', 'liquidation', 'liquidation part', 'take_profit', 'stop_loss'],
      ...['deposit', 'withdrawal', 'close', 'adjustment', 'fee', 'reserve', 'release', 'split'],
    ].sort(),
  );
  return trader;
}
