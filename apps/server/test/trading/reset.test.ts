/** 'Reset account' (A102) and the fee (A07), each on a server of its own setting. */
import { afterEach, describe, expect, test } from 'vitest';
import { done, startTradingServer, type TradingServer } from './trading-server.ts';

let floor: TradingServer;
afterEach(() => floor.close());

describe('reset_account', () => {
  test('A102: cancels, closes, books back to the start balance, and the history stays', async () => {
    // Today's start balance of new accounts is not this account's one.
    floor = await startTradingServer({ allowReset: true, signupBalance: 5_000_00000000n });
    const trader = await floor.addUser('trader');
    const { id } = await floor.open(trader);
    const limit = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 };
    done(await trader.client.from('orders').insert(limit));
    floor.feed.setPrice('BTCUSDT', '107');
    const { data, status } = await floor.call(trader, 'reset_account', {});
    expect(status).toBe(200);
    expect(data).toMatchObject({ user_id: trader.id, balance: 10_000, available_balance: 10_000 });
    expect(await floor.rowsOf('positions', trader)).toMatchObject([
      { id, status: 'closed', close_price: 107, realized_pnl: 7, close_reason: 'manual' },
    ]);
    expect(await floor.rowsOf('orders', trader)).toMatchObject([{ status: 'CANCELED', reserved: 0 }]);
    const lines = await floor.rowsOf<{ type: string; amount: number }>('transactions', trader);
    expect(lines.map(({ type, amount }) => [type, amount]).sort()).toEqual([
      ['deposit', 10_000],
      ['position_closed', 7],
      ['withdrawal', -7],
    ]);
    expect(await floor.audit(trader.id)).toEqual([]);
  });

  test('A102: an account with a loss returns to its start balance; a repeat with the same client id changes nothing', async () => {
    floor = await startTradingServer({ allowReset: true });
    const trader = await floor.addUser('trader');
    await floor.call(floor.admin, 'adjust_wallet_balance', {
      p_user_id: trader.id,
      p_amount: -10_000,
      p_reason: 'Test',
    });
    const first = await floor.call(trader, 'reset_account', { p_client_id: 'again' });
    expect(first.data).toMatchObject({ balance: 10_000 });
    await floor.open(trader);
    expect(await floor.call(trader, 'reset_account', { p_client_id: 'again' })).toEqual(first);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_990 });
  });

  test('A102: refused where the operator does not allow it, and to staff', async () => {
    floor = await startTradingServer({ allowReset: false });
    const trader = await floor.addUser('trader');
    expect(await floor.call(trader, 'reset_account', {})).toMatchObject({
      status: 403,
      message: 'This server does not reset accounts.',
    });
    expect((await floor.call(floor.admin, 'reset_account', {})).status).toBe(403);
    const config = await (await fetch(`${floor.url}/config.json`)).json();
    expect(config).toMatchObject({ allowReset: false, feeRate: 0, contactEmail: null, contactPhone: null });
  });
});

describe('TRADING_FEE_RATE', () => {
  const rate = 60_000n;

  test('A07: charged at the opening and the close, beside a gross PnL, with lines and ledger of their own', async () => {
    floor = await startTradingServer({ tradingFeeRate: rate });
    const trader = await floor.addUser('trader');
    const opened = await floor.open(trader);
    expect(opened).toMatchObject({ margin: 10, fees: 0.06, fee_rate: 0.0006 });
    expect(await floor.wallet(trader)).toEqual({ balance: 9_999.94, available: 9_989.94 });
    floor.feed.setPrice('BTCUSDT', '110');
    const { data } = await floor.call(trader, 'close_position', { p_position_id: opened.id });
    expect(data).toMatchObject({ realized_pnl: 10, fees: 0.126 });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_009.874, available: 10_009.874 });
    const { data: lines } = await trader.client
      .from('transactions')
      .select('amount, description')
      .eq('type', 'fee')
      .order('amount');
    expect(lines).toEqual([
      { amount: -0.066, description: 'Trading fee BTCUSDT' },
      { amount: -0.06, description: 'Trading fee BTCUSDT' },
    ]);
    const { rows } = await floor.db.query(
      `select sum(amount)::float as earned from app.ledger_entries where account = 'house:fees'`,
    );
    expect(rows).toEqual([{ earned: 0.126 }]);
    const config = await (await fetch(`${floor.url}/config.json`)).json();
    expect(config).toMatchObject({ feeRate: 0.0006 });
  });

  test('A07, RULE-02, RULE-38: the opening has to cover the fee; an order reserves it; the liquidation price includes it', async () => {
    floor = await startTradingServer({ tradingFeeRate: rate });
    const trader = await floor.addUser('trader');
    await expect(floor.open(trader, { p_size: 1_000 })).rejects.toMatchObject({
      message: 'Insufficient available balance. Required: 10060.00 USDT, Available: 10000.00 USDT',
    });
    const { data } = await trader.client
      .from('orders')
      .insert({ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 })
      .select();
    expect(data).toMatchObject([{ reserved: 9.054 }]);
    const { data: position } = await trader.client.rpc('open_position', {
      p_symbol: 'BTCUSDT',
      p_side: 'BUY',
      p_size: 1,
      p_leverage: 10,
    });
    // 100 × (1 − 0.095) / (1 − 0.0006), rounded to the tick towards the entry.
    expect(position).toMatchObject({ liquidation_price: 90.56 });
  });
});
