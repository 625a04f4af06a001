import { expect, test, vi } from 'vitest';
import { newClientId } from './index.ts';

test('a client id needs no secure context and never repeats', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = new Set(Array.from({ length: 1000 }, newClientId));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  vi.unstubAllGlobals();
});
