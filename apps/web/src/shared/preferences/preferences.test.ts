import { expect, test, vi } from 'vitest';
import { defaultPreferences, prefer, preferences, readPreferences } from './preferences.ts';

test('what is stored is taken over', () => {
  const stored = {
    confirmsOrders: false,
    pageKeys: false,
    tradingKeys: true,
    amountUnit: 'quote',
    showsPairOnly: true,
    marketList: 'hidden',
    chatNotifications: true,
    chatSound: false,
  };
  expect(readPreferences(JSON.stringify(stored))).toEqual(stored);
});

test('what is missing or does not fit counts as the default, one by one', () => {
  expect(readPreferences(null)).toEqual(defaultPreferences);
  expect(readPreferences('{"confirmsOrders":')).toEqual(defaultPreferences);
  expect(readPreferences('7')).toEqual(defaultPreferences);
  expect(readPreferences('{"amountUnit":"lots","marketList":"left","tradingKeys":true,"gone":1}')).toEqual({
    ...defaultPreferences,
    tradingKeys: true,
  });
});

test('where nothing can be kept a preference holds for the page', () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked });
  expect(preferences()).toEqual(defaultPreferences);
  prefer('confirmsOrders', false);
  expect(preferences().confirmsOrders).toBe(false);
  vi.unstubAllGlobals();
});
