/**
 * Random days of trading through the engine: orders on both sides under both rule sets, partial closes, stops,
 * liquidations, fees, payments, a reset, staff corrections, hours with and without snapshots. The analytics have to equal
 * sums over the ledger and the positions.
 */
import { AppError, type SignedIn } from '@fulcrum/contract';
import { asPrice, dayMs, hourMs, minuteMs, parseDecimal } from '@fulcrum/domain';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createAnalytics } from '../../src/features/analytics/index.ts';
import { snapshotEquity } from '../../src/features/trading/equity.ts';
import { type Chance, createChance } from '../simulation/random.ts';
import { desk, engineConfig, shareEngine, type Trader, usdt } from '../trading/database-engine.ts';
import { readEquityFromLedger, readLedger } from './audited.ts';

/** Tomorrow: wallets are made on PostgreSQL's clock. */
const first = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
const iso = (at: number) => new Date(at).toISOString();
const symbols = ['BTCUSDT', 'ETHUSDT', 'DUSTUSDT'] as const;
const zones = ['UTC', 'America/New_York', 'Australia/Lord_Howe'] as const;
const config = { ...engineConfig, tradingFeeRate: usdt('0.0006') };

let admin: SignedIn;
let trader: Trader;
const marks: Record<string, string> = { BTCUSDT: '100', ETHUSDT: '50', DUSTUSDT: '0.00002' };
shareEngine({ config });
beforeAll(async () => {
  desk.clock.set(first);
  for (const [symbol, price] of Object.entries(marks)) desk.setPrice(symbol, price);
  admin = await desk.addAdmin();
});

type Done = Record<string, number>;

/** One thing that somebody does; one that is refused counts as done by nobody. */
async function runAction(chance: Chance, done: Done): Promise<void> {
  const { procedures, writes } = desk.trading;
  const positions = async (status: 'open' | 'closed') =>
    (
      await desk.db.query<{ id: string; size: string; margin: string; realized_pnl: string | null }>(
        'select id, size, margin, realized_pnl from app.positions where user_id = $1 and status = $2 order by created_at, id',
        [trader.userId, status],
      )
    ).rows;
  const symbol = chance.pick(symbols);
  const kind = chance.weighted({ open: 34, close: 22, part: 12, move: 22, pay: 8, correct: 6, reset: 1 });
  const actions = {
    open: async () => {
      const [side, mark] = [chance.pick(['BUY', 'SELL'] as const), Number(marks[symbol])];
      const stop = mark * (side === 'BUY' ? 1 - 0.03 * chance.fraction() : 1 + 0.03 * chance.fraction());
      await desk.open(trader, {
        p_symbol: symbol,
        p_side: side,
        p_size: symbol === 'DUSTUSDT' ? 1_000 + chance.below(90_000) : (1 + chance.below(3_000)) / 1_000,
        p_leverage: chance.pick([1, 3, 10, 40, 125]),
        ...(chance.happens(0.5) && symbol !== 'DUSTUSDT' && { p_stop_loss_price: stop.toFixed(2) }),
      });
    },
    close: async () => {
      const open = await positions('open');
      if (open.length > 0) await desk.close(trader, chance.pick(open).id);
    },
    part: async () => {
      const open = await positions('open');
      if (open.length === 0) return;
      const { id, size } = chance.pick(open);
      const part = Math.floor(Number(size) * 1_000 * chance.fraction()) / 1_000;
      await procedures.close_position(trader.caller, { p_position_id: id, p_size: part });
    },
    move: async () => {
      const factor = 1 + (chance.fraction() - 0.5) * (chance.happens(0.1) ? 0.3 : 0.03);
      const price = (Number(marks[symbol]) * factor).toFixed(symbol === 'DUSTUSDT' ? 8 : 2);
      marks[symbol] = price;
      desk.tick(symbol, price);
      await desk.settle();
    },
    pay: async () => {
      const amount = Number(((chance.fraction() - 0.4) * 900).toFixed(2));
      await desk.actions.adjust_wallet_balance(admin, {
        p_user_id: trader.userId,
        p_amount: amount,
        p_reason: 'Bank wire',
      });
    },
    correct: async () => {
      const closed = await positions('closed');
      if (closed.length === 0) return;
      const { id, margin } = chance.pick(closed);
      const realized_pnl = ((chance.fraction() - 0.5) * 2 * Number(margin)).toFixed(8);
      const times = chance.happens(0.3) ? { closed_at: iso(desk.clock.now() - chance.below(minuteMs)) } : {};
      await writes['positions.update'](admin, [id], { realized_pnl, ...times, reason: 'A correction' });
    },
    reset: async () => void (await procedures.reset_account(trader.caller, {})),
  };
  const refusal: unknown = await actions[kind]().then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal !== null && !(refusal instanceof AppError)) throw refusal;
  const outcome = refusal === null ? kind : 'refused';
  done[outcome] = (done[outcome] ?? 0) + 1;
}

