import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { mayReload } from './lazy-code.tsx';

test('a tab reloads for missing code once, and again only after a minute', () => {
  const now = Date.parse('2026-11-21T06:00:00Z');
  expect(mayReload(null, now)).toBe(true);
  expect(mayReload(String(now - 1000), now)).toBe(false);
  expect(mayReload(String(now - 59_999), now)).toBe(false);
  expect(mayReload(String(now - 60_000), now)).toBe(true);
});

test('a clock that was set back does not prevent a reload', () => {
  const now = Date.parse('2026-11-21T06:00:00Z');
  expect(mayReload(String(now + hourMs), now)).toBe(true);
});
