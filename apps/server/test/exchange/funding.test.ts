/** What holding a position costs, as income: funding of crypto and financing of the others are one type, and sum to the ledger. */
import { hourMs, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startDoor } from './door.ts';

test('A113: FUNDING_FEE has each booking by itself, and the ledger has the same sum', async () => {
  const clock = createManualClock(Date.parse('2026-01-05T14:00:00Z'));
  const door = await startDoor({ clock });
  const bot = await door.join();
  const at = (hours: number) => {
    clock.advance(hours * hourMs);
    door.feed.setPrice('BTCUSDT', '64000');
    door.feed.setPrice('EUR/USD', '1.1');
  };
  at(0);
  const order = { type: 'MARKET', side: 'BUY' };
  await bot.post('v1/order', { ...order, symbol: 'BTCUSDT', quantity: '0.5' });
  await bot.post('v1/order', { ...order, symbol: 'EURUSDUSDT', quantity: '1000' });
  at(3);
  const fees = async () =>
    (await bot.get('v1/income', { incomeType: 'FUNDING_FEE' })).body as {
      symbol: string;
      income: string;
      info: string;
    }[];
  // The rows, because reading income in a loop would exhaust the weight of its address.
  const booked = async () =>
    (
      await door.server.db.query<{ count: number; sum: string }>(
        `select count(*)::int as count, sum(amount) as sum from app.ledger_entries
          where user_id = $1 and kind in ('funding', 'financing')`,
        [bot.accountId],
      )
    ).rows[0];
  await eventually(async () => expect(await booked()).toMatchObject({ count: 1 }));
  at(8);
  await eventually(async () => expect(await booked()).toMatchObject({ count: 3 }));
  const rows = await fees();
  expect(Object.groupBy(rows, ({ symbol, info }) => `${symbol} ${info}`)).toMatchObject({
    'BTCUSDT FUNDING': [{}, {}],
    'EURUSDUSDT FINANCING': [{}],
  });
  // 0.01 % of 32,000.
  expect(rows[0]?.income).toBe('-3.2');
  const total = rows.reduce((sum, { income }) => sum + parseDecimal(income), 0n);
  expect(toDecimalString(total)).toBe(toDecimalString(parseDecimal((await booked())?.sum ?? '')));
  const ofOne = await bot.get('v1/income', { incomeType: 'FUNDING_FEE', symbol: 'EURUSDUSDT' });
  expect(ofOne.body).toHaveLength(1);
  await door.close();
});
