import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertRow, Tick } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAlerts } from '../../src/features/alerts/index.ts';
import type { Bar } from '../../src/features/market/index.ts';
import { type Bus, createBus } from '../../src/platform/bus/index.ts';
import type { Duties } from '../../src/platform/duties/shared-duties.ts';
import { defaultLimits } from '../../src/platform/limits/index.ts';
import { eventually } from '../harness/eventually.ts';
import { testLog } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';
import { type EngineSetup, openEngine, type Trader } from '../trading/database-engine.ts';

type Alerts = ReturnType<typeof createAlerts>;
let desk: EngineSetup;
let timers: ManualTimers;
let bars: Pick<Bar, 'close'>[] & { open_time: string }[];
let alerts: Alerts;
let alice: Trader;

function createOver(more: { bus?: Bus; duties?: Duties } = {}): Alerts {
  return createAlerts({
    db: desk.db,
    bus: desk.bus,
    clock: timers,
    timers,
    log: testLog,
    market: { ...desk.market, candles: async () => bars as never },
    ...more,
  });
}

beforeEach(async () => {
  desk = await openEngine();
  timers = createManualTimers(desk.clock.now(), () => alerts.monitor.settled());
  bars = [];
  alerts = createOver();
  await alerts.start();
  alice = await desk.addTrader('10000');
});
afterEach(async () => {
  await alerts.stop();
  await desk.dispose();
});

type CreateArgs = Parameters<Alerts['procedures']['create_alert']>[1];
const create = (trader: Trader, args: Partial<CreateArgs>): Promise<AlertRow> =>
  alerts.procedures.create_alert(trader.caller, {
    p_kind: 'price',
    p_symbol: 'BTCUSDT',
    p_level: 110,
    ...args,
  });
const change = (trader: Trader, row: AlertRow, args: object): Promise<AlertRow> =>
  alerts.procedures.change_alert(trader.caller, { p_alert_id: row.id, ...args });
const tick = async (price: string, more = {}) => {
  desk.tick('BTCUSDT', price, more);
  await alerts.monitor.settled();
};
const texts = async (trader = alice) =>
  (await desk.notices(trader)).filter(({ kind }) => kind === 'alert').map(({ message }) => message);
const stored = async (id: string) => {
  const { rows } = await desk.db.query<AlertRow>(`select * from api.alerts where id = $1`, [id]);
  return rows[0];
};
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );

test('alerts: a price that is crossed writes one notification, however many ticks are beyond it', async () => {
  const up = await create(alice, {});
  const down = await create(alice, { p_level: '95.5' });
  expect([up.direction, down.direction, up.state]).toEqual(['rises', 'falls', 'armed']);
  await tick('109.99');
  expect(await texts()).toEqual([]);
  desk.tick('BTCUSDT', '110');
  desk.tick('BTCUSDT', '112');
  await tick('111');
  expect(await texts()).toEqual(['BTCUSDT rose to 110.00. Your alert is at 110.00.']);
  expect(await stored(up.id)).toMatchObject({ state: 'fired', crossings: 1, fired_price: '110.00000000' });
  // The price of another symbol fires nothing.
  desk.tick('ETHUSDT', '90');
  await tick('95.4');
  expect(await texts()).toEqual([
    'BTCUSDT rose to 110.00. Your alert is at 110.00.',
    'BTCUSDT fell to 95.40. Your alert is at 95.50.',
  ]);
  const announced = desk.changes.filter(({ table }) => table === 'alerts' || table === 'notifications');
  expect(announced.map(({ table, type, userId }) => [table, type, userId === alice.userId])).toEqual([
    ['alerts', 'INSERT', true],
    ['alerts', 'INSERT', true],
    ['notifications', 'INSERT', true],
    ['alerts', 'UPDATE', true],
    ['notifications', 'INSERT', true],
    ['alerts', 'UPDATE', true],
  ]);
});

