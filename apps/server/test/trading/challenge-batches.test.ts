/** A challenge is judged by what is committed, whatever happens to the batch that decides (A112). */
import { randomUUID } from 'node:crypto';
import { dayMs } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLockedAccount } from '../../src/features/accounts/index.ts';
import { eventually } from '../harness/eventually.ts';
import { type EngineSetup, killEngineConnection, openEngine, type Trader } from './database-engine.ts';
import { closeSessions, holdBatch, waiting } from './held-batch.ts';

let desk: EngineSetup;
beforeAll(async () => {
  desk = await openEngine();
});
afterAll(async () => {
  await closeSessions();
  await desk.dispose();
});

async function addAttempt(step: object): Promise<Trader> {
  const { userId, caller } = await desk.addTrader('0');
  const rules = {
    ...{ v: 1, startBalance: 10000, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
    ...{ attemptsMax: 1, steps: [{ ...step, targetPct: 50, consistencyPct: null, daysMax: null }] },
  };
  const rows = await desk.db.asOwner(
    `insert into app.programs (face, name, description, registration_opens_at, registration_ends_at, begins_at, ends_at, rules, created_by, created_at, updated_at)
     values ('challenge', $1, '', $2, $3, $2, $3, $4, $5, $2, $2) returning id`,
    [
      randomUUID(),
      ...[desk.clock.now() - dayMs, desk.clock.now() + 30 * dayMs].map((at) => new Date(at)),
      ...[JSON.stringify(rules), userId],
    ],
  );
  const accountId = await openLockedAccount(
    desk.db,
    { tradingFeeRate: 0n },
    {
      ownerId: userId,
      belonging: { kind: 'challenge', programId: String(rows[0]?.id), number: 1, attempt: 1, step: 1 },
      terms: { name: 'Step', rules: 'standard', leverageMax: 10, startBalance: '10000' },
      at: new Date(desk.clock.now()),
    },
  );
  desk.trading.reload([accountId]);
  return { userId: accountId, caller: { ...caller, accountId } };
}
const arithmeticOf = (trader: Trader) =>
  eventually(async () => {
    const { rows } = await desk.db.query<{ arithmetic: unknown }>(
      'select arithmetic from app.program_verdicts where account_id = $1',
      [trader.userId],
    );
    expect(rows).toHaveLength(1);
    return rows[0]!.arithmetic;
  });
/** The engine sweeps each second. */
const sweeps = () => new Promise((resolve) => setTimeout(resolve, 1_300));

test('a position that a lost connection kept from being written has made no peak', async () => {
  desk.tick('BTCUSDT', '100');
  const trader = await addAttempt({
    ...{ dailyLoss: null, daysMin: 0, maxLoss: { pct: 5, mode: 'trailing_intraday', lockPct: null } },
  });
  await sweeps();
  const release = await holdBatch(desk, trader);
  const opened = desk.open(trader, { p_size: 900 });
  await waiting(desk, 'engine_write');
  desk.tick('BTCUSDT', '101');
  await killEngineConnection(desk.db);
  await release();
  // It is tried again, at the price of then.
  await opened;
  desk.tick('BTCUSDT', '100.4');
  expect(await arithmeticOf(trader)).toMatchObject({ equity: '9460', maxLoss: { from: '10000' } });
});

test('the first decision of a day belongs to that day', async () => {
  desk.tick('BTCUSDT', '100');
  const trader = await addAttempt({
    ...{ dailyLoss: null, daysMin: 0, maxLoss: { pct: 5, mode: 'static', lockPct: null } },
  });
  await desk.open(trader, { p_size: 100 });
  const midnight = (Math.floor(desk.clock.now() / dayMs) + 1) * dayMs;
  desk.clock.set(midnight - 1_000);
  await sweeps();
  desk.clock.set(midnight);
  await desk.open(trader, { p_size: 100 });
  desk.tick('BTCUSDT', '97.5');
  expect(await arithmeticOf(trader)).toMatchObject({ dayBegins: midnight, tradingDays: 2 });
});

test('a pass whose verdict was not written is judged again, though the account holds nothing and no price moves', async () => {
  desk.tick('BTCUSDT', '100');
  const trader = await addAttempt({
    ...{ dailyLoss: null, daysMin: 0, maxLoss: { pct: 5, mode: 'static', lockPct: null } },
  });
  await sweeps();
  const opened = await desk.open(trader, { p_size: 900 });
  desk.tick('BTCUSDT', '106');
  await desk.db.asOwner(
    `alter table app.program_verdicts add constraint refused check (outcome <> 'passed')`,
  );
  await desk.close(trader, opened.id);
  await sweeps();
  expect(
    await desk.db.asOwner('select from app.program_verdicts where account_id = $1', [trader.userId]),
  ).toEqual([]);
  await desk.db.asOwner('alter table app.program_verdicts drop constraint refused');
  expect(await arithmeticOf(trader)).toMatchObject({ balance: '15400', equity: '15400' });
});
