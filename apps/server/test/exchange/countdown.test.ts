/** The dead-man switch: over a restart, and unless it is renewed. */
import { beforeAll, expect, test, vi } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { eventually } from '../harness/eventually.ts';
import { type Bot, door, shareDoor } from './door.ts';

let bot: Bot;
const clock = createManualClock(Date.now());
shareDoor({ clock });
beforeAll(async () => {
  bot = await door.join();
  door.feed.setPrice('BTCUSDT', '64000');
  door.feed.setPrice('ETHUSDT', '3000');
});

const addLimit = (symbol: string, price: string) =>
  bot.post('v1/order', { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.1', price, timeInForce: 'GTC' });
const countdown = (symbol: string, countdownTime: number) =>
  bot.post('v1/countdownCancelAll', { symbol, countdownTime });
const openSymbols = async () =>
  (await bot.get('v1/openOrders')).body.map(({ symbol }: { symbol: string }) => symbol);
/** Longer than a sweep takes to begin. */
const sweeps = () => new Promise((resolve) => setTimeout(resolve, 600));

test('cancels the orders of its symbol when it ends, and not those that wait for a trigger', async () => {
  await addLimit('BTCUSDT', '60000');
  await addLimit('ETHUSDT', '2000');
  await bot.post('v1/algoOrder', {
    ...{ algoType: 'CONDITIONAL', symbol: 'BTCUSDT', side: 'BUY', type: 'STOP_MARKET' },
    ...{ quantity: '0.1', triggerPrice: '70000' },
  });
  expect((await countdown('BTCUSDT', 10_000)).body).toEqual({ symbol: 'BTCUSDT', countdownTime: '10000' });
  clock.advance(9_000);
  await countdown('BTCUSDT', 10_000);
  clock.advance(9_000);
  await sweeps();
  expect(await openSymbols()).toEqual(['BTCUSDT', 'ETHUSDT']);
  clock.advance(1_000);
  await eventually(async () => expect(await openSymbols()).toEqual(['ETHUSDT']), 20);
  expect((await bot.get('v1/openAlgoOrders')).body).toHaveLength(1);
  const { rows } = await door.server.db.query('select * from app.cancel_countdowns');
  expect(rows).toEqual([]);
});

test('one that is withdrawn cancels nothing; one that ends while the server is down does at the start', async () => {
  await countdown('ETHUSDT', 1_000);
  await countdown('ETHUSDT', 0);
  clock.advance(2_000);
  await sweeps();
  expect(await openSymbols()).toEqual(['ETHUSDT']);
  await countdown('ETHUSDT', 5_000);
  await door.server.restart();
  clock.advance(5_000);
  await eventually(async () => expect(await openSymbols()).toEqual([]), 20);
});

test('during a halt nothing is submitted; what ended meanwhile is cancelled once trading resumes', async () => {
  await addLimit('BTCUSDT', '60000');
  await countdown('BTCUSDT', 5_000);
  const { userId, accountId } = bot;
  const admin = {
    role: 'admin',
    userId,
    accountId,
    actorId: userId,
    sessionId: userId,
    impersonationId: null,
  } as const;
  const { engine, halts } = door.server.server.trading;
  const submit = vi.spyOn(engine, 'submit');
  await halts.halt(admin, 'a test');
  clock.advance(6_000);
  await sweeps();
  expect(submit).not.toHaveBeenCalled();
  await halts.resume(admin, 'a test');
  clock.advance(1_000);
  await eventually(async () => expect(await openSymbols()).toEqual([]), 20);
  submit.mockRestore();
});
