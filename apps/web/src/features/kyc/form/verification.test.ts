import { expect, test } from 'vitest';
import { type Attempt, getVerificationStatus, parseReasons } from './verification.ts';

test('reasons are parsed from JSON; invalid ones are left out', () => {
  const wire = [
    { document: 'selfie', code: 'blurry', text: 'Blurred.' },
    { document: 'passport', code: 'x', text: 'Of all of it.' },
    { document: 'selfie', code: 'x' },
    null,
    'text',
  ];
  expect(parseReasons(wire)).toEqual([
    { document: 'selfie', text: 'Blurred.' },
    { document: null, text: 'Of all of it.' },
  ]);
  expect(parseReasons({ 0: 'x' })).toEqual([]);
});

const attempt = (status: Attempt['status'], rejectType: Attempt['rejectType'] = null) =>
  ({ status, rejectType }) as Attempt;

test('A63: the status follows the profile, except for a pending attempt or a final rejection', () => {
  expect(getVerificationStatus('unverified', null)).toBe('unverified');
  expect(getVerificationStatus('unverified', attempt('pending'))).toBe('pending');
  expect(getVerificationStatus('rejected', attempt('rejected', 'retry'))).toBe('rejected');
  expect(getVerificationStatus('rejected', attempt('rejected', 'final'))).toBe('declined');
  expect(getVerificationStatus('rejected', null)).toBe('rejected');
  // An admin reopened it.
  expect(getVerificationStatus('unverified', attempt('rejected', 'final'))).toBe('unverified');
  expect(getVerificationStatus('verified', attempt('approved'))).toBe('verified');
});
