import { expect, test } from 'vitest';
import { formatTimeLeft } from '../shared/time/time-left.ts';
import { formatTimeLeftNotice } from './impersonation-time-left.ts';

test('A45: the time left reads in minutes and seconds', () => {
  expect([3600, 1458, 600, 61, 9, 0].map(formatTimeLeft)).toEqual([
    '1:00:00',
    '24:18',
    '10:00',
    '1:01',
    '0:09',
    '0:00',
  ]);
});

test('A45: the end is announced at five minutes and at one', () => {
  expect([301, 300, 61].map(formatTimeLeftNotice)).toEqual([
    '',
    ...Array(2).fill('The impersonation ends in 5 minutes.'),
  ]);
  expect([60, 1].map(formatTimeLeftNotice)).toEqual(Array(2).fill('The impersonation ends in 1 minute.'));
});
