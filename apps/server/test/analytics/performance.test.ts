/** The performance of two days of trading, with every figure computed by hand. */
import type { Performance } from '@fulcrum/contract';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAnalytics } from '../../src/features/analytics/index.ts';
import {
  desk,
  type EngineSetup,
  engineConfig,
  openEngine,
  shareEngine,
  type Trader,
  usdt,
} from '../trading/database-engine.ts';

/** Tomorrow: wallets are made on PostgreSQL's clock, and have to be older than what is traded on this one. */
const first = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
const second = first + dayMs;
const iso = (at: number) => new Date(at).toISOString();

const analyticsOf = ({ db, market, clock }: EngineSetup) =>
  createAnalytics({ reader: db, market, timers: clock }).procedures;
const performanceOf = (desk: EngineSetup, trader: Trader, args: Record<string, unknown> = {}) =>
  analyticsOf(desk).get_performance(trader.caller, args);
/** To the last of the eight decimals that the books have. */
const close = (figure: number) => expect.closeTo(figure, 8) as number;

let trader: Trader;
shareEngine({ config: { ...engineConfig, tradingFeeRate: usdt('0.0006') } });
beforeEach(async () => {
  desk.clock.set(first);
  desk.setPrice('BTCUSDT', '100');
  desk.setPrice('ETHUSDT', '50');
  trader = await desk.addTrader('1000');
});

const closePart = (id: string, size: number) =>
  desk.trading.procedures.close_position(trader.caller, { p_position_id: id, p_size: size });

/** A win with a stop loss, a loss in two parts around a deposit, a liquidation, and a trade that staff made break even. */
async function tradeForTwoDays(): Promise<void> {
  const admin = await desk.addAdmin();
  const { writes } = desk.trading;
  desk.clock.set(first + 10 * hourMs);
  const won = await desk.open(trader, { p_stop_loss_price: '95' });
  desk.clock.set(first + 11 * hourMs);
  desk.setPrice('BTCUSDT', '110');
  await desk.close(trader, won.id);
  const lost = await desk.open(trader, { p_symbol: 'ETHUSDT', p_side: 'SELL', p_size: 10, p_leverage: 5 });
  desk.clock.set(first + 11.5 * hourMs);
  desk.setPrice('ETHUSDT', '55');
  await closePart(lost.id, 4);
  desk.clock.set(first + 12 * hourMs);
  await desk.actions.adjust_wallet_balance(admin, {
    p_user_id: trader.userId,
    p_amount: 500,
    p_reason: 'A deposit',
  });
  desk.clock.set(second + hourMs);
  desk.setPrice('ETHUSDT', '52');
  await desk.close(trader, lost.id);
  desk.clock.set(second + 1.5 * hourMs);
  await desk.open(trader, { p_leverage: 125 });
  desk.clock.set(second + 2 * hourMs);
  desk.tick('BTCUSDT', '100');
  await desk.settle();
  const even = await desk.open(trader);
  desk.clock.set(second + 2 * hourMs + 10 * minuteMs);
  desk.setPrice('BTCUSDT', '100.12');
  await desk.close(trader, even.id);
  desk.clock.set(second + 3 * hourMs);
  await writes['positions.update'](admin, [even.id], { realized_pnl: '0.120072', reason: 'A correction' });
}

