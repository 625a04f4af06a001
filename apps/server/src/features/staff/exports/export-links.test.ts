import type { SignedIn } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { createExportLinks } from './export-links.ts';

const mona: SignedIn = {
  role: 'manager',
  userId: 'mona',
  accountId: 'mona',
  actorId: 'mona',
  sessionId: 'one',
  impersonationId: null,
};
const mike: SignedIn = {
  role: 'manager',
  userId: 'mike',
  accountId: 'mike',
  actorId: 'mike',
  sessionId: 'two',
  impersonationId: null,
};
const start = Date.parse('2026-11-22T08:00:00Z');

function links() {
  let at = start;
  const { make, redeem } = createExportLinks<string>({ now: () => at });
  return { make, redeem, advance: (ms: number) => (at += ms) };
}

test('a link leads its holder once, within a minute', () => {
  const { make, redeem, advance } = links();
  const [first, second] = [make(mona, 'first'), make(mona, 'second')];
  expect(redeem(first, mike)).toBeUndefined();
  expect(redeem(first, { ...mona, sessionId: 'another' })).toBeUndefined();
  expect(redeem(first, mona)?.request).toBe('first');
  expect(redeem(first, mona)).toBeUndefined();
  advance(60_000);
  expect(redeem(second, mona)).toBeUndefined();
});

test('twenty are good at once', () => {
  const { make, redeem } = links();
  const tokens = Array.from({ length: 20 }, (_, n) => make(mona, `file ${n}`));
  expect(tokens.map((token) => redeem(token, mona)?.request)).toEqual(
    Array.from({ length: 20 }, (_, n) => `file ${n}`),
  );
});

test('beyond the limit a user loses the oldest of their own links only', () => {
  const { make, redeem } = links();
  const other = make(mike, 'of another user');
  const tokens = Array.from({ length: 1_100 }, (_, n) => make(mona, `file ${n}`));
  expect(redeem(other, mike)?.request).toBe('of another user');
  const good = tokens.flatMap((token) => redeem(token, mona)?.request ?? []);
  expect(good).toEqual(Array.from({ length: 20 }, (_, n) => `file ${1_080 + n}`));
});
