import { expect, test } from 'vitest';
import { formatSnoozeEnd, mentions, mergeTriage, nextEndMs, snoozeOptions, type Triage } from './triage.ts';

const row = (session_id: string, second: number, more: Partial<Triage> = {}): Triage => ({
  session_id,
  user_id: 'trader',
  tags: [],
  snoozed_until: null,
  is_open: true,
  updated_at: `2026-11-27T10:00:0${second}Z`,
  ...more,
});

test('a row is replaced by a newer one only', () => {
  const held = [row('a', 5, { tags: ['refund'] }), row('b', 1)];
  expect(mergeTriage(held, row('a', 4))).toBe(held);
  expect(mergeTriage(held, row('a', 6))).toEqual([row('b', 1), row('a', 6)]);
  expect(mergeTriage(held, row('c', 0))).toHaveLength(3);
});

test('the next end of a snooze is the earliest that is ahead', () => {
  const now = Date.parse('2026-11-27T10:00:00Z');
  const until = (minute: number) => ({ snoozed_until: new Date(now + minute * 60_000).toISOString() });
  expect(nextEndMs([row('a', 0, until(-5)), row('b', 0, until(9)), row('c', 0, until(3))], now)).toBe(
    now + 3 * 60_000,
  );
  expect(nextEndMs([row('a', 0), row('b', 0, until(-5))], now)).toBeNull();
});

test('a note mentions a name in any case', () => {
  expect(mentions({ content: 'Please look, @Lina.' }, 'lina')).toBe(true);
  expect(mentions({ content: 'Lina knows' }, 'lina')).toBe(false);
});

test('a snooze ends within the day, tomorrow at nine, or on Monday at nine', () => {
  const friday = new Date(2026, 10, 27, 16, 30).getTime();
  const options = snoozeOptions(friday);
  expect(options.map(({ label }) => label)).toEqual([
    'For an hour',
    'For four hours',
    'Until tomorrow',
    'Until Monday',
  ]);
  expect(options.slice(2).map(({ until }) => until)).toEqual([
    new Date(2026, 10, 28, 9).getTime(),
    new Date(2026, 10, 30, 9).getTime(),
  ]);
  // Tomorrow is Monday.
  expect(snoozeOptions(new Date(2026, 10, 29, 12).getTime())).toHaveLength(3);
});

test('the end of a snooze is a time today, and a day later on', () => {
  const now = new Date(2026, 10, 27, 16, 30).getTime();
  expect(formatSnoozeEnd(new Date(2026, 10, 27, 17, 5).toISOString(), now)).toBe('17:05');
  expect(formatSnoozeEnd(new Date(2026, 10, 30, 9).toISOString(), now)).toMatch(/^Mon.* 30 Nov$/);
});