test('alerts: two processes that see the same crossing fire it once', async () => {
  await create(alice, {});
  const other = createOver();
  await other.start();
  desk.tick('BTCUSDT', '111');
  await Promise.all([alerts.monitor.settled(), other.monitor.settled()]);
  await other.stop();
  expect(await texts()).toHaveLength(1);
});

test('alerts: a repeated one fires at each crossing, at most once a minute', async () => {
  const row = await create(alice, { p_repeats: true });
  await tick('111');
  await tick('109');
  expect(await texts()).toHaveLength(1);
  expect(await stored(row.id)).toMatchObject({ state: 'armed', direction: 'falls' });
  await timers.advance(minuteMs + 1_000);
  await tick('109');
  await tick('111');
  expect(await texts()).toEqual([
    'BTCUSDT rose to 111.00. Your alert is at 110.00.',
    'BTCUSDT fell to 109.00. Your alert is at 110.00.',
  ]);
});

test('A110: alerts: none fires on a price that is held, stale or of a closed market', async () => {
  await create(alice, {});
  await tick('200', { held: true });
  await tick('200', { stale: true });
  await tick('200', { marketOpen: false });
  expect(await texts()).toEqual([]);
  await tick('200');
  expect(await texts()).toHaveLength(1);
});

test('alerts: they survive a restart, and a crossing while the server was down fires once with the next price', async () => {
  await create(alice, {});
  await alerts.stop();
  desk.setPrice('BTCUSDT', '120');
  alerts = createOver();
  await alerts.start();
  await tick('120');
  await alerts.stop();
  alerts = createOver();
  await alerts.start();
  await tick('121');
  expect(await texts()).toEqual(['BTCUSDT rose to 120.00. Your alert is at 110.00.']);
});

test('alerts: a database that is away delays a notification, and loses none', async () => {
  await create(alice, {});
  await desk.db.asOwner('revoke insert on app.notifications from fulcrum_app');
  await tick('111');
  await tick('100');
  expect(await texts()).toEqual([]);
  await desk.db.asOwner('grant insert on app.notifications to fulcrum_app');
  await timers.advance(2_000);
  expect(await texts()).toEqual(['BTCUSDT rose to 111.00. Your alert is at 110.00.']);
});

test('alerts: an ROE and a distance to liquidation become prices, which follow their position', async () => {
  const position = await desk.open(alice, { p_leverage: 10 });
  const roe = await create(alice, {
    p_kind: 'roe',
    p_position_id: position.id,
    p_level: 50,
    p_repeats: true,
  });
  const near = await create(alice, { p_kind: 'liquidation', p_position_id: position.id, p_level: 2 });
  expect([roe.symbol, roe.direction, near.direction]).toEqual(['BTCUSDT', 'rises', 'falls']);
  // 10 of margin: a price of 105 is +50 %.
  await tick('104.99');
  expect(await texts()).toEqual([]);
  await tick('105');
  expect(await texts()).toEqual([
    'The ROE of your position BUY 1 BTCUSDT is 50.00 %. Your alert is at 50 %.',
  ]);

  // Half of it is closed: the alert looks at the rest, once the ROE has come back.
  await tick('100');
  await desk.trading.procedures.close_position(alice.caller, { p_position_id: position.id, p_size: 0.5 });
  await alerts.monitor.settled();
  expect(await stored(roe.id)).toMatchObject({ state: 'armed' });
  // A repeated alert rests for a minute.
  await timers.advance(minuteMs + 1_000);
  await tick('105.5');
  expect((await texts()).at(-1)).toBe(
    'The ROE of your position BUY 0.5 BTCUSDT is 55.00 %. Your alert is at 50 %.',
  );

  const liquidation = Number(position.liquidation_price);
  await tick((liquidation / 0.985).toFixed(2));
  expect((await texts()).at(-1)).toMatch(
    /^Your position BUY 0\.5 BTCUSDT is within 2 % of its liquidation price 90\.50: the price is 91\.88\.$/,
  );

  await tick('100');
  await desk.close(alice, position.id);
  await alerts.monitor.settled();
  expect([(await stored(roe.id))?.state, (await stored(near.id))?.state]).toEqual(['ended', 'ended']);
  expect(alerts.monitor.size()).toBe(0);
  expect(await refusal(change(alice, roe, {}))).toBe('position_closed: This position is closed.');
});

