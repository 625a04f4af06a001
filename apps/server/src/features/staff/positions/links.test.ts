import type { SignedIn } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { createFileLinks } from './links.ts';

const mona: SignedIn = { role: 'manager', userId: 'mona', actorId: 'mona', sessionId: 'one', actingId: null };
const mike: SignedIn = { role: 'manager', userId: 'mike', actorId: 'mike', sessionId: 'two', actingId: null };
const start = Date.parse('2026-11-22T08:00:00Z');

function links() {
  let at = start;
  const { make, follow } = createFileLinks<string>({ now: () => at });
  return { make, follow, advance: (ms: number) => (at += ms) };
}

test('a link leads its holder once, within a minute', () => {
  const { make, follow, advance } = links();
  const [first, second] = [make(mona, 'first'), make(mona, 'second')];
  expect(follow(first, mike)).toBeUndefined();
  expect(follow(first, { ...mona, sessionId: 'another' })).toBeUndefined();
  expect(follow(first, mona)?.wanted).toBe('first');
  expect(follow(first, mona)).toBeUndefined();
  advance(60_000);
  expect(follow(second, mona)).toBeUndefined();
});

test('twenty are good at once', () => {
  const { make, follow } = links();
  const tokens = Array.from({ length: 20 }, (_, n) => make(mona, `file ${n}`));
  expect(tokens.map((token) => follow(token, mona)?.wanted)).toEqual(
    Array.from({ length: 20 }, (_, n) => `file ${n}`),
  );
});

test('who asks for more loses the oldest of their own, and nobody else’s', () => {
  const { make, follow } = links();
  const other = make(mike, 'of somebody else');
  const tokens = Array.from({ length: 1_100 }, (_, n) => make(mona, `file ${n}`));
  expect(follow(other, mike)?.wanted).toBe('of somebody else');
  const good = tokens.flatMap((token) => follow(token, mona)?.wanted ?? []);
  expect(good).toEqual(Array.from({ length: 20 }, (_, n) => `file ${1_080 + n}`));
});
