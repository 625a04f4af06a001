import { expect, test } from 'vitest';
import { subjectOf } from '../supabase/claims.ts';
import { actingOf } from './acting.ts';

const tokenOf = (claims: object): string => `e30.${btoa(JSON.stringify(claims))}.signature`;

test('AUTH-52: a token that acts names the original user beside the one acted as, and until when', () => {
  const token = tokenOf({ sub: 'trader', act: { sub: 'admin', id: 'i1', until: 1_800_000_000 } });
  expect(subjectOf(token)).toBe('trader');
  expect(actingOf(token)).toEqual({ originalUserId: 'admin', untilMs: 1_800_000_000_000 });
});

test('AUTH-53: a token of one person alone acts as nobody', () => {
  expect(actingOf(tokenOf({ sub: 'admin' }))).toBeNull();
});

test('what is no token names nobody', () => {
  for (const text of ['', 'x', 'a.b.c', tokenOf([]), 'sb_publishable_0', `a.${btoa('null')}.c`]) {
    expect(actingOf(text)).toBeNull();
    expect(subjectOf(text)).toBe('');
  }
});
