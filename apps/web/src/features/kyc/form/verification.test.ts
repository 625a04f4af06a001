import { expect, test } from 'vitest';
import { type Attempt, reasonsOf, standingOf } from './verification.ts';

test('reasons are read from json; what is none is left out', () => {
  const wire = [
    { document: 'selfie', code: 'blurry', text: 'Blurred.' },
    { document: 'passport', code: 'x', text: 'Of all of it.' },
    { document: 'selfie', code: 'x' },
    null,
    'text',
  ];
  expect(reasonsOf(wire)).toEqual([
    { document: 'selfie', text: 'Blurred.' },
    { document: null, text: 'Of all of it.' },
  ]);
  expect(reasonsOf({ 0: 'x' })).toEqual([]);
});

const attempt = (status: Attempt['status'], rejectType: Attempt['rejectType'] = null) =>
  ({ status, rejectType }) as Attempt;

test('A63: the standing follows the person’s status, a pending attempt before it, a final rejection beside it', () => {
  expect(standingOf('unverified', null)).toBe('unverified');
  expect(standingOf('unverified', attempt('pending'))).toBe('pending');
  expect(standingOf('rejected', attempt('rejected', 'retry'))).toBe('rejected');
  expect(standingOf('rejected', attempt('rejected', 'final'))).toBe('declined');
  expect(standingOf('rejected', null)).toBe('rejected');
  // Reopened by an admin.
  expect(standingOf('unverified', attempt('rejected', 'final'))).toBe('unverified');
  expect(standingOf('verified', attempt('approved'))).toBe('verified');
});
