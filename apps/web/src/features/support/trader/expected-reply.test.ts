import { expect, test } from 'vitest';
import { formatExpectedReply, formatWithin } from './expected-reply.ts';

test.each([
  [0, 'within a minute'],
  [60, 'within a minute'],
  [61, 'within 2 min'],
  [179, 'within 3 min'],
  [3_600, 'within 1 h'],
  [3_601, 'within 2 h'],
  [200_000, 'within 3 days'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatWithin(seconds)).toBe(text);
});

test('a usual time is shown only when it was measured and an agent is available', () => {
  const presence = { agents: [], n: 3, typical_first_response_s: 170 };
  expect(formatExpectedReply({ ...presence, status: 'available' })).toBe(
    'Online, usually replies within 3 min',
  );
  expect(formatExpectedReply({ ...presence, status: 'busy' })).toBe('Busy, usually replies within 3 min');
  expect(formatExpectedReply({ ...presence, status: 'available', typical_first_response_s: null })).toBe(
    'Online',
  );
  expect(formatExpectedReply({ ...presence, status: 'offline' })).toBe(
    'Offline, we will answer your message later',
  );
});
