import { expect, test } from 'vitest';
import { parseSubject } from '../supabase/claims.ts';
import { parseImpersonation } from './impersonation.ts';

const tokenOf = (claims: object): string => `e30.${btoa(JSON.stringify(claims))}.signature`;

test('AUTH-52: the token of an impersonation names both users and its end', () => {
  const token = tokenOf({ sub: 'trader', act: { sub: 'admin', id: 'i1', until: 1_800_000_000 } });
  expect(parseSubject(token)).toBe('trader');
  expect(parseImpersonation(token)).toEqual({ originalUserId: 'admin', untilMs: 1_800_000_000_000 });
});

test('AUTH-53: a token with one user only is no impersonation', () => {
  expect(parseImpersonation(tokenOf({ sub: 'admin' }))).toBeNull();
});

test('an invalid token is no impersonation', () => {
  for (const text of ['', 'x', 'a.b.c', tokenOf([]), 'sb_publishable_0', `a.${btoa('null')}.c`]) {
    expect(parseImpersonation(text)).toBeNull();
    expect(parseSubject(text)).toBe('');
  }
});