const verify = (now: number) =>
  snapshotEquity(desk.db, {
    now,
    marketAt: () => ({
      quote: (symbol) => ({
        price: asPrice(parseDecimal(marks[symbol]!)),
        stale: false,
        held: false,
        marketOpen: true,
      }),
    }),
  });

const steps = 120;
const seeds = [7];
afterEach(() => desk.trading.procedures.reset_account(trader.caller, {}));
test.each(seeds)(
  'A01 A09 A23 A102 A108: days of anything, seed %i: every figure is what the ledger and the positions sum up to',
  async (seed) => {
    const chance = createChance(seed);
    const done: Done = {};
    desk.clock.set(Math.max(desk.clock.now(), first) + hourMs);
    trader = await desk.addTrader('5000');
    const began = desk.clock.now();
    await desk.restart({ config: { ...config, rules: 'as-specified' } });
    for (let step = 0; step < steps; step += 1) {
      if (step === steps / 2) {
        // Positions of one rule set have to be closed before the other one is used.
        await desk.trading.procedures.reset_account(trader.caller, {});
        await desk.restart({ config: { ...config, rules: 'standard' } });
      }
      const before = Math.floor(desk.clock.now() / hourMs);
      desk.clock.set(desk.clock.now() + 1_000 + chance.below(2 * hourMs));
      const passed = Math.floor(desk.clock.now() / hourMs);
      // Some hours are missed.
      if (passed > before && chance.happens(0.6)) await verify(desk.clock.now());
      desk.clock.set(desk.clock.now() + 1_000);
      await runAction(chance, done);
    }
    desk.clock.set(desk.clock.now() + 3 * minuteMs);
    const { procedures } = createAnalytics({ reader: desk.db, market: desk.market, timers: desk.clock });
    const now = desk.clock.now();
    const { rows } = await desk.db.query<{ closed_at: Date; close_reason: string; rules: string }>(
      `select closed_at, close_reason, rules from app.positions where user_id = $1 and status = 'closed' order by closed_at`,
      [trader.userId],
    );
    // The history is worth auditing.
    expect(rows.length).toBeGreaterThan(25);
    expect(new Set(rows.map(({ close_reason }) => close_reason)).size).toBeGreaterThan(1);
    expect(new Set(rows.map(({ rules }) => rules)).size).toBe(2);
    expect(done.part! > 1 && done.pay! > 1 && done.correct! > 0).toBe(true);

    const cut = () => began + chance.below(now - began);
    const exactly = () => chance.pick(rows).closed_at.getTime();
    const ranges = [
      { from: null, to: null },
      { from: cut(), to: null },
      { from: null, to: exactly() },
      { from: exactly(), to: now },
      { from: cut(), to: cut() },
      { from: now + 1, to: null },
    ];
    for (const [index, { from, to }] of ranges.entries()) {
      const zone = zones[index % zones.length]!;
      const reported = await procedures.get_performance(trader.caller, {
        p_from: from === null ? null : iso(from),
        p_to: to === null ? null : iso(to),
        p_time_zone: zone,
      });
      const { best, worst, average_r, average_holding_s, ...ledger } = await readLedger(desk.db, {
        userId: trader.userId,
        from,
        to,
        zone,
      });
      expect(reported).toMatchObject(ledger);
      expect([reported.best?.net_pnl ?? null, reported.worst?.net_pnl ?? null]).toEqual([best, worst]);
      for (const [figure, of] of [
        [reported.average_r, average_r],
        [reported.average_holding_s, average_holding_s],
      ] as const) {
        if (of === null) expect(figure).toBeNull();
        else expect(figure).toBeCloseTo(of, 7);
      }
    }

    const never = await procedures.get_performance(trader.caller, { p_from: iso(now + dayMs) });
    expect(never).toMatchObject({ trades: 0, curve: [], max_drawdown: null });

    const reported = await procedures.get_performance(trader.caller, {});
    const seen = await readEquityFromLedger(desk.db, trader.userId, now, marks);
    expect(reported.curve.at(-1)).toMatchObject({ at: iso(now), equity: seen.equity, result: seen.result });
    expect(reported.max_drawdown?.amount).toBe(seen.deepest);
    expect(reported.curve[0]).toMatchObject({ equity: 5000, result: 0, drawdown: 0 });
    for (const { drawdown } of reported.curve) expect(drawdown <= 0 && drawdown >= -100).toBe(true);
    expect(Math.max(...reported.curve.map(({ drawdown }) => -drawdown))).toBe(reported.max_drawdown?.percent);

    const overview = await procedures.get_equity_overview(trader.caller);
    expect(overview.day).toMatchObject({ equity: seen.day_equity, net_deposits: seen.day_paid });
    expect(overview.curve.at(-1)).toMatchObject({ at: iso(now), equity: seen.equity });
    expect(await desk.invariants()).toMatchObject({ ok: true });
  },
  60_000,
);
