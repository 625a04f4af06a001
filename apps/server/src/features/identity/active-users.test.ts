import { minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createTestNetwork } from '../../../test/harness/cluster.ts';
import { createManualTimers } from '../../../test/harness/manual-timers.ts';
import { createActiveUsers, shareActiveUsers } from './active-users.ts';

function createProcesses() {
  const timers = createManualTimers(Date.UTC(2026, 10, 29));
  const network = createTestNetwork();
  const revoked = new Set<string>();
  const start = () => {
    const link = network.link();
    const activeUsers = createActiveUsers({ isRevoked: (sessionId) => revoked.has(sessionId) });
    const stop = shareActiveUsers({ link, timers, activeUsers });
    return {
      ...{ link, stop, count: () => activeUsers.count(timers.now()) },
      receive: (session: string, user: string) => activeUsers.record(session, user, timers.now()),
    };
  };
  return { timers, revoked, one: start(), other: start() };
}

test('a user of two processes counts once at each, until the sessions end or are silent for five minutes', async () => {
  const { timers, revoked, one, other } = createProcesses();
  one.receive('anna here', 'anna');
  other.receive('anna there', 'anna');
  other.receive('bert', 'bert');
  expect([one.count(), other.count()]).toEqual([1, 2]);
  await timers.advance(10_000);
  expect([one.count(), other.count()]).toEqual([2, 2]);
  revoked.add('bert');
  expect([one.count(), other.count()]).toEqual([1, 1]);
  await timers.advance(4 * minuteMs);
  one.receive('anna here', 'anna');
  await timers.advance(2 * minuteMs);
  expect([one.count(), other.count()]).toEqual([1, 1]);
  await timers.advance(4 * minuteMs);
  expect([one.count(), other.count()]).toEqual([0, 0]);
});

test('many sessions go out in pages, one every 100 ms, and a larger message is not read', async () => {
  const { timers, one, other } = createProcesses();
  const pages: number[] = [];
  other.link.lose((_, payload) => pages.push((payload as { sessions: unknown[] }).sessions.length) < 0);
  for (let n = 0; n < 2_500; n += 1) one.receive(`session ${n}`, `user ${n}`);
  await timers.advance(10_000);
  expect(pages).toEqual([1_000]);
  await timers.advance(200);
  expect(pages).toEqual([1_000, 1_000, 500]);
  expect(other.count()).toBe(2_500);
  const sessions = Array.from({ length: 1_001 }, (_, n) => [`late ${n}`, `late ${n}`]);
  one.link.publish('gateway.active', { sessions });
  await timers.advance(0);
  expect(other.count()).toBe(2_500);
  one.receive('session', 'anna');
  await timers.advance(9_999);
  expect(pages).toHaveLength(4);
  await timers.advance(1);
  expect(pages).toHaveLength(5);
});

test('sends a session once for its requests between two messages, and nothing of other processes', async () => {
  const { timers, one, other } = createProcesses();
  const messages: unknown[] = [];
  for (const { link } of [one, other]) link.lose((_, payload) => messages.push(payload) < 0);
  for (let n = 0; n < 3; n += 1) one.receive('session', 'anna');
  await timers.advance(minuteMs);
  expect(messages).toEqual([{ sessions: [['session', 'anna']] }]);
  one.receive('session', 'anna');
  await timers.advance(minuteMs);
  expect(messages).toHaveLength(2);
  one.stop();
  one.receive('session', 'anna');
  await timers.advance(minuteMs);
  expect(messages).toHaveLength(2);
});
