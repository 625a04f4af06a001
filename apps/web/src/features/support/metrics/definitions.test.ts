import type { SupportMetrics } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { getFigures } from './definitions.ts';

const nothing = { n: 0, mean: null, median: null, p90: null };
const none = { n: 0, of: 0, share: null };
const empty: SupportMetrics = {
  sessions: 0,
  first_response: nothing,
  response: nothing,
  resolution: nothing,
  resolved: none,
  abandoned: none,
  satisfied: none,
  rated: none,
  active_chats: 0,
  interactions: 0,
  unanswered: 0,
  longest_wait_s: null,
  as_of: '2026-11-21T12:00:00.000Z',
};
const textsOf = (metrics: SupportMetrics) =>
  getFigures(metrics).map(({ term, value, beneath }) => `${term}: ${value} (${beneath})`);

test('A69: a figure without data is a dash with its reason', () => {
  expect(textsOf(empty)).toEqual([
    'First response: – (No answers)',
    'Response time: – (No answers)',
    'Resolution time: – (No closed sessions)',
    'Resolution rate: – (No sessions)',
    'Satisfaction: – (No ratings)',
    'Active chats: 0 (No one is waiting)',
  ]);
});

test('n is beside every rate, p90 and mean beside every median', () => {
  expect(
    textsOf({
      ...empty,
      first_response: { n: 3, median: 108, p90: 250, mean: 130.4 },
      resolved: { n: 37, of: 40, share: 0.925 },
      abandoned: { n: 2, of: 40, share: 0.05 },
      satisfied: { n: 0, of: 4, share: 0 },
      rated: { n: 4, of: 10, share: 0.4 },
      active_chats: 1,
      unanswered: 1,
      longest_wait_s: 61,
    }),
  ).toEqual([
    'First response: 1 min 48 s (p90 4 min 10 s, mean 2 min 10 s, n 3)',
    'Response time: – (No answers)',
    'Resolution time: – (No closed sessions)',
    'Resolution rate: 92.5% (37 of 40, 2 abandoned)',
    'Satisfaction: 0.0% (0 of 4, 40.0% rated)',
    'Active chats: 1 (1 unanswered, longest 1 min 1 s)',
  ]);
});
