/** A recording, the hub and the real engine on PostgreSQL, and orders that are placed by the recorded clock. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedIn } from '@fulcrum/contract';
import { asMoney, minuteMs, parseDecimal } from '@fulcrum/domain';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMarket, type Market } from '../../src/features/market/index.ts';
import { createTrading, type Trading } from '../../src/features/trading/index.ts';
import { checkInvariants, openWallet } from '../../src/features/wallet/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import { engineConfig } from '../trading/database-engine.ts';

const midnight = Date.UTC(2018, 3, 6);
const minutes = 16;
let folder = '';

/** Two markets that swing by a per cent and more within minutes, out of step. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fulcrum-orders-'));
  const priceAt = (symbol: string, minute: number) =>
    symbol === 'BTCUSDT' ? 6_600 + 70 * Math.sin(minute * 1.1) : 380 + 6 * Math.cos(minute * 0.9);
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    const lines = Array.from({ length: minutes }, (_, minute) => {
      const [open, close] = [priceAt(symbol, minute), priceAt(symbol, minute + 1)];
      const [high, low] = [Math.max(open, close) * 1.004, Math.min(open, close) * 0.996];
      const prices = [open, high, low, close].map((price) => price.toFixed(2));
      return `${symbol},${midnight + minute * minuteMs},${prices.join()},3`;
    });
    const text = ['symbol,open_time,open,high,low,close,volume', ...lines, ''].join('\n');
    await writeFile(join(folder, `${symbol}.csv`), text);
  }
  return () => rm(folder, { recursive: true });
});

interface Scripted {
  /** Recorded seconds since the beginning. */
  readonly at: number;
  readonly by: 0 | 1;
  readonly give: (trading: Trading, caller: SignedIn) => Promise<unknown>;
}

const order = (at: number, by: 0 | 1, row: Readonly<Record<string, unknown>>): Scripted => ({
  at,
  by,
  give: (trading, caller) => trading.writes['orders.insert'](caller, [row]),
});
const open = (at: number, by: 0 | 1, symbol: string, side: 'BUY' | 'SELL', size: number): Scripted => ({
  at,
  by,
  give: (trading, caller) =>
    trading.procedures.open_position(caller, {
      ...{ p_symbol: symbol, p_side: side, p_size: size, p_leverage: 100, p_entry_price: null },
    }),
});

/** Limits whose stop loss or take profit is reached in the same or the next minute, and positions near their liquidation. */
const script: readonly Scripted[] = [
  order(5, 0, {
    ...{ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: '6585', size: '1', leverage: 10 },
    ...{ stop_loss_price: '6580', take_profit_price: '6600' },
  }),
  open(33, 1, 'ETHUSDT', 'BUY', 2),
  order(60, 1, {
    ...{ symbol: 'BTCUSDT', type: 'STOP', side: 'SELL', price: '6590', size: '0.5', leverage: 20 },
    ...{ stop_loss_price: '6610', take_profit_price: '6575' },
  }),
  open(127, 0, 'BTCUSDT', 'SELL', 0.3),
  order(200, 0, {
    ...{ symbol: 'ETHUSDT', type: 'LIMIT', side: 'SELL', price: '382', size: '3', leverage: 50 },
    ...{ stop_loss_price: '383', take_profit_price: '381' },
  }),
  order(311, 1, {
    ...{ symbol: 'ETHUSDT', type: 'LIMIT', side: 'BUY', price: '379', size: '3', leverage: 50 },
    ...{ stop_loss_price: '378', take_profit_price: '380.5' },
  }),
  open(400, 1, 'BTCUSDT', 'BUY', 0.4),
  order(470, 0, {
    ...{ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: '6560', size: '1', leverage: 25 },
    ...{ stop_loss_price: '6552', take_profit_price: '6600' },
  }),
  open(655, 0, 'ETHUSDT', 'SELL', 1),
];

