/** The sessions that `/fapi` publishes: the hours of the market's own calendar, where they are honoured. */

import { afterEach, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

/** A Wednesday in November, 12:00 UTC. */
const now = Date.UTC(2026, 10, 18, 12);
const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour, minute);
let server: TestServer | undefined;
afterEach(() => server?.close());

interface Schedule {
  symbols: string[];
  sessions: { startTime: number; endTime: number; type: string }[];
}
interface Schedules {
  updateTime: number;
  marketSchedules: Readonly<Record<string, Schedule>> & {
    readonly EQUITY?: Schedule;
    readonly FOREX?: Schedule;
  };
}

async function readSchedules(sessions: 'honour' | '24x7'): Promise<Schedules> {
  server = await startTestServer({ clock: createManualClock(now), config: { sessions } });
  const response = await fetch(`${server.url}/fapi/v1/tradingSchedule`);
  expect(response.status).toBe(200);
  return (await response.json()) as Schedules;
}

test('a week from yesterday on, without a hole, for every market that shuts', async () => {
  const { updateTime, marketSchedules } = await readSchedules('honour');
  expect(updateTime).toBe(now);
  expect(Object.keys(marketSchedules)).not.toContain('COIN');
  const { EQUITY: equity, FOREX: forex } = marketSchedules;
  expect(equity?.symbols).toContain('AAPLUSDT');
  // New York is five hours behind in November.
  expect(equity?.sessions.slice(0, 4)).toEqual([
    { startTime: at(17, 0), endTime: at(17, 14, 30), type: 'NO_TRADING' },
    { startTime: at(17, 14, 30), endTime: at(17, 21), type: 'REGULAR' },
    { startTime: at(17, 21), endTime: at(18, 14, 30), type: 'NO_TRADING' },
    { startTime: at(18, 14, 30), endTime: at(18, 21), type: 'REGULAR' },
  ]);
  expect(forex?.sessions).toEqual([
    { startTime: at(17, 0), endTime: at(20, 22), type: 'REGULAR' },
    { startTime: at(20, 22), endTime: at(22, 22), type: 'NO_TRADING' },
    { startTime: at(22, 22), endTime: at(24, 0), type: 'REGULAR' },
  ]);
  const listed = Object.values(marketSchedules).flatMap(({ symbols }) => symbols);
  expect(new Set(listed).size).toBe(listed.length);
  for (const { sessions } of Object.values(marketSchedules)) {
    expect(sessions.at(-1)?.endTime).toBe(at(24, 0));
    for (const [index, session] of sessions.entries())
      expect(session.startTime).toBe(index === 0 ? at(17, 0) : sessions.at(index - 1)?.endTime);
  }
  const info = (await (await fetch(`${server?.url}/fapi/v1/exchangeInfo`)).json()) as {
    symbols: { symbol: string; underlyingType: string }[];
  };
  for (const [name, { symbols }] of Object.entries(marketSchedules))
    for (const id of symbols)
      expect(info.symbols.find(({ symbol }) => symbol === id)?.underlyingType).toBe(name);
});

test('markets that trade round the clock have none', async () => {
  expect((await readSchedules('24x7')).marketSchedules).toEqual({});
});
