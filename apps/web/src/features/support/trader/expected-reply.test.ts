import { expect, test } from 'vitest';
import { expectedReply, withinText } from './expected-reply.ts';

test.each([
  [0, 'within a minute'],
  [60, 'within a minute'],
  [61, 'within 2 min'],
  [179, 'within 3 min'],
  [3_600, 'within 1 h'],
  [3_601, 'within 2 h'],
  [200_000, 'within 3 days'],
])('%d seconds are told as %s', (seconds, text) => {
  expect(withinText(seconds)).toBe(text);
});

test('a usual time is told only when somebody is there and it was measured', () => {
  const presence = { agents: [], n: 3, typical_first_response_s: 170 };
  expect(expectedReply({ ...presence, status: 'available' })).toBe('Online, usually replies within 3 min');
  expect(expectedReply({ ...presence, status: 'busy' })).toBe('Busy, usually replies within 3 min');
  expect(expectedReply({ ...presence, status: 'available', typical_first_response_s: null })).toBe('Online');
  expect(expectedReply({ ...presence, status: 'offline' })).toBe('Offline, your message is answered later');
});
