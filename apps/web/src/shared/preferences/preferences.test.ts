import { expect, test, vi } from 'vitest';
import { defaultPreferences, readPreferences } from './preferences.ts';

test('stored preferences are read', () => {
  const stored = {
    confirmsOrders: false,
    pageKeys: false,
    tradingKeys: true,
    amountUnit: 'quote',
    showsPairOnly: true,
    marketList: 'hidden',
    positionsHeight: 240,
    marketListWidth: null,
    chatNotifications: true,
    chatSound: false,
    alertNotifications: true,
    alertSound: true,
  };
  expect(readPreferences(JSON.stringify(stored))).toEqual(stored);
});

test('each missing or invalid preference counts as its default', () => {
  expect(readPreferences(null)).toEqual(defaultPreferences);
  expect(readPreferences('{"confirmsOrders":')).toEqual(defaultPreferences);
  expect(readPreferences('7')).toEqual(defaultPreferences);
  expect(
    readPreferences(
      '{"amountUnit":"lots","marketList":"left","tradingKeys":true,"positionsHeight":-3,"gone":1}',
    ),
  ).toEqual({
    ...defaultPreferences,
    tradingKeys: true,
  });
});

test('a preference that cannot be stored applies to the page', async () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked });
  // The preferences of a page of its own: other tests of the same worker have theirs.
  vi.resetModules();
  const { getPreferences, setPreference } = await import('./preferences.ts');
  expect(getPreferences()).toEqual(defaultPreferences);
  setPreference('confirmsOrders', false);
  expect(getPreferences().confirmsOrders).toBe(false);
  vi.unstubAllGlobals();
});
