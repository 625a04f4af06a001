import { expect, test, vi } from 'vitest';
import { createTokenRenewal } from './token-renewal.ts';

const tokenOf = (sub: string, nth = 0): string => `e30.${btoa(JSON.stringify({ sub, nth }))}.signature`;

test('requests refused at the same time cause one refresh, and are repeated with its token', async () => {
  const refresh = vi.fn(async () => tokenOf('u1', 1));
  const renew = createTokenRenewal(refresh);
  const old = tokenOf('u1');
  expect(await Promise.all([renew(old, old), renew(old, old)])).toEqual([tokenOf('u1', 1), tokenOf('u1', 1)]);
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('A45: a request of an impersonation is not repeated as the original user', async () => {
  const renew = createTokenRenewal(async () => tokenOf('admin'));
  expect(await renew(tokenOf('trader'), tokenOf('trader'))).toBeNull();
  expect(await renew(tokenOf('trader'), tokenOf('admin'))).toBeNull();
});

test('a token that another tab renewed is used without a refresh', async () => {
  const refresh = vi.fn(async () => null);
  const renew = createTokenRenewal(refresh);
  expect(await renew(tokenOf('u1'), tokenOf('u1', 1))).toBe(tokenOf('u1', 1));
  expect(refresh).not.toHaveBeenCalled();
});

test('an ended session repeats nothing, and a server that refuses everything gets one refresh in 10 s', async () => {
  let now = 0;
  const refresh = vi.fn(async () => null);
  const renew = createTokenRenewal(refresh, () => now);
  expect(await renew(tokenOf('u1'), tokenOf('u1'))).toBeNull();
  now = 9_999;
  await renew(tokenOf('u1'), tokenOf('u1'));
  expect(refresh).toHaveBeenCalledTimes(1);
  now = 10_000;
  await renew(tokenOf('u1'), tokenOf('u1'));
  expect(refresh).toHaveBeenCalledTimes(2);
});