test('alerts: a change in a time is looked at per closed minute', async () => {
  const start = timers.now();
  const row = await create(alice, {
    p_kind: 'change',
    p_level: 2,
    p_direction: 'falls',
    p_window_minutes: 5,
  });
  desk.setPrice('BTCUSDT', '97');
  // The market's time in this market is 0.
  bars = [
    { open_time: new Date(-7 * minuteMs).toISOString(), close: '99' },
    { open_time: new Date(-6 * minuteMs).toISOString(), close: '100' },
    { open_time: new Date(-5 * minuteMs).toISOString(), close: '97.5' },
  ] as never;
  await timers.advance(minuteMs - (start % minuteMs) - 1_000);
  expect(await texts()).toEqual([]);
  await timers.advance(2_000);
  expect(await texts()).toEqual(['BTCUSDT fell by 3.00 % in 5 minutes, to 97.00. Your alert is at 2 %.']);
  await timers.advance(5 * minuteMs);
  expect(await texts()).toHaveLength(1);
  expect(await stored(row.id)).toMatchObject({ state: 'fired', window_minutes: 5 });
});

test('alerts: a request that cannot be met is refused in words, and nothing is written', async () => {
  const bob = await desk.addTrader('10000');
  const foreign = await desk.open(bob);
  const closed = await desk.open(alice);
  await desk.close(alice, closed.id);
  const own = await desk.open(alice);
  const refusals: [Partial<CreateArgs>, string | RegExp][] = [
    [
      { p_level: 100 },
      /^invalid_argument: BTCUSDT is at 100\.00\. Choose a price that it has not reached\.$/,
    ],
    [{ p_level: 120, p_direction: 'falls' }, /^invalid_argument: BTCUSDT is at 100\.00\./],
    [{ p_level: 0 }, /^invalid_argument: The price of BTCUSDT is from 0\.00000001 to 10000000\.$/],
    [{ p_level: '1.123456789' }, /^invalid_argument: The level is a number/],
    [{ p_symbol: 'NOPE' }, 'unknown_symbol: Unknown symbol: NOPE'],
    [{ p_symbol: 'DUSTUSDT' }, 'no_price: No current price for DUSTUSDT.'],
    [{ p_kind: 'change', p_level: 2 }, /^invalid_argument: The time is one of/],
    [{ p_kind: 'change', p_level: 2, p_window_minutes: 15 }, /^invalid_argument: Choose whether/],
    [{ p_kind: 'change', p_level: 0, p_window_minutes: 15 }, /^invalid_argument: The level is more than 0/],
    [{ p_kind: 'roe', p_level: 5 }, /^position_not_found: /],
    [{ p_kind: 'roe', p_level: 5, p_position_id: foreign.id }, /^position_not_found: /],
    [{ p_kind: 'roe', p_level: 5, p_position_id: randomUUID() }, /^position_not_found: /],
    [{ p_kind: 'roe', p_level: 5, p_position_id: closed.id }, /^position_closed: /],
    [{ p_kind: 'roe', p_level: -5000, p_position_id: own.id }, /^invalid_argument: No price above zero/],
    [{ p_kind: 'liquidation', p_level: 50, p_position_id: own.id }, /^invalid_argument: Your position is/],
  ];
  for (const [args, expected] of refusals) {
    expect(await refusal(create(alice, args)), JSON.stringify(args)).toMatch(expected);
  }
  const { rows } = await desk.db.query('select from app.alerts');
  expect(rows).toEqual([]);
});

