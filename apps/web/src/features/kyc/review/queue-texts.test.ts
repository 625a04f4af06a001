import { expect, test } from 'vitest';
import { type CaseInQueue, getDecidedText, getQueueEndText } from './queue-texts.ts';

const lastOne: CaseInQueue = { next_id: null, waiting: 1, verification: { status: 'pending' } };

test('all is done where the decided case was the only one that waited', () => {
  expect(getQueueEndText(lastOne)).toBe('No other case is waiting');
  expect(getDecidedText('zoe approved', lastOne)).toBe('zoe approved. All done: nothing is left to review.');
});

test('what other admins have claimed still waits', () => {
  const claimed = { ...lastOne, waiting: 2 };
  expect(getQueueEndText(claimed)).toBe('The others are claimed');
  expect(getDecidedText('zoe approved', claimed)).toBe('zoe approved');
});

test('a decided case is not one of those that wait', () => {
  const decided: CaseInQueue = { ...lastOne, verification: { status: 'approved' } };
  expect(getQueueEndText(decided)).toBe('The others are claimed');
  expect(getQueueEndText({ ...decided, waiting: 0 })).toBe('No other case is waiting');
});

test('with a next case a decision is only named', () => {
  expect(getDecidedText('zoe rejected', { ...lastOne, next_id: 'next', waiting: 2 })).toBe('zoe rejected');
});
