/**
 * A112: random trading of an account with own limits against the real engine. An auditor that knows neither the domain nor the engine's memory
 * predicts each refusal from the stored rows, the price and its own reading of the limits. `OWN_LIMITS_SEED` repeats a run.
 */
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createRandom } from '../long/trading-stream.ts';
import { floor, shareTradingServer } from '../trading/trading-server.ts';

const seed = Number(process.env.OWN_LIMITS_SEED ?? 20261129);
const steps = 220;

shareTradingServer();

interface Limits {
  readonly loss: number | null;
  readonly trades: number | null;
  readonly minutes: number | null;
}
const least = (one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : Math.min(one, other);

test(`whatever is traded and set, the engine refuses exactly what is beyond a limit by the rows (OWN_LIMITS_SEED=${seed})`, async () => {
  const next = createRandom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const trader = await floor.addUser('trader');
  let price = 100;
  const setPrice = (to: number) => {
    price = to;
    floor.feed.setPrice('BTCUSDT', `${to}`);
  };
  const advance = async (ms: number) => {
    floor.clock.advance(ms);
    setPrice(price);
    // No session outlives an hour.
    for (const { client } of [trader, floor.admin]) await client.auth.refreshSession();
  };
  await advance(minuteMs);

  // The auditor's own state: what holds, what waits, and the balance at the start of the day.
  let inForce: Limits = { loss: null, trades: null, minutes: null };
  let waits: Limits | null = null;
  let firstEquity = 10_000;
  let dayStart = floor.clock.now() - (floor.clock.now() % dayMs);
  let paid = 0;

  const rowsOf = async () => {
    const { rows } = await floor.db.query<{
      open: { side: string; entry: number; size: number; margin: number }[] | null;
      balance: number;
      opened: number;
      lost: number | null;
    }>(
      `select (select json_agg(json_build_object('side', side, 'entry', entry_price, 'size', size, 'margin', margin))
                 from app.positions where user_id = $1 and status = 'open') as open,
              (select balance::float8 from app.wallets where user_id = $1) as balance,
              (select count(*)::int from app.positions where user_id = $1 and split_from is null
                 and created_at >= $2) as opened,
              (select (extract(epoch from max(closed_at)) * 1000)::float8 from app.positions
                 where user_id = $1 and status = 'closed' and realized_pnl < 0) as lost`,
      [trader.id, new Date(dayStart)],
    );
    return rows[0]!;
  };
  const predict = async (): Promise<boolean> => {
    const { open, balance, opened, lost } = await rowsOf();
    const results = (open ?? []).map(({ side, entry, size, margin }) =>
      Math.max((side === 'BUY' ? price - entry : entry - price) * size, -margin),
    );
    const equity = results.reduce((sum, one) => sum + one, balance);
    const loss = Math.round((firstEquity + paid - equity) * 1e8) / 1e8;
    const isCooling =
      inForce.minutes !== null && lost !== null && floor.clock.now() < lost + inForce.minutes * minuteMs;
    return (
      isCooling ||
      (inForce.trades !== null && opened >= inForce.trades) ||
      (inForce.loss !== null && loss > 0 && loss >= inForce.loss)
    );
  };
  const openIds = async () =>
    (await floor.rowsOf<{ id: string; status: string }>('positions', trader))
      .filter(({ status }) => status === 'open')
      .map(({ id }) => id);
  const close = (id: string) => floor.call(trader, 'close_position', { p_position_id: id });
  const counts = { opened: 0, refused: 0, closed: 0 };

  for (let step = 0; step < steps; step += 1) {
    switch (pick(['open', 'open', 'open', 'close', 'price', 'price', 'time', 'set', 'pay', 'day'])) {
      case 'open': {
        const isRefused = await predict();
        const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 2 };
        const { code } = await floor.call(trader, 'open_position', order);
        expect(code, `step ${step}`).toBe(isRefused ? 'own_limit_reached' : undefined);
        counts[isRefused ? 'refused' : 'opened'] += 1;
        break;
      }
      case 'close': {
        const ids = await openIds();
        if (ids.length === 0) break;
        expect((await close(pick(ids))).code, `step ${step}`).toBeUndefined();
        counts.closed += 1;
        break;
      }
      case 'price':
        setPrice(90 + below(21));
        break;
      case 'time':
        await advance(below(20) * minuteMs);
        break;
      case 'set': {
        const wish: Limits = {
          loss: pick([null, 5, 15, 40]),
          trades: pick([null, 3, 6]),
          minutes: pick([null, 5, 30]),
        };
        await trader.client
          .rpc('set_own_limits', {
            ...{ p_daily_loss: wish.loss, p_trades_max: wish.trades, p_cool_down_minutes: wish.minutes },
          })
          .throwOnError();
        inForce = {
          loss: least(inForce.loss, wish.loss),
          trades: least(inForce.trades, wish.trades),
          minutes: Math.max(inForce.minutes ?? 0, wish.minutes ?? 0) || null,
        };
        waits = wish;
        break;
      }
      case 'pay': {
        await advance(1_000);
        const line = { user_id: trader.id, type: 'deposit', amount: 10, description: 'An audit' };
        await floor.admin.client.from('transactions').insert(line).throwOnError();
        paid += 10;
        break;
      }
      case 'day': {
        if (below(3) > 0) break;
        await advance(1_000);
        for (const id of await openIds()) await close(id);
        dayStart += dayMs;
        await advance(dayStart - floor.clock.now() + hourMs);
        firstEquity = (await rowsOf()).balance;
        paid = 0;
        if (waits !== null) inForce = waits;
        waits = null;
      }
    }
  }
  expect(counts.refused, JSON.stringify(counts)).toBeGreaterThan(10);
  expect(counts.opened).toBeGreaterThan(10);
  expect(counts.closed).toBeGreaterThan(5);
});