test('alerts: a repeat is one alert, another user’s is out of reach, and the limit holds beside itself', async () => {
  const bob = await desk.addTrader('10000');
  const id = randomUUID();
  const [one, other] = await Promise.all([create(alice, { p_id: id }), create(alice, { p_id: id })]);
  expect(one).toEqual(other);
  expect(await refusal(create(bob, { p_id: id }))).toBe('conflict: Choose another id.');
  expect(await refusal(change(bob, one, { p_level: 130 }))).toMatch(/^not_found: /);
  expect(await alerts.procedures.delete_alert(bob.caller, { p_alert_id: id })).toEqual({ deleted: false });

  const { most } = defaultLimits.alertsOfUser;
  const results = await Promise.all(
    Array.from({ length: most + 5 }, (_none, index) => refusal(create(alice, { p_level: 111 + index }))),
  );
  expect(results.filter((result) => result === 'done')).toHaveLength(most - 1);
  expect(results.find((result) => result !== 'done')).toBe(
    `conflict: You have ${most} alerts in all your accounts. Delete one of them first.`,
  );
  expect(await alerts.procedures.delete_alert(alice.caller, { p_alert_id: id })).toEqual({ deleted: true });
  expect(await refusal(create(alice, { p_level: 500 }))).toBe('done');
});

test('alerts: the limit counts those of all accounts of the user, and the refusal states it', async () => {
  const practice = await desk.addAccount(alice, '1000');
  const { most } = defaultLimits.alertsOfUser;
  const createFrom = (trader: Trader, first: number) =>
    Promise.all(
      Array.from({ length: most / 2 }, (_none, index) => refusal(create(trader, { p_level: first + index }))),
    );
  const results = [...(await createFrom(alice, 111)), ...(await createFrom(practice, 111))];
  expect(new Set(results)).toEqual(new Set(['done']));
  const full = `conflict: You have ${most} alerts in all your accounts. Delete one of them first.`;
  expect(await refusal(create(practice, { p_level: 500 }))).toBe(full);
  expect(await refusal(create(alice, { p_level: 500 }))).toBe(full);
});

test('alerts: pausing keeps it silent, a change arms it again with its new terms', async () => {
  const row = await create(alice, {});
  expect(await change(alice, row, { p_paused: true })).toMatchObject({ state: 'paused' });
  await tick('111');
  expect(await texts()).toEqual([]);
  // A level below the price is reached by falling.
  expect(await change(alice, row, { p_level: 105 })).toMatchObject({ state: 'armed', direction: 'falls' });
  await tick('104');
  expect(await texts()).toEqual(['BTCUSDT fell to 104.00. Your alert is at 105.00.']);
  expect(await change(alice, row, {})).toMatchObject({ state: 'armed', direction: 'rises' });
  await alerts.procedures.delete_alert(alice.caller, { p_alert_id: row.id });
  await tick('111');
  expect(await texts()).toHaveLength(1);
});

test('alerts: a pause keeps when it fired last, and one that is armed again fires at once', async () => {
  const row = await create(alice, { p_repeats: true });
  await tick('111');
  const fired = await stored(row.id);
  expect(fired).toMatchObject({ state: 'armed', crossings: 1, direction: 'falls' });
  expect(fired?.fired_at).not.toBeNull();
  const paused = await change(alice, row, { p_paused: true });
  expect(paused).toMatchObject({ state: 'paused', crossings: 1 });
  expect((await stored(row.id))?.fired_at).toEqual(fired?.fired_at);
  // Within the minute that a repeated alert waits after it fired.
  expect(await change(alice, row, {})).toMatchObject({ state: 'armed', crossings: 1, fired_at: null });
  await tick('109');
  expect((await texts()).at(-1)).toBe('BTCUSDT fell to 109.00. Your alert is at 110.00.');
  expect(await stored(row.id)).toMatchObject({ crossings: 2 });
});

