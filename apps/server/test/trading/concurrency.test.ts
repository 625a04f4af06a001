import { afterEach, expect, test } from 'vitest';
import { desk, shareEngine, tally } from './database-engine.ts';

shareEngine();
afterEach(async () => {
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
});

const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, i) => work(i)));

test('RULE-02 RULE-03: of 200 parallel opens that the balance covers 100 times exactly 100 succeed', async () => {
  const trader = await desk.addTrader('1000');
  const results = await times(200, () => desk.open(trader));
  expect(tally(results)).toEqual({ done: 100, insufficient_balance: 100 });

  expect(await desk.wallet(trader)).toMatchObject({
    balance: '1000.00000000',
    available_balance: '0.00000000',
  });
  const { rows } = await desk.db.query<{ open: string; margin: string; ledger: string }>(
    `select count(*) as open, sum(margin) as margin,
            (select sum(amount) from app.ledger_entries) as ledger
     from app.positions where user_id = $1 and status = 'open'`,
    [trader.userId],
  );
  expect(rows).toEqual([{ open: '100', margin: '1000.00000000', ledger: '0.00000000' }]);
});

test('RULE-17 A23: of 50 parallel closes of one position one succeeds and the others change nothing', async () => {
  const trader = await desk.addTrader('1000');
  const { id } = await desk.open(trader);
  desk.setPrice('BTCUSDT', '101');
  const results = await times(50, () => desk.close(trader, id));
  desk.setPrice('BTCUSDT', '100');
  expect(tally(results)).toEqual({ done: 1, position_closed: 49 });
  expect(await desk.wallet(trader)).toMatchObject({
    balance: '1001.00000000',
    available_balance: '1001.00000000',
  });
});

test('A08: opens and closes of many traders at once leave every wallet exact', async () => {
  const traders = await Promise.all(Array.from({ length: 20 }, () => desk.addTrader('100')));
  await times(400, async (i) => {
    const trader = traders[i % traders.length]!;
    const { id } = await desk.open(trader, { p_leverage: 25, p_side: i % 3 === 0 ? 'SELL' : 'BUY' });
    if (i % 2 === 0) await desk.close(trader, id);
  });
  for (const trader of traders) {
    expect(await desk.wallet(trader)).toMatchObject({ balance: '100.00000000' });
  }
});

test('account versions rise by one with every change and no number is missing', async () => {
  const trader = await desk.addTrader('1000');
  await times(30, () => desk.open(trader));
  const { rows } = await desk.db.query<{ versions: string[] }>(
    'select array_agg(account_version order by account_version) as versions from app.positions where user_id = $1',
    [trader.userId],
  );
  // 1 is the opening deposit.
  expect(rows[0]?.versions).toEqual(Array.from({ length: 30 }, (_, i) => String(i + 2)));
  expect(await desk.wallet(trader)).toMatchObject({ version: '31' });
});
