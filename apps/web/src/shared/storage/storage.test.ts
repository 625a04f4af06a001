import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const refuse = () => {
  throw new DOMException('no', 'QuotaExceededError');
};
beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

test('what is kept is read again', async () => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
  });
  const { keep, kept } = await import('./index.ts');
  keep('a', '1');
  expect([kept('a'), kept('b')]).toEqual(['1', null]);
});

test('a full storage keeps nothing and breaks nothing, and says so once', async () => {
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  const { log } = await import('../log/log.ts');
  const { keep, kept } = await import('./index.ts');
  keep('a', '1');
  keep('a', '2');
  expect(kept('a')).toBeNull();
  expect(log.entries).toHaveLength(1);
});

test('neither does one that the browser does not hand over at all', async () => {
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: refuse });
  const { keep, kept } = await import('./index.ts');
  keep('a', '1');
  expect(kept('a')).toBeNull();
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a choice holds for this page where it cannot be kept', async () => {
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  const { prefer, preferences } = await import('../preferences/index.ts');
  prefer('confirmsOrders', false);
  expect(preferences().confirmsOrders).toBe(false);
});