test('alerts: many changes at once leave the alert that the database has, and it fires', async () => {
  const row = await create(alice, { p_level: 150 });
  for (let round = 0; round < 5; round += 1) {
    await timers.advance(1);
    await Promise.all([111, 112, 113, 114].map((level) => change(alice, row, { p_level: level })));
  }
  await tick('120');
  expect(await texts()).toHaveLength(1);
  expect(await stored(row.id)).toMatchObject({ state: 'fired', crossings: 1 });
});

test('alerts: a position that closes while its alert is being set leaves none that waits', async () => {
  const results: string[] = [];
  // The close comes before, during and after the request.
  for (const delayMs of [0, 2, 4, 6, 8, 12, 16, 100]) {
    const position = await desk.open(alice);
    const [result] = await Promise.all([
      refusal(create(alice, { p_kind: 'roe', p_position_id: position.id, p_level: 50 })),
      sleep(delayMs).then(() => desk.close(alice, position.id)),
    ]);
    results.push(result);
  }
  expect(results.at(-1)).toBe('done');
  await alerts.monitor.settled();
  const { rows } = await desk.db.query(`select from app.alerts where state <> 'ended'`);
  expect(rows).toEqual([]);
  expect(alerts.monitor.size()).toBe(0);
});

test('alerts: another process of a cluster fires what one that died has armed, once', async () => {
  // Its bus hears nothing of the first one's changes.
  const bus = createBus(testLog);
  const other = createOver({ bus, duties: { isOurs: () => true, isShared: true } });
  await other.start();
  const tickBoth = async (price: string) => {
    await tick(price);
    bus.publish('market.tick', { symbol: 'BTCUSDT' } as Tick);
    await other.monitor.settled();
  };
  await create(alice, {});
  const deleted = await create(alice, { p_level: 111 });
  await timers.advance(5_000);
  await other.monitor.settled();
  await eventually(() => expect(other.monitor.size()).toBe(2));
  await alerts.procedures.delete_alert(alice.caller, { p_alert_id: deleted.id });
  await alerts.stop();
  await tickBoth('112');
  expect(await texts()).toEqual(['BTCUSDT rose to 112.00. Your alert is at 110.00.']);
  await tickBoth('109');
  await tickBoth('112');
  expect(await texts()).toHaveLength(1);
  await other.stop();
});

test('alerts: what another process has deleted is forgotten within a minute', async () => {
  const other = createOver({ bus: createBus(testLog), duties: { isOurs: () => true, isShared: true } });
  await create(alice, {});
  const deleted = await create(alice, { p_level: 111 });
  await other.start();
  expect(other.monitor.size()).toBe(2);
  await alerts.procedures.delete_alert(alice.caller, { p_alert_id: deleted.id });
  await timers.advance(minuteMs);
  await eventually(async () => {
    await timers.advance(5_000);
    expect(other.monitor.size()).toBe(1);
  });
  await other.stop();
});

test('alerts: a repeated one that one process has fired goes on at the others', async () => {
  const bus = createBus(testLog);
  const other = createOver({ bus, duties: { isOurs: () => true, isShared: true } });
  await create(alice, { p_repeats: true });
  await other.start();
  const tickOther = async (price: string) => {
    desk.tick('BTCUSDT', price);
    bus.publish('market.tick', { symbol: 'BTCUSDT' } as Tick);
    await other.monitor.settled();
  };
  await tick('112');
  // The same crossing: it was counted already.
  await tickOther('112');
  expect(await texts()).toHaveLength(1);
  expect(other.monitor.size()).toBe(1);
  await alerts.stop();
  await timers.advance(2 * minuteMs);
  await tickOther('105');
  expect((await texts()).at(-1)).toBe('BTCUSDT fell to 105.00. Your alert is at 110.00.');
  await other.stop();
});
