/** A69: what support did, against figures reckoned by hand from the tables of events below. */
import { dayMs } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../harness/index.ts';
import { type Member, member, storeConversation } from './conversations.ts';

let server: TestServer;
let [anna, ben, trader, admin]: Member[] = [];
let traders: string[];

beforeAll(async () => {
  server = await startTestServer();
  [anna, ben, trader, admin] = [
    await member(server, 'support'),
    await member(server, 'support'),
    await member(server, 'trader'),
    await member(server, 'admin'),
  ];
  traders = [];
  for (let index = 0; index < 6; index += 1) traders.push((await server.signUpTrader()).userId);
}, 60_000);
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.query('delete from app.chat_sessions');
});

/** Yesterday by UTC: a whole day that is over, whenever the test runs. */
const yesterday = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
const date = (start: number) => new Date(start).toISOString().slice(0, 10);
/** `minute` of yesterday; below 0 it is the evening before. */
const at = (minute: number) => new Date(yesterday + minute * 60_000);
const messages = (...minutes: readonly (readonly [number, string | null])[]) =>
  minutes.map(([minute, agent]) => ({ at: at(minute), agent }));

async function metrics(from: number, to: number, supportId?: string) {
  const { data, error } = await admin!.client.rpc('get_support_metrics', {
    p_from: new Date(from).toISOString(),
    p_to: new Date(to).toISOString(),
    ...(supportId !== undefined && { p_support_id: supportId }),
  });
  if (error) throw error;
  return data;
}
const metricsOfDay = (start: number, supportId?: string) => metrics(start, start + dayMs, supportId);

async function day(start: number) {
  const { data, error } = await anna!.client.from('support_metrics').select('*').eq('date', date(start));
  if (error) throw error;
  return data[0] as Record<string, number | null> | undefined;
}

const none = { n: 0, mean: null, median: null, p90: null };
const noRate = { n: 0, of: 0, share: null };

/**
 * Minutes of yesterday; `t` is the trader, `A` and `B` are the agents.
 *
 *     1  600 t  601 t  605 A  606 A  610 t  612 B        closed 630 by A, rated 5
 *     2  700 t  720 B                                    closed 730 by B, rated 2
 *     3  800 t                                           closed 815 by A, without an answer
 *     4  900 t  902 t  (open)
 *     5  -10 t   20 A  (opened the evening before)       closed  50 by A, rated 4
 */
async function happened(): Promise<void> {
  const [a, b] = [anna!.id, ben!.id];
  const [one, two, three, four, five] = traders as [string, string, string, string, string];
  const { db } = server;
  await storeConversation(db, {
    userId: one,
    messages: messages([600, null], [601, null], [605, a], [606, a], [610, null], [612, b]),
    closed: { at: at(630), by: a },
    rating: 5,
  });
  await storeConversation(db, {
    userId: two,
    messages: messages([700, null], [720, b]),
    closed: { at: at(730), by: b },
    rating: 2,
  });
  await storeConversation(db, {
    userId: three,
    messages: messages([800, null]),
    closed: { at: at(815), by: a },
  });
  await storeConversation(db, { userId: four, messages: messages([900, null], [902, null]) });
  await storeConversation(db, {
    userId: five,
    messages: messages([-10, null], [20, a]),
    closed: { at: at(50), by: a },
    rating: 4,
  });
}

