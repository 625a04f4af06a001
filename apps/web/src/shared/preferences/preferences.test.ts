import { expect, test, vi } from 'vitest';
import {
  applyLayout,
  defaultLayout,
  defaultPreferences,
  getLayout,
  getPreferences,
  readPreferences,
  setPreference,
} from './preferences.ts';

test('stored preferences are read', () => {
  const stored = {
    confirmsOrders: false,
    pageKeys: false,
    tradingKeys: true,
    ownKeys: { 'ticket-buy': 'B', 'positions-close': 'Shift+Q', 'positions-cancel': '#' },
    placedOrders: 2,
    amountUnit: 'quote',
    showsPairOnly: true,
    marketList: 'hidden',
    positionsHeight: 240,
    marketListWidth: null,
    marketColumns: ['volume'],
    marketSort: { by: 'change', descending: true },
    secondChart: 'ETHUSDT',
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
      '{"amountUnit":"lots","marketList":"left","tradingKeys":true,"positionsHeight":-3,"marketColumns":"all","marketSort":{"by":"age"},"secondChart":7,"ownKeys":{"a":"Enter","b":7,"c":"Control+B"},"gone":1}',
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

test('a layout is taken over whole, and the other preferences stay', () => {
  setPreference('confirmsOrders', false);
  setPreference('positionsHeight', 300);
  applyLayout({ marketListWidth: 400, marketList: 'nowhere', confirmsOrders: true });
  expect(getLayout()).toMatchObject({ marketListWidth: 400, marketList: 'auto', positionsHeight: null });
  expect(getPreferences().confirmsOrders).toBe(false);
  applyLayout({});
  expect(getLayout()).toEqual(defaultLayout);
});
