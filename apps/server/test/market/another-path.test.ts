/** A simulated market whose path differs after a restart: another seed, or another recipe (A109). */
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { startTestServer } from '../harness/index.ts';

const seeded = (seed: string) => ({ priceFeed: { kind: 'simulated', seed } as const });

async function startSimulated() {
  const server = await startTestServer({ feed: null, config: seeded('first') });
  onTestFinished(() => server.close());
  const trader = await server.signUpTrader({ balance: 100_000 });
  const open = (symbol: string, size: number) =>
    trader.client.rpc('open_position', {
      ...{ p_user_id: trader.userId, p_symbol: symbol, p_side: 'BUY', p_size: size, p_leverage: 5 },
      ...{ p_entry_price: Number(server.server.market.price(symbol)?.price) / 1e8, p_required_margin: 1 },
    });
  /** Once the market has spoken after a start; the price of before is held until then. */
  const priceOf = async (symbol: string) => {
    const { lastTickAt } = server.server.market.state();
    await eventually(() => expect(server.server.market.state().lastTickAt).not.toBe(lastTickAt));
    return Number(server.server.market.price(symbol)?.price) / 1e8;
  };
  const rows = async (text: string) => (await server.db.query(text)).rows;
  return { server, trader, open, priceOf, rows };
}

test('A109: another seed moves no price, then or at later starts', async () => {
  const { server, open, priceOf, rows } = await startSimulated();
  expect((await open('BTCUSDT', 0.1)).error).toBeNull();
  expect((await open('EUR/USD', 1_000)).error).toBeNull();
  const before = {
    btc: await priceOf('BTCUSDT'),
    eur: await priceOf('EUR/USD'),
    eth: await priceOf('ETHUSDT'),
  };

  await server.restart(seeded('second'));
  expect((await priceOf('BTCUSDT')) / before.btc).toBeCloseTo(1, 2);
  expect((await priceOf('EUR/USD')) / before.eur).toBeCloseTo(1, 3);
  expect((await priceOf('ETHUSDT')) / before.eth).toBeCloseTo(1, 2);
  expect(await rows('select distinct status from app.positions')).toEqual([{ status: 'open' }]);

  // The factor stays as long as the path does.
  const scales = await rows('select path, symbol, scale from app.simulated_scales order by path, symbol');
  expect(scales.filter(({ path }) => path === 2)).toHaveLength(server.server.market.pairs().length);
  const second = await priceOf('BTCUSDT');
  await server.restart(seeded('second'));
  expect((await priceOf('BTCUSDT')) / second).toBeCloseTo(1, 2);
  expect(await rows('select path, symbol, scale from app.simulated_scales order by path, symbol')).toEqual(
    scales,
  );
});

test('A109: each market in force has its row, and a seed that comes back goes on from the last price too', async () => {
  const { server, priceOf, rows } = await startSimulated();
  const prices = [await priceOf('BTCUSDT')];
  for (const seed of ['second', 'first']) {
    await server.restart(seeded(seed));
    prices.push(await priceOf('BTCUSDT'));
  }
  for (const price of prices) expect(price / prices[0]!).toBeCloseTo(1, 2);
  const paths = await rows(
    'select number, engine, seed, since is null as first from app.simulated_paths order by 1',
  );
  expect(paths).toEqual([
    { number: 1, engine: 3, seed: 'first', first: true },
    { number: 2, engine: 3, seed: 'second', first: false },
    { number: 3, engine: 3, seed: 'first', first: false },
  ]);
});
