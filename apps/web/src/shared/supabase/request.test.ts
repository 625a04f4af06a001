import { expect, test } from 'vitest';
import { getErrorMessage, RequestError, unwrapOrNull } from './request.ts';

const fallback = 'Failed to place order';
const failing = (status: number, error: { message: string; code?: string }) =>
  unwrapOrNull(Promise.resolve({ data: null, error, status })).catch((cause: unknown) => cause);

test('TRADE-45: a refusal shows the message of the server', async () => {
  const refused = await failing(409, { message: 'Market is closed.', code: 'market_closed' });
  expect(getErrorMessage(refused, fallback)).toBe('Market is closed.');
});
test('A101: a busy server shows its own text', async () => {
  const message = 'The service is busy. Please try again shortly.';
  expect(getErrorMessage(await failing(503, { message, code: 'busy' }), fallback)).toBe(message);
});
test('TRADE-45: a fault, a lost answer and the page of a proxy show the text of the screen', async () => {
  const fault = await failing(500, { message: 'An unexpected error occurred', code: 'internal' });
  const lost = await failing(0, { message: 'TypeError: Failed to fetch', code: '' });
  const proxy = await failing(413, { message: '<html>Request Entity Too Large</html>' });
  for (const error of [fault, lost, proxy]) {
    expect(error).toBeInstanceOf(RequestError);
    expect(getErrorMessage(error, fallback)).toBe(fallback);
  }
  expect(proxy).toMatchObject({ code: '' });
});
test('a missing row is null', async () => {
  expect(await unwrapOrNull(Promise.resolve({ data: null, error: null, status: 200 }))).toBeNull();
});
