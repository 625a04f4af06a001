/** Threat: what the router refuses is answered by the framework, without the headers and the shape of every other answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../harness/index.ts';

const long = 'a'.repeat(300);
const longestLink = 'a'.repeat(100);

// The files of a built web app have a route for every GET, and the router then refuses less by itself.
describe.each(['without', 'with'])('%s a built web app', (built) => {
  let server: TestServer;
  const webRoot = mkdtempSync(join(tmpdir(), 'fulcrum-web-'));
  beforeAll(async () => {
    if (built === 'with') writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Fulcrum</title>');
    server = await startTestServer({ webRoot });
  });
  afterAll(async () => {
    await server.close();
    rmSync(webRoot, { recursive: true });
  });

  test.each([
    ['/%ff', 400],
    ['/exports/v1/%E0%A4%A', 400],
    [`/exports/v1/${long}`, 414],
    [`/exports/v1/${long}/x`, 414],
    [`/exports/v1/${longestLink}a`, 414],
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

  test('X-20: a link that is no longer than one may be is looked up, and other paths there are not found', async () => {
    const answerTo = (path: string) =>
      fetch(`${server.url}/exports/v1/${path}`, { headers: { apikey: server.anonKey } });
    expect(await (await answerTo(longestLink)).json()).toMatchObject({ code: 'not_signed_in' });
    for (const path of ['a/b', `${longestLink}/b`]) {
      const answer = await answerTo(path);
      expect(answer.status, path).toBe(404);
      expect(await answer.json(), path).toMatchObject({ code: 'not_found' });
    }
  });
});