/** Traders of one run after another, so that the same names have the same part. */
async function addTraders(db: TestDatabase): Promise<SignedIn[]> {
  const callers: SignedIn[] = [];
  for (const name of ['first', 'second']) {
    const userId = randomUUID();
    await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'trader')`, [
      ...[userId, `${name}@example.test`, name],
    ]);
    await openWallet(db, { accountId: userId, initialBalance: asMoney(parseDecimal('100000')) });
    callers.push({
      role: 'trader',
      userId,
      accountId: userId,
      actorId: userId,
      sessionId: randomUUID(),
      impersonationId: null,
    });
  }
  return callers;
}

interface Played {
  /** Of every ledger entry in its order, by owner: no ids and no times. */
  readonly hash: string;
  readonly entries: number;
  /** How each position ended, in the order of opening. */
  readonly ends: readonly string[];
  readonly isWhole: boolean;
}

async function playAt(speed: number): Promise<Played> {
  const db = await createTestDatabase();
  onTestFinished(() => db.close());
  let inWork = 0;
  const faults: unknown[] = [];
  const timers = createManualTimers(Date.UTC(2026, 10, 22, 9), async () => {
    do await new Promise(setImmediate);
    while (inWork > 0);
  });
  const bus = createBus(testLog);
  const config = loadConfig({ PRICE_FEED: `replay:${folder}?speed=${speed}&history=0` });
  const market = createMarket({ db, config, marketKey: Buffer.alloc(32), timers, bus, log: testLog });
  await market.start();
  const callers = await addTraders(db);
  const due = [...script];
  const recordedS = () =>
    (Math.max(...market.ticks().map((tick) => Date.parse(tick.market_time))) - midnight) / 1_000;

  const settleWith = (engineSettled: () => Promise<void> | null) => (): Promise<void> | null => {
    if (due[0] === undefined || due[0].at > recordedS()) return engineSettled();
    return (async () => {
      inWork += 1;
      for (let next = due[0]; next && next.at <= recordedS(); next = due[0]) {
        due.shift();
        await next.give(trading, callers[next.by]!).catch((error: unknown) => faults.push(error));
        await engineSettled();
      }
      inWork -= 1;
    })();
  };
  const counted = (settled: () => Promise<void> | null) => () => {
    const waiting = settled();
    if (!waiting) return null;
    inWork += 1;
    return waiting.finally(() => {
      inWork -= 1;
    });
  };
  const scripted: Market = {
    ...market,
    setPendingSettlement: (settled) => market.setPendingSettlement(settleWith(counted(settled))),
  };
  const trading = createTrading({
    ...{ db, clock: timers, bus, log: testLog, market: scripted },
    config: { ...engineConfig, tradingFeeRate: parseDecimal('0.0004') },
  });
  await trading.start();
  const endS = () => market.state().replay?.end_s ?? 0;
  const positionS = () => market.state().replay?.position_s ?? 0;
  for (let beats = 0; positionS() < endS() && beats < 20_000; beats += 1) await timers.advance(250);
  await trading.stop();
  await market.stop();
  expect({ due, faults }).toEqual({ due: [], faults: [] });

  const { rows: entries } = await db.query<{ entry: string }>(
    `select concat_ws(' ', coalesce(users.email, '-'), account, amount, kind) as entry
     from app.ledger_entries left join app.users on users.id = user_id order by ledger_entries.id`,
  );
  const { rows: ends } = await db.query<{ end: string }>(
    `select concat_ws(' ', symbol, side, entry_price, coalesce(close_reason::text, 'open'), close_price, realized_pnl) as end
     from app.positions join app.users on users.id = user_id order by email, symbol, side, entry_price`,
  );
  const hash = createHash('sha256');
  for (const { entry } of entries) hash.update(`${entry}\n`);
  return {
    hash: hash.digest('hex'),
    entries: entries.length,
    ends: ends.map(({ end }) => end),
    isWhole: (await checkInvariants(db)).violations.length === 0,
  };
}

test('ENG-4: the same orders by recorded time end the same, entry for entry, at 1x, 60x and 3,600x', async () => {
  const slow = await playAt(1);
  const reasons = new Set(slow.ends.map((end) => end.split(' ')[3]));
  // The run is not empty.
  expect([...reasons].toSorted()).toEqual(['liquidation', 'open', 'stop_loss', 'take_profit']);
  expect(slow.isWhole).toBe(true);
  expect(await playAt(60)).toEqual(slow);
  expect(await playAt(3_600)).toEqual(slow);
}, 120_000);
