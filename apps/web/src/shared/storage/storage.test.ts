import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const refuse = () => {
  throw new DOMException('no', 'QuotaExceededError');
};
beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

test('a stored value is read back', async () => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
  });
  const { setStored: keep, getStored: stored } = await import('./index.ts');
  keep('a', '1');
  expect([stored('a'), stored('b')]).toEqual(['1', null]);
});

test('a full storage stores nothing, breaks nothing and logs one warning', async () => {
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  const { log } = await import('../log/log.ts');
  const { setStored: keep, getStored: stored } = await import('./index.ts');
  keep('a', '1');
  keep('a', '2');
  expect(stored('a')).toBeNull();
  expect(log.entries).toHaveLength(1);
});

test('a storage that the browser blocks behaves the same', async () => {
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: refuse });
  const { setStored: keep, getStored: stored } = await import('./index.ts');
  keep('a', '1');
  expect(stored('a')).toBeNull();
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a choice that cannot be stored applies to this page', async () => {
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  const { setPreference: prefer, getPreferences: preferences } = await import('../preferences/index.ts');
  prefer('confirmsOrders', false);
  expect(preferences().confirmsOrders).toBe(false);
});
