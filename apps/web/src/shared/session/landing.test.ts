import { expect, test } from 'vitest';
import { homeOf, landingAfterSignIn, originOf } from './landing.ts';

test.each([
  ['AUTH-06', 'support', '/support'],
  ['AUTH-07', 'admin', '/admin'],
  ['AUTH-08', 'manager', '/manager'],
  ['AUTH-09', 'trader', '/dashboard'],
] as const)('%s: a %s lands on %s', (_id, role, path) => {
  expect(homeOf(role)).toBe(path);
  expect(landingAfterSignIn(role, null)).toBe(path);
});

test('ROUTE-27: a trader returns to the remembered page of the trader’s area, with its query', () => {
  expect(landingAfterSignIn('trader', '/trading?symbol=BTCUSDT')).toBe('/trading?symbol=BTCUSDT');
  expect(landingAfterSignIn('trader', '/wallet#history')).toBe('/wallet#history');
});

test('A43: staff always go to their home, and foreign or unknown origins are ignored', () => {
  expect(landingAfterSignIn('admin', '/wallet')).toBe('/admin');
  for (const from of ['/admin', '//evil.example/wallet', 'https://evil.example/wallet', '/walletx', '']) {
    expect(landingAfterSignIn('trader', from)).toBe('/dashboard');
  }
});

test('an untyped navigation state yields an origin only when it is one', () => {
  expect(originOf({ from: '/wallet' })).toBe('/wallet');
  for (const state of [null, undefined, 'x', {}, { from: 1 }]) expect(originOf(state)).toBeNull();
});