describe('a day', () => {
  beforeEach(happened);

  test('a burst is one wait, from its first message on; durations count on the day they end', async () => {
    const found = await metricsOfDay(yesterday);
    // 5 and 20 and 30 minutes.
    expect(found.first_response).toEqual({ n: 3, mean: 1100, median: 1200, p90: expect.closeTo(1680, 6) });
    // 5, 2, 20 and 30 minutes.
    expect(found.response).toEqual({ n: 4, mean: 855, median: 750, p90: expect.closeTo(1620, 6) });
    // 30, 30, 15 and 60 minutes.
    expect(found.resolution).toEqual({ n: 4, mean: 2025, median: 1800, p90: expect.closeTo(3060, 6) });
  });

  test('conversations count where they were opened: resolved after an answer, abandoned without one', async () => {
    const found = await metricsOfDay(yesterday);
    expect(found.sessions).toBe(4);
    expect(found.resolved).toEqual({ n: 2, of: 4, share: 0.5 });
    expect(found.abandoned).toEqual({ n: 1, of: 4, share: 0.25 });
    const before = await metricsOfDay(yesterday - dayMs);
    expect(before.sessions).toBe(1);
    expect(before.resolved).toEqual({ n: 1, of: 1, share: 1 });
    expect(before).toMatchObject({ first_response: none, response: none, interactions: 1 });
  });

  test('ratings are listed beside the number of possible ones', async () => {
    const found = await metricsOfDay(yesterday);
    expect(found.satisfied).toEqual({ n: 2, of: 3, share: 2 / 3 });
    expect(found.rated).toEqual({ n: 3, of: 4, share: 0.75 });
  });

  test('open conversations, waiting ones, and the waiting time', async () => {
    const found = await metricsOfDay(yesterday);
    expect(found.interactions).toBe(12);
    expect(found.unanswered).toBe(1);
    const waits = (Date.parse(found.as_of) - at(900).getTime()) / 1000;
    expect(found.longest_wait_s).toBeCloseTo(waits, 3);
    const isOfLastDay = at(902).getTime() > Date.parse(found.as_of) - dayMs;
    expect(found.active_chats).toBe(isOfLastDay ? 1 : 0);
  });

  test('an agent is credited with what they sent and closed', async () => {
    const found = await metricsOfDay(yesterday, anna!.id);
    expect(found.first_response).toMatchObject({ n: 2, mean: 1050 });
    expect(found.response).toMatchObject({ n: 2, mean: 1050 });
    expect(found.resolution).toMatchObject({ n: 3, mean: 2100 });
    expect(found.satisfied).toEqual({ n: 2, of: 2, share: 1 });
    expect(found.rated).toEqual({ n: 2, of: 3, share: 2 / 3 });
    expect(found).toMatchObject({ sessions: 2, interactions: 3, unanswered: 0, longest_wait_s: null });
    expect(found.resolved).toEqual({ n: 1, of: 2, share: 0.5 });
    expect(found.abandoned).toEqual({ n: 1, of: 2, share: 0.5 });
    const other = await metricsOfDay(yesterday, ben!.id);
    // 20 minutes, and the 2 minutes of a conversation that Anna had answered first.
    expect(other.first_response).toMatchObject({ n: 1, mean: 1200 });
    expect(other.response).toMatchObject({ n: 2, mean: 660 });
    expect(other.satisfied).toEqual({ n: 0, of: 1, share: 0 });
  });

  test('the work of a deleted agent stays, without an agent', async () => {
    const gone = await member(server, 'support');
    await storeConversation(server.db, {
      userId: traders[5]!,
      messages: messages([1000, null], [1001, gone.id]),
      closed: { at: at(1005), by: gone.id },
    });
    const { error } = await admin!.client.rpc('delete_user_with_data', {
      p_user_id: gone.id,
      p_reason: 'has left',
    });
    expect(error).toBeNull();
    const found = await metricsOfDay(yesterday);
    expect(found.first_response.n).toBe(4);
    expect(found.resolved).toEqual({ n: 3, of: 5, share: 0.6 });
    expect((await metricsOfDay(yesterday, gone.id)).first_response).toEqual(none);
  });

  test('CALL-77, ENT-35: the view by day agrees', async () => {
    expect(await day(yesterday)).toEqual({
      date: date(yesterday),
      totalSessions: 4,
      averageResponseTime: 855,
      resolutionRate: 50,
      customerSatisfaction: expect.closeTo(66.6667, 3),
      // Number 4, without an answer.
      activeChats: 1,
      dailyInteractions: 12,
    });
    expect(await day(yesterday - dayMs)).toMatchObject({
      totalSessions: 1,
      averageResponseTime: null,
      resolutionRate: 100,
      customerSatisfaction: null,
      activeChats: 1,
      dailyInteractions: 1,
    });
  });

  test('CALL-77: a day is reckoned without the others', async () => {
    const { rows } = await server.db.query<{ 'QUERY PLAN': string }>(
      'explain (analyze, timing off, costs off) select * from api.support_metrics where date = $1',
      [date(yesterday)],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Function Scan on generate_series d \(actual rows=1(\.00)? loops=1\)/);
  });
});

describe('no data', () => {
  test('is null, never 0', async () => {
    const found = await metricsOfDay(yesterday);
    expect(found).toMatchObject({
      sessions: 0,
      first_response: none,
      response: none,
      resolution: none,
      resolved: noRate,
      abandoned: noRate,
      satisfied: noRate,
      rated: noRate,
      active_chats: 0,
      interactions: 0,
      unanswered: 0,
      longest_wait_s: null,
    });
  });

  test('CALL-77: today has its row all the same', async () => {
    const today = Math.floor(Date.now() / dayMs) * dayMs;
    expect(await day(today)).toEqual({
      date: date(today),
      totalSessions: 0,
      averageResponseTime: null,
      resolutionRate: null,
      customerSatisfaction: null,
      activeChats: 0,
      dailyInteractions: 0,
    });
  });

  test('an empty conversation was never had', async () => {
    await storeConversation(server.db, {
      userId: traders[0]!,
      messages: [],
      closed: { at: at(10), by: anna!.id },
    });
    expect(await metricsOfDay(yesterday)).toMatchObject({ sessions: 0, rated: noRate, resolution: none });
  });

  test('an agent who writes first ends no wait', async () => {
    await storeConversation(server.db, {
      userId: traders[0]!,
      messages: messages([10, anna!.id], [20, null], [23, anna!.id]),
      closed: { at: at(40), by: anna!.id },
    });
    const found = await metricsOfDay(yesterday);
    expect(found.response).toMatchObject({ n: 1, mean: 180 });
    expect(found.first_response).toMatchObject({ n: 1, mean: 180 });
    expect(found.resolution).toMatchObject({ n: 1, mean: 1200 });
  });
});

test('without a message of the trader there is no resolution time', async () => {
  await storeConversation(server.db, {
    userId: traders[0]!,
    messages: messages([10, anna!.id]),
    closed: { at: at(40), by: anna!.id },
  });
  const found = await metricsOfDay(yesterday);
  expect(found).toMatchObject({ sessions: 1, resolution: none, first_response: none, interactions: 1 });
});

describe('accepted arguments', () => {
  const ask = (args: Record<string, string>) => admin!.client.rpc('get_support_metrics', args);

  test.each([
    ['2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['yesterday', '2026-01-01T00:00:00Z'],
    ['2026-02-30T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2026-01-01', '2026-01-02'],
  ])('not from %s to %s', async (p_from, p_to) => {
    const { error, status } = await ask({ p_from, p_to });
    expect(status).toBe(400);
    expect(error?.code).toBe('invalid_argument');
  });

  test('not by a trader', async () => {
    const { status } = await trader!.client.rpc('get_support_metrics', {
      p_from: at(0).toISOString(),
      p_to: at(10).toISOString(),
    });
    expect(status).toBe(403);
    expect((await trader!.client.from('support_metrics').select('*')).status).toBe(403);
  });
});
