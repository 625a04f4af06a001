/** Threat: what the router refuses is answered by the framework, without the headers and the shape of every other answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const long = 'a'.repeat(300);

test.each([
  ['/%ff', 400],
  ['/exports/v1/%E0%A4%A', 400],
  [`/exports/v1/${long}`, 414],
  [`/realtime/v1/api/broadcast/${long}/events/x`, 414],
])('X-20: %s is refused as anything else is, and not repeated', async (path, status) => {
  const method = path.startsWith('/realtime') ? 'POST' : 'GET';
  const answer = await fetch(`${server.url}${path}`, { method, headers: { apikey: server.anonKey } });
  expect(answer.status).toBe(status);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(await answer.json()).toEqual({
    code: 'invalid_request',
    message: 'This address cannot be read.',
    details: null,
    hint: null,
  });
});
