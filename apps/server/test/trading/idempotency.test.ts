import { afterEach, expect, test } from 'vitest';
import { desk, shareEngine, tally } from './database-engine.ts';

shareEngine();
afterEach(async () => {
  desk.setPrice('BTCUSDT', '100');
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
});

const conflict = { code: 'idempotency_conflict', status: 409 };

test('a repeated id with the same body returns the stored answer, at another price and after a restart too', async () => {
  const trader = await desk.addTrader('1000');
  const opened = await desk.open(trader, { p_client_id: 'a' });
  desk.setPrice('BTCUSDT', '150');
  expect(await desk.open(trader, { p_client_id: 'a' })).toEqual(opened);
  await desk.restart();
  expect(await desk.open(trader, { p_client_id: 'a' })).toEqual(opened);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '990.00000000' });
});

test('a repeated id with another body is a conflict, in memory and from the table', async () => {
  const trader = await desk.addTrader('1000');
  const { id } = await desk.open(trader, { p_client_id: 'a' });
  await expect(desk.open(trader, { p_client_id: 'a', p_size: 2 })).rejects.toMatchObject(conflict);
  await expect(desk.close(trader, id, 'a')).rejects.toMatchObject(conflict);
  await desk.restart();
  await expect(desk.open(trader, { p_client_id: 'a', p_side: 'SELL' })).rejects.toMatchObject(conflict);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '990.00000000' });
});

test('A18: figures that the server ignores are no part of the body', async () => {
  const trader = await desk.addTrader('1000');
  const opened = await desk.open(trader, { p_client_id: 'a', p_required_margin: 10 });
  expect(await desk.open(trader, { p_client_id: 'a', p_required_margin: 11 })).toEqual(opened);
});

test('thirty repeats at once, in one batch and while it is in flight, open one position', async () => {
  const trader = await desk.addTrader('1000');
  const first = Array.from({ length: 15 }, () => desk.open(trader, { p_client_id: 'a' }));
  await new Promise(setImmediate);
  const later = Array.from({ length: 15 }, () => desk.open(trader, { p_client_id: 'a' }));
  const answers = await Promise.all([...first, ...later]);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '990.00000000' });
});

test('two bodies under one id at once: one is done, the other is a conflict', async () => {
  const trader = await desk.addTrader('1000');
  const results = await Promise.allSettled([
    desk.open(trader, { p_client_id: 'a' }),
    desk.open(trader, { p_client_id: 'a', p_size: 2 }),
  ]);
  expect(tally(results)).toEqual({ done: 1, idempotency_conflict: 1 });
});

test('an old id among new commands of one batch costs the others nothing', async () => {
  const [trader, other] = [await desk.addTrader('1000'), await desk.addTrader('1000')];
  const opened = await desk.open(trader, { p_client_id: 'old' });
  await desk.restart();
  const answers = await Promise.all([
    desk.open(other),
    desk.open(trader, { p_client_id: 'new' }),
    desk.open(trader, { p_client_id: 'old' }),
    desk.open(other),
  ]);
  expect(answers[2]).toEqual(opened);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(4);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '980.00000000' });
  expect(await desk.wallet(other)).toMatchObject({ available_balance: '980.00000000' });
});

test('a repeat that would now be refused still gets its stored answer', async () => {
  const trader = await desk.addTrader('10');
  const opened = await desk.open(trader, { p_client_id: 'all-in' });
  await desk.restart();
  expect(await desk.open(trader, { p_client_id: 'all-in' })).toEqual(opened);
  await expect(desk.open(trader)).rejects.toMatchObject({ code: 'insufficient_balance' });
  await expect(desk.open(trader, { p_client_id: 'all-in', p_size: 3 })).rejects.toMatchObject(conflict);
});

test('an id is unique per trader, not across traders', async () => {
  const [one, other] = [await desk.addTrader('1000'), await desk.addTrader('1000')];
  const answers = await Promise.all([one, other].map((trader) => desk.open(trader, { p_client_id: 'a' })));
  expect(answers.map(({ user_id }) => user_id)).toEqual([one.userId, other.userId]);
});

test('a refused command stores nothing: the same id may be tried again', async () => {
  const trader = await desk.addTrader('1000');
  desk.setPrice('BTCUSDT', '100', { stale: true });
  await expect(desk.open(trader, { p_client_id: 'a' })).rejects.toMatchObject({ code: 'price_stale' });
  desk.setPrice('BTCUSDT', '100');
  expect(await desk.open(trader, { p_client_id: 'a' })).toMatchObject({ status: 'open' });
});

test('a repeated close returns its stored answer', async () => {
  const trader = await desk.addTrader('1000');
  const { id } = await desk.open(trader);
  const closed = await desk.close(trader, id, 'c');
  expect(await desk.close(trader, id, 'c')).toEqual(closed);
  await expect(desk.close(trader, id, 'd')).rejects.toMatchObject({ code: 'position_closed' });
});

test('an id that PostgreSQL cannot hold is refused before it can spoil a batch', async () => {
  const trader = await desk.addTrader('1000');
  for (const p_client_id of ['a\0b', 'a\ud800']) {
    await expect(desk.open(trader, { p_client_id })).rejects.toMatchObject({
      code: 'invalid_argument',
      status: 400,
    });
  }
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '1000.00000000' });
});