describe('two days', () => {
  let reported: Performance;
  beforeEach(async () => {
    await tradeForTwoDays();
    reported = await performanceOf(desk, trader);
  });

  test('trades and ratios after fees', () => {
    /*
     * won       +10           fees 0.06 + 0.066             +9.874      60 min   risk 5
     * part      4 x -5        fee 4 x 55 x 0.0006          -20.132      30 min
     * rest      6 x -2        fees 0.3 + 0.1872            -12.4872    840 min
     * liquidated, its margin of 0.88, fee 0.066             -0.946      30 min
     * even      +0.120072     fees 0.06 + 0.060072           0          10 min
     */
    expect(reported).toMatchObject({
      from: null,
      to: null,
      time_zone: 'UTC',
      truncated: false,
      trades: 5,
      wins: 1,
      losses: 3,
      break_even: 1,
      gross_pnl: close(-22.759928),
      fees: close(0.931272),
      net_pnl: close(-23.6912),
      win_rate: 20,
      gross_profit: close(9.874),
      gross_loss: close(33.5652),
      profit_factor: close(9.874 / 33.5652),
      expectancy: close(-4.73824),
      average_win: close(9.874),
      average_loss: close(-11.1884),
      average_r: close(1.9748),
      r_trades: 1,
      average_holding_s: 194 * 60,
      median_holding_s: 30 * 60,
      best: { symbol: 'BTCUSDT', net_pnl: close(9.874), closed_at: iso(first + 11 * hourMs) },
      worst: { symbol: 'ETHUSDT', net_pnl: close(-20.132), closed_at: iso(first + 11.5 * hourMs) },
    });
  });

  test('by symbol, side, day and hour', () => {
    // Sold: both parts of ETHUSDT. Bought: 9.874 - 0.946 + 0.
    expect(reported.by_side).toEqual([
      { side: 'BUY', trades: 3, wins: 1, win_rate: close(100 / 3), net_pnl: close(8.928) },
      { side: 'SELL', trades: 2, wins: 0, win_rate: 0, net_pnl: close(-32.6192) },
    ]);
    expect(reported.by_symbol).toEqual([
      { symbol: 'ETHUSDT', trades: 2, wins: 0, net_pnl: close(-32.6192) },
      { symbol: 'BTCUSDT', trades: 3, wins: 1, net_pnl: close(8.928) },
    ]);
    expect(reported.others).toBeNull();
    expect(reported.by_day).toEqual([
      { day: iso(first).slice(0, 10), trades: 2, net_pnl: close(-10.258) },
      { day: iso(second).slice(0, 10), trades: 3, net_pnl: close(-13.4332) },
    ]);
    expect(reported.by_hour.map(({ hour: at }) => at)).toEqual(Array.from({ length: 24 }, (_, at) => at));
    expect(reported.by_hour.filter(({ trades }) => trades > 0)).toEqual([
      { hour: 1, trades: 1, net_pnl: close(-12.4872) },
      { hour: 2, trades: 2, net_pnl: close(-0.946) },
      { hour: 11, trades: 2, net_pnl: close(-10.258) },
    ]);
  });

  test('the day and the hour are those of the requested time zone', async () => {
    const { by_day, by_hour, time_zone } = await performanceOf(desk, trader, { p_time_zone: 'Asia/Kolkata' });
    expect(time_zone).toBe('Asia/Kolkata');
    expect(by_day.map(({ trades }) => trades)).toEqual([2, 3]);
    // 11:00, 11:30 and 01:00, 02:00, 02:10 UTC, five and a half hours later.
    expect(by_hour.filter(({ trades }) => trades > 0).map(({ hour: at }) => at)).toEqual([6, 7, 16, 17]);
  });

  test('A108: the curve, point by point; a deposit neither helps nor hides', () => {
    const [paidIn, ...points] = reported.curve;
    expect(paidIn).toMatchObject({ equity: 1000, result: 0, drawdown: 0 });
    // 959.442 of 1009.874 are left after the part was closed, with the rest 30 below.
    const left = 959.442 / 1009.874;
    const below = (share: number) => close(-100 * (1 - share));
    expect(points).toEqual([
      { at: iso(first + 11 * hourMs), equity: close(1009.874), result: close(9.874), drawdown: 0 },
      {
        at: iso(first + 11.5 * hourMs),
        equity: close(959.442),
        result: close(-40.558),
        drawdown: below(left),
      },
      {
        at: iso(first + 12 * hourMs),
        equity: close(1459.442),
        result: close(-40.558),
        drawdown: below(left),
      },
      {
        at: iso(second + hourMs),
        equity: close(1477.2548),
        result: close(-22.7452),
        drawdown: below((left * 1477.2548) / 1459.442),
      },
      {
        at: iso(second + 2 * hourMs),
        equity: close(1476.3088),
        result: close(-23.6912),
        drawdown: below((left * 1476.3088) / 1459.442),
      },
      {
        at: iso(second + 2 * hourMs + 10 * minuteMs),
        equity: close(1476.308728),
        result: close(-23.691272),
        drawdown: below((left * 1476.308728) / 1459.442),
      },
      // The correction, at the present instant.
      {
        at: iso(second + 3 * hourMs),
        equity: close(1476.3088),
        result: close(-23.6912),
        drawdown: below((left * 1476.3088) / 1459.442),
      },
      {
        at: iso(second + 3 * hourMs),
        equity: close(1476.3088),
        result: close(-23.6912),
        drawdown: below((left * 1476.3088) / 1459.442),
      },
    ]);
    expect(reported.max_drawdown).toEqual({
      amount: close(50.432),
      percent: close(100 * (1 - left)),
      from: iso(first + 11 * hourMs),
      to: iso(first + 11.5 * hourMs),
    });
  });

  test('the net result equals the ledger entries to the trader and from the counterparty', async () => {
    const { rows } = await desk.db.query<{ trader: number; counterparty: number }>(
      `with groups as (select group_id from app.ledger_entries where user_id = $1 and kind in ('close', 'fee', 'adjustment'))
       select sum(amount) filter (where user_id is not null)::float8 as trader,
              -sum(amount) filter (where account in ('house:pnl', 'house:fees', 'insurance'))::float8 as counterparty
       from app.ledger_entries where group_id in (select group_id from groups)`,
      [trader.userId],
    );
    expect(rows).toEqual([{ trader: reported.net_pnl, counterparty: reported.net_pnl }]);
    expect(reported.curve.at(-1)?.result).toBe(reported.net_pnl);
    expect(await desk.invariants()).toMatchObject({ ok: true });
  });

  test('a range has the trades that were closed in it, and begins at a result of zero', async () => {
    const today = await performanceOf(desk, trader, { p_from: iso(second) });
    expect(today).toMatchObject({ from: iso(second), trades: 3, net_pnl: close(-13.4332) });
    expect(today.curve[0]).toEqual({ at: iso(second), equity: close(1459.442), result: 0, drawdown: 0 });
    // What was open at its beginning was worth 30 less than it cost.
    expect(today.curve.at(-1)).toMatchObject({ equity: close(1476.3088), result: close(16.8668) });

    const yesterday = await performanceOf(desk, trader, { p_from: iso(first), p_to: iso(second) });
    expect(yesterday).toMatchObject({ to: iso(second), trades: 2, net_pnl: close(-10.258) });
    // It ended as it was last seen.
    expect(yesterday.curve.at(-1)).toMatchObject({ at: iso(second), equity: close(1459.442) });
  });

  test('the first instant of a range is in it, the last one is not', async () => {
    const at = iso(first + 11 * hourMs);
    expect(await performanceOf(desk, trader, { p_from: at, p_to: iso(second) })).toMatchObject({ trades: 2 });
    expect(await performanceOf(desk, trader, { p_from: iso(first), p_to: at })).toMatchObject({ trades: 0 });
  });

  test('A78: from after to yields none', async () => {
    const none = await performanceOf(desk, trader, { p_from: iso(second), p_to: iso(first) });
    expect(none).toMatchObject({ trades: 0, net_pnl: 0, win_rate: null, curve: [], max_drawdown: null });
  });

  test('no other user sees any of it', async () => {
    expect(await performanceOf(desk, await desk.addTrader('10'))).toMatchObject({ trades: 0, by_symbol: [] });
  });
});

