/** A simulated market whose path is another one after a restart, under somebody's money: another seed, or another recipe. */
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer } from '../support/index.ts';

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

test('another seed moves no price that money hangs on, then or at later starts; others begin its path', async () => {
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
  expect(Math.abs((await priceOf('ETHUSDT')) / before.eth - 1)).toBeGreaterThan(0.02);
  expect(await rows('select distinct status from app.positions')).toEqual([{ status: 'open' }]);

  // The factor stays as long as the path does.
  const scales = await rows('select symbol, scale from app.simulated_scales order by symbol');
  expect(scales.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'EUR/USD']);
  const second = await priceOf('BTCUSDT');
  await server.restart(seeded('second'));
  expect((await priceOf('BTCUSDT')) / second).toBeCloseTo(1, 2);
  expect(await rows('select symbol, scale from app.simulated_scales order by symbol')).toEqual(scales);
});

test('a factor of a path that is gone is forgotten once nobody holds the symbol', async () => {
  const { server, trader, open, priceOf, rows } = await startSimulated();
  const { data } = await open('BTCUSDT', 0.1);
  await priceOf('BTCUSDT');
  await server.restart(seeded('second'));
  await priceOf('BTCUSDT');
  const closed = await trader.client.rpc('close_position', { p_position_id: data.id });
  expect(closed.error).toBeNull();
  await server.restart(seeded('third'));
  await priceOf('BTCUSDT');
  expect(await rows('select symbol, scale from app.simulated_scales')).toEqual([
    { symbol: 'BTCUSDT', scale: 1 },
  ]);
});
