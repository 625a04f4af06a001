/** A115: the recap of a week, as a notification and in the journal, of the real server. */
import { hourMs, minuteMs, recapTag, weekMs } from '@fulcrum/domain';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCoach } from '../../src/features/coach/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock, type ManualClock, realTimers } from '../../src/platform/clock/index.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';

let server: TestServer;
let clock: ManualClock;
/** A Monday. */
const monday = Date.parse('2026-11-23T00:00:00Z');

beforeAll(async () => {
  clock = createManualClock(monday - 3 * 24 * hourMs);
  server = await startTestServer({ clock });
});
afterAll(() => server.close());

const log = pino({ enabled: false });

/** As another process on the same database, or this one after a restart. `isOurs`: it has the duty of chores. */
function recapsOf(changes: unknown[] = [], isOurs = true, isAway = () => false) {
  const bus = createBus(log);
  bus.subscribe('account.changed', (event) => void changes.push(event));
  const { db, server: running } = server;
  const { candles } = running.market;
  const market = {
    ...running.market,
    candles: (...args: Parameters<typeof candles>) =>
      isAway() ? Promise.reject(new Error('the source is away')) : candles(...args),
  };
  return createCoach({
    ...{ db, clock, log, bus, market, timers: realTimers(clock) },
    duties: { isOurs: () => isOurs, isShared: true },
  }).recaps;
}

async function tradeTimes({ client }: Trader, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    server.feed.setPrice('BTCUSDT', '60000');
    const terms = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };
    const { data } = await client.rpc('open_position', terms).throwOnError();
    clock.advance(minuteMs);
    server.feed.setPrice('BTCUSDT', '59900');
    await client.rpc('close_position', { p_position_id: data.id }).throwOnError();
  }
}

/** Past the server: the sessions of a week ago are over. */
async function rowsOf<Row>(sql: string, { userId }: Trader): Promise<readonly Row[]> {
  return (await server.db.query<Row & object>(sql, [userId])).rows;
}
const entriesOf = (trader: Trader) =>
  rowsOf<{ title: string; content: string; tags: string[] }>(
    'select title, content, tags from app.journal_entries where user_id = $1',
    trader,
  );
const noticesOf = (trader: Trader) =>
  rowsOf<{ kind: string; message: string }>(
    `select kind, message from app.notifications where user_id = $1 and kind = 'weekly_recap'`,
    trader,
  );

test('a week has one recap for each account, whichever process writes it and however often', async () => {
  const [trader, few, unwilling] = [
    await server.signUpTrader(),
    await server.signUpTrader(),
    await server.signUpTrader(),
  ];
  await tradeTimes(trader, 5);
  await tradeTimes(few, 4);
  await tradeTimes(unwilling, 5);
  const value = { riskShareMax: null, off: [], recap: false };
  await unwilling.client.from('user_settings').insert({ key: 'coach', value }).throwOnError();

  // Not before the week is over, and its last trades have bars after them.
  clock.advance(monday - clock.now() + 25 * hourMs - minuteMs);
  await recapsOf().run();
  expect(await entriesOf(trader)).toEqual([]);

  clock.advance(2 * minuteMs);
  const changes: unknown[] = [];
  await recapsOf(changes, false).run();
  expect(await entriesOf(trader)).toEqual([]);
  await Promise.all([recapsOf(changes).run(), recapsOf(changes).run()]);
  await recapsOf(changes).run();
  const [entry, ...others] = await entriesOf(trader);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    title: 'Recap of the week from 2026-11-16 to 2026-11-22',
    tags: [recapTag],
    content: expect.stringMatching(/^5 trades closed, net result -\d+\.\d\d USDT/),
  });
  expect(entry?.content).toContain('- No stop loss: -');
  const [, figures = ''] = /^(.*), after fees/.exec(entry?.content ?? '') ?? [];
  expect(await noticesOf(trader)).toEqual([
    { kind: 'weekly_recap', message: `Your week: ${figures}. The recap is in your journal.` },
  ]);
  expect(changes).toHaveLength(1);
  for (const other of [few, unwilling]) {
    expect(await entriesOf(other)).toEqual([]);
    expect(await noticesOf(other)).toEqual([]);
  }
});

test('the net result is that of the rows; a deleted entry does not come back, and the next week has its own', async () => {
  const trader = await server.signUpTrader();
  await tradeTimes(trader, 6);
  const { rows } = await server.db.query<{ net: string }>(
    'select round(sum(realized_pnl - fees + funding), 2)::text as net from app.positions where user_id = $1',
    [trader.userId],
  );
  clock.advance(monday + weekMs - clock.now() + 26 * hourMs);
  await recapsOf().run();
  const [entry] = await entriesOf(trader);
  expect(entry?.content).toContain(`6 trades closed, net result ${rows[0]?.net} USDT`);
  await rowsOf('delete from app.journal_entries where user_id = $1', trader);
  await recapsOf().run();
  expect(await entriesOf(trader)).toEqual([]);
  await trader.client.auth.refreshSession();
  await tradeTimes(trader, 5);
  clock.advance(weekMs);
  await recapsOf().run();
  expect(await entriesOf(trader)).toMatchObject([
    { title: 'Recap of the week from 2026-11-30 to 2026-12-06' },
  ]);
});

test('a full journal gets none, and is not tried again', async () => {
  const trader = await server.signUpTrader();
  await tradeTimes(trader, 5);
  await server.db.query(
    `insert into app.journal_entries (user_id, title, content) select $1, 'a', 'b' from generate_series(1, 10000)`,
    [trader.userId],
  );
  clock.advance(weekMs);
  await recapsOf().run();
  const { rows } = await server.db.query(
    `select (select count(*)::int from app.weekly_recaps where account_id = $1) as weeks,
            (select count(*)::int from app.notifications where user_id = $1 and kind = 'weekly_recap') as notices`,
    [trader.userId],
  );
  expect(rows).toEqual([{ weeks: 1, notices: 0 }]);
});

test('while the source of prices is away the recap waits, for a day at most', async () => {
  const week = async () => {
    const trader = await server.signUpTrader();
    await tradeTimes(trader, 5);
    const ended = clock.now() - ((clock.now() - monday) % weekMs) + weekMs;
    clock.advance(ended - clock.now() + 26 * hourMs);
    return trader;
  };
  let isAway = true;
  const recaps = recapsOf([], true, () => isAway);
  const patient = await week();
  await recaps.run();
  expect(await entriesOf(patient)).toEqual([]);
  isAway = false;
  clock.advance(9 * minuteMs);
  await recaps.run();
  expect(await entriesOf(patient), 'it is not tried each minute').toEqual([]);
  clock.advance(minuteMs);
  await recaps.run();
  expect(await entriesOf(patient)).toHaveLength(1);

  isAway = true;
  const late = await week();
  await recaps.run();
  expect(await entriesOf(late)).toEqual([]);
  clock.advance(24 * hourMs);
  await recaps.run();
  expect(await entriesOf(late)).toMatchObject([{ content: expect.stringMatching(/^5 trades closed/) }]);
});