test('zero trades: sums of zero, nulls where a trade is needed, the equity unchanged', async () => {
  desk.clock.set(second);
  const reported = await performanceOf(desk, trader);
  expect(reported).toMatchObject({
    trades: 0,
    net_pnl: 0,
    fees: 0,
    win_rate: null,
    profit_factor: null,
    expectancy: null,
    average_r: null,
    average_holding_s: null,
    median_holding_s: null,
    best: null,
    worst: null,
    max_drawdown: null,
    by_symbol: [],
    by_day: [],
  });
  expect(reported.by_hour).toHaveLength(24);
  expect(reported.curve.map(({ equity, result }) => [equity, result])).toEqual([
    [1000, 0],
    [1000, 0],
  ]);
});

test('an account that was never paid into has no curve', async () => {
  const penniless = await desk.addTrader('0');
  expect(await performanceOf(desk, penniless)).toMatchObject({ trades: 0, curve: [] });
});

test('A108: what is open counts in the curve at its present mark, and as no trade', async () => {
  desk.clock.set(second);
  await desk.open(trader);
  desk.setPrice('BTCUSDT', '103');
  const reported = await performanceOf(desk, trader);
  expect(reported).toMatchObject({ trades: 0, net_pnl: 0 });
  expect(reported.curve.at(-1)).toMatchObject({ equity: close(1002.94), result: close(2.94) });
});

