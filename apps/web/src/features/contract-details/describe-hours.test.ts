import { ALWAYS_OPEN } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { describeHours } from './describe-hours.ts';

test('a market that never closes', () => {
  expect(describeHours(ALWAYS_OPEN)).toEqual({ lines: ['All day, every day'], zone: null });
});

test('an exchange with a lunch break', () => {
  expect(describeHours('Asia/Tokyo|Mon-Fri 09:00-11:30;Mon-Fri 12:30-15:30')).toEqual({
    lines: ['Monday to Friday, 09:00 to 11:30', 'Monday to Friday, 12:30 to 15:30'],
    zone: 'Tokyo time',
  });
});

test('a week that runs over midnights', () => {
  expect(describeHours('America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00')).toEqual({
    lines: ['Sunday, from 17:00', 'Monday to Thursday, all day', 'Friday, until 17:00'],
    zone: 'New York time',
  });
});

test('an unreadable part is shown as it is', () => {
  expect(describeHours('UTC|sometimes').lines).toEqual(['sometimes']);
});
