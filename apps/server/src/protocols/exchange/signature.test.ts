import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyClock, verifySignature } from './signature.ts';

const secret = 'a secret';
const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

test('query and body are signed one after the other, exactly as sent, wherever the signature stands', () => {
  const signature = sign('a=%5B1%5D&b=2c=x y');
  expect(() => verifySignature(secret, `a=%5B1%5D&b=2&signature=${signature}`, 'c=x y')).not.toThrow();
  expect(() => verifySignature(secret, 'a=%5B1%5D&b=2', `c=x y&signature=${signature}`)).not.toThrow();
  expect(() => verifySignature(secret, `a=%5B1%5D&signature=${signature}&b=2`, 'c=x y')).not.toThrow();
  expect(() => verifySignature(secret, `signature=${sign('a=1')}&a=1`, '')).not.toThrow();
});

test.each([
  ['another parameter', 'a=1&b=3', 'a=1&b=2', -1022],
  ['another order', 'b=2&a=1', 'a=1&b=2', -1022],
  ['another escape', 'a=[1]', 'a=%5B1%5D', -1022],
])('%s is refused', (_what, sent, signed, code) => {
  expect(() => verifySignature(secret, `${sent}&signature=${sign(signed)}`, '')).toThrow(
    expect.objectContaining({ code }),
  );
});

test('a missing signature is a missing parameter; one of another kind is refused in words', () => {
  expect(() => verifySignature(secret, 'a=1', '')).toThrow(expect.objectContaining({ code: -1102 }));
  expect(() => verifySignature(secret, 'a=1&signature=', '')).toThrow(
    expect.objectContaining({ code: -1102 }),
  );
  expect(() => verifySignature(secret, 'a=1&signature=MEUCIQ==', '')).toThrow(/HMAC-SHA256/);
});

test.each([
  ['the present', { timestamp: '10000' }, null],
  ['just under a second ahead', { timestamp: '10999' }, null],
  ['a second ahead', { timestamp: '11000' }, -1021],
  ['as old as the default window', { timestamp: '5000' }, null],
  ['older than it', { timestamp: '4999' }, -1021],
  ['within a window of its own', { timestamp: '1', recvWindow: '10000' }, null],
  ['with a window beyond a minute', { timestamp: '10000', recvWindow: '60001' }, -1100],
  ['without a time', {}, -1102],
  ['with a time that is none', { timestamp: 'now' }, -1102],
])('a request %s', (_what, params, code) => {
  const verify = () => verifyClock(params, 10_000);
  if (code === null) expect(verify).not.toThrow();
  else expect(verify).toThrow(expect.objectContaining({ code }));
});