test('A102: an account reset is a payment, so the loss before it stays', async () => {
  desk.clock.set(second);
  await desk.open(trader);
  desk.setPrice('BTCUSDT', '95');
  await desk.trading.procedures.reset_account(trader.caller, {});
  const reported = await performanceOf(desk, trader);
  // -5, fees 0.06 and 0.057.
  expect(reported).toMatchObject({ trades: 1, net_pnl: close(-5.117) });
  expect(reported.curve.at(-1)).toMatchObject({ equity: 1000, result: close(-5.117) });
  expect(reported.max_drawdown).toMatchObject({ amount: close(5.117), percent: close(0.5117) });
});

test('an unknown time zone is refused by name', async () => {
  await expect(performanceOf(desk, trader, { p_time_zone: 'Nowhere/Land' })).rejects.toMatchObject({
    code: 'invalid_argument',
    message: 'Invalid argument p_time_zone: not a time zone',
  });
});

test('a symbol beyond the fiftieth is summed up, and of more trades than are looked at the latest are', async () => {
  const many = 50_001;
  await desk.db.query(
    `insert into app.trading_pairs (symbol, name, type, base_asset, quote_asset, min_price, max_price, tick_size, min_qty,
                                    max_qty, step_size, trading_hours, sort_order)
     select 'X' || n, 'X' || n, 'crypto', 'X', 'USDT', 0.01, 1000, 0.01, 0.001, 1000, 0.001, 'UTC|Mon-Sun 00:00-24:00', 0
     from generate_series(1, 60) n on conflict (symbol) do nothing`,
  );
  // The oldest is the only one that lost; the larger its number, the more a symbol earned.
  await desk.db.query(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
                                close_price, realized_pnl, close_reason, rules, account_version, created_at, closed_at)
     select gen_random_uuid(), $1, 'X' || 1 + n % 60, 'BUY', 100, 1, 10, 1000, 90.5, 'closed', 101,
            case n when 0 then -1 else 1 + n % 60 end, 'manual', 'standard', n, $2::timestamptz - interval '1 hour',
            $2::timestamptz + n * interval '1 second'
     from generate_series(0, $3::integer - 1) n`,
    [trader.userId, new Date(first), many],
  );
  const reported = await performanceOf(desk, trader);
  expect(reported).toMatchObject({ truncated: true, trades: many - 1, wins: many - 1, losses: 0 });
  expect(reported.by_symbol).toHaveLength(50);
  expect(reported.by_symbol[0]?.symbol).toBe('X60');
  expect(reported.others?.symbols).toBe(10);
  const sum = reported.by_symbol.reduce((all, { net_pnl }) => all + net_pnl, reported.others?.net_pnl ?? 0);
  expect(sum).toBe(reported.net_pnl);
});

test('of more snapshots than are looked at the curve begins with the last one that is not', async () => {
  const many = 100_001;
  // The wallet's own snapshot of 1000 is one more; then 2000 all along, and 1800 at last.
  await desk.db.query(
    `insert into app.equity_snapshots (user_id, at, balance, equity)
     select $1, $2::timestamptz + n * interval '1 second', 1000, case when n < $3::integer - 1 then 2000 else 1800 end
     from generate_series(0, $3::integer - 1) n`,
    [trader.userId, new Date(second), many],
  );
  const end = second + many * 1_000;
  desk.clock.set(end);
  const reported = await performanceOf(desk, trader);
  expect(reported).toMatchObject({ truncated: true, trades: 0, max_drawdown: { amount: 1000, percent: 50 } });
  expect(reported.curve[0]).toMatchObject({ at: iso(second + 1), equity: 2000, result: 0 });
  expect(reported.curve.at(-1)).toMatchObject({ at: iso(end), equity: 1000, result: -1000 });

  const minuteOnly = await performanceOf(desk, trader, { p_from: iso(end - minuteMs), p_to: iso(end) });
  expect(minuteOnly).toMatchObject({ truncated: false, max_drawdown: { amount: 200, percent: 10 } });
});

describe('as-specified', () => {
  test('A01, A108: R has the leverage on both sides', async () => {
    const other = await openEngine({ config: { ...engineConfig, rules: 'as-specified' } });
    try {
      other.clock.set(first);
      const leveraged = await other.addTrader('1000');
      const position = await other.open(leveraged, { p_stop_loss_price: '99.5' });
      other.setPrice('BTCUSDT', '101');
      await other.close(leveraged, position.id);
      // Won 1 x 10, risked 0.5 x 10.
      expect(await performanceOf(other, leveraged)).toMatchObject({ net_pnl: 10, average_r: 2, r_trades: 1 });
    } finally {
      await other.dispose();
    }
  });
});
