import { expect, test } from 'vitest';
import { metricsCsv } from './metrics-csv.ts';

test('support metrics are exported to six decimals, and without data as empty cells', () => {
  const nothing = { n: 0, mean: null, median: null, p90: null };
  const lines = metricsCsv(
    {
      sessions: 4,
      interactions: 31,
      first_response: { n: 3, median: 108, mean: 130.25, p90: 250 },
      response: nothing,
      resolution: nothing,
      resolved: { n: 2, of: 3, share: 2 / 3 },
      abandoned: { n: 1, of: 3, share: 1 / 3 },
      satisfied: { n: 0, of: 0, share: null },
      rated: { n: 0, of: 2, share: 0 },
      active_chats: 1,
      unanswered: 1,
      longest_wait_s: 42,
      as_of: '2026-11-21T12:00:00.000Z',
    },
    { from: '2026-11-15T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
  ).split('\r\n');
  const range = '2026-11-15T00:00:00.000Z,2026-11-22T00:00:00.000Z';
  expect(lines[0]).toBe('From (UTC),To (UTC),Figure,Count,Of,Share,Median s,Mean s,P90 s');
  expect(lines).toHaveLength(14);
  expect(lines).toContain(`${range},First response,3,,,108,130.25,250`);
  expect(lines).toContain(`${range},Response time,0,,,,,`);
  expect(lines).toContain(`${range},Resolution rate,2,3,0.666667,,,`);
  expect(lines).toContain(`${range},Satisfaction,0,0,,,,`);
  expect(lines).toContain(`${range},Longest wait now,,,,42,,`);
});
