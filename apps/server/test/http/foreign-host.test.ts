/**
 * Threat: DNS rebinding. A foreign page points its own name at this machine after it was loaded; its scripts then share the
 * origin of the server's responses, and the demo's passwords are published. Only `Host` shows the foreign name.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer, testPassword } from '../harness/index.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'fulcrum-web-'));
let server: TestServer;
beforeAll(async () => {
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Fulcrum</title>');
  writeFileSync(join(webRoot, 'assets/app-1a2b3c.js'), 'console.info("built")');
  server = await startTestServer({
    webRoot,
    config: { publicUrl: 'https://trade.example.test', hosts: ['school.lan', 'xn--mnchen-3ya.example'] },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(webRoot, { recursive: true });
});

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly version?: '1.0' | '1.1';
  readonly headers?: readonly string[];
  readonly body?: string;
}
interface Answered {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** As no client would write it. */
function ask({
  method = 'GET',
  target = '/config.json',
  version = '1.1',
  headers = [],
  body,
}: Sent): Promise<Answered> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const lines = [
        `${method} ${target} HTTP/${version}`,
        ...(headers.some((line) => line.startsWith('Connection:')) ? [] : ['Connection: close']),
        ...headers,
        ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      // A websocket stays open.
      if (text.startsWith('HTTP/1.1 101')) socket.destroy();
    });
    socket.once('error', reject).once('close', () => {
      const end = text.indexOf('\r\n\r\n');
      resolve({
        status: Number(text.split(' ', 2)[1]),
        headers: text.slice(0, end),
        body: text.slice(end + 4),
      });
    });
  });
}

const evil = 'Host: evil.test';
const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];
const socketTarget = () => `/realtime/v1/websocket?apikey=${server.anonKey}&vsn=2.0.0`;

describe('SEC-F4: under a foreign name', () => {
  test.each<[string, Sent]>([
    ['the key of the app', {}],
    ['a page', { target: '/login' }],
    ['a file of the web app', { target: '/assets/app-1a2b3c.js' }],
    ['a path that there is not', { target: '/no/such/path' }],
    ['a sign-up', { method: 'POST', target: '/auth/v1/signup', body: '{}' }],
    ['a table', { target: '/rest/v1/trading_pairs?select=symbol' }],
    ['a procedure', { method: 'POST', target: '/rest/v1/rpc/get_candles', body: '{}' }],
    ['a file', { target: '/storage/v1/object/kyc-documents/x/selfie.jpg' }],
    ['an export', { target: '/exports/v1/x' }],
    ['a broadcast', { method: 'POST', target: '/realtime/v1/api/broadcast', body: '{}' }],
    ['another method', { method: 'OPTIONS', target: '/rest/v1/users' }],
  ])('SEC-F4: %s is answered 421', async (_what, request) => {
    for (const name of [
      'evil.test',
      'evil.test:3000',
      'localhost.evil.test',
      'trade.example.test.evil.test',
      'ai.',
    ]) {
      const { status, body, headers } = await ask({ ...request, headers: [`Host: ${name}`] });
      expect(status, name).toBe(421);
      expect(body).not.toContain('sb_publishable');
      expect(headers).not.toMatch(/set-cookie/i);
    }
    expect((await ask({ ...request, headers: ['Host: 127.0.0.1'] })).status).not.toBe(421);
  });

  test('SEC-F4: no websocket opens', async () => {
    const target = socketTarget();
    expect((await ask({ target, headers: [...upgrade, 'Host: localhost'] })).status).toBe(101);
    expect((await ask({ target, headers: [...upgrade, evil] })).status).toBe(421);
  });

  test('SEC-F4: refuses sign-ins, even with the right password from a page of that name', async () => {
    const { email } = await server.signUpTrader();
    const body = JSON.stringify({ email, password: testPassword });
    const request = { method: 'POST', target: '/auth/v1/token?grant_type=password', body };
    const fromPage = (name: string) => [
      `Host: ${name}`,
      `Origin: http://${name}`,
      'x-fulcrum-session: cookie',
    ];
    const refused = await ask({ ...request, headers: fromPage('evil.test') });
    expect(refused.status).toBe(421);
    expect(refused.body).not.toContain('access_token');
    expect(refused.headers).not.toMatch(/set-cookie/i);
    const taken = await ask({ ...request, headers: fromPage('localhost') });
    expect(taken.status).toBe(200);
    expect(taken.headers).toMatch(/set-cookie/i);
  });

  test('SEC-F4: the response states what to do: to programs in the endpoint’s format, to browsers as text', async () => {
    const message =
      'This server does not answer as evil.test. Open it under its own address, or add evil.test to the setting HOSTS and start it again.';
    for (const [target, extra] of [
      ['/config.json', { code: 'host_unknown' }],
      ['/rest/v1/users', { code: 'host_unknown' }],
      ['/auth/v1/user', { code: 'host_unknown' }],
      ['/storage/v1/object/x/y', { statusCode: '421' }],
    ] as const) {
      const { body } = await ask({ target, headers: [evil] });
      expect(JSON.parse(body)).toMatchObject({ message, ...extra });
    }
    const page = await ask({ target: '/login', headers: [evil, 'Accept: text/html,*/*;q=0.8'] });
    expect(page).toMatchObject({ status: 421, body: message });
    expect(page.headers.toLowerCase()).toContain('content-type: text/plain');
    expect(page.headers.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(page.headers.toLowerCase()).toContain('cache-control: no-store');
  });
});

test.each([
  'trade.example.test',
  'TRADE.example.test:443',
  'trade.example.test.',
  'school.lan',
  'xn--mnchen-3ya.example',
  'localhost:8080',
  '127.0.0.1',
  '192.168.7.20:3000',
  '203.0.113.5',
  '[::1]:3000',
  '[fd00::7]',
  'fulcrum',
  'class_server:3000',
  'pi.local',
])('SEC-F4: under the name %s everything is there', async (name) => {
  const { status, body } = await ask({ headers: [`Host: ${name}`] });
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ anonKey: server.anonKey });
});

describe('SEC-F12: a request that names two hosts, or none', () => {
  test.each<[string, Sent]>([
    ['two Host headers', { headers: ['Host: localhost', evil] }],
    ['two alike', { headers: ['Host: localhost', 'host: localhost'] }],
    ['a target of another host', { target: 'http://evil.test/config.json', headers: ['Host: localhost'] }],
    ['another target than the header', { target: 'http://localhost/config.json', headers: [evil] }],
    ['nothing in it', { headers: ['Host:'] }],
    ['a name that is none', { headers: ['Host: evil.test@localhost'] }],
    ['a list', { headers: ['Host: localhost, evil.test'] }],
    ['no Host in HTTP/1.1', {}],
    ['no Host in HTTP/1.0', { version: '1.0' }],
  ])('SEC-F12: %s is answered 400', async (_what, request) => {
    const { status, body } = await ask(request);
    expect(status).toBe(400);
    expect(body).not.toContain('sb_publishable');
  });

  test('SEC-F12: a whole address as target is served when it is the same host', async () => {
    const request = { target: 'http://localhost:3000/config.json', headers: ['Host: localhost:3000'] };
    expect((await ask(request)).status).toBe(200);
  });
});

test('SEC-F12: HSTS speaks for the host of PUBLIC_URL alone, not for what else is below it', async () => {
  const { headers } = await ask({ target: '/login', headers: ['Host: localhost', 'Accept: text/html'] });
  expect(headers.toLowerCase()).toContain('strict-transport-security: max-age=31536000\r\n');
});

describe('SEC-F4: the health of the server', () => {
  const health = async (...headers: string[]) => {
    const { status, body } = await ask({ target: '/health', version: '1.0', headers });
    expect(status).toBe(200);
    return JSON.parse(body) as { engine: object; realtime?: object };
  };

  test.each([
    'evil.test',
    'trade.example.test',
    'fulcrum',
    'pi.local',
    '192.168.7.20',
    'localhost.evil.test',
  ])(
    'SEC-F4: is answered under the name %s without its figures, though the request comes from this machine',
    async (name) => {
      const report = await health(`Host: ${name}`);
      expect(report).not.toHaveProperty('realtime');
      expect(report.engine).toEqual({ ok: true, reason: null });
    },
  );

  test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]'])(
    'SEC-F4: is answered under %s with them',
    async (name) => expect(await health(`Host: ${name}`)).toHaveProperty('realtime'),
  );

  test('SEC-F4: is reported to an anonymous probe, without figures', async () => {
    expect(await health()).not.toHaveProperty('realtime');
  });

  test('SEC-F4: only its path is disclosed', async () => {
    for (const target of ['/health/', '/health/x', '/Health', '//health', '/config.json?/health']) {
      expect((await ask({ target, headers: [evil] })).status, target).toBe(421);
    }
  });
});

describe('SEC-F4: the forwarded host of a proxy', () => {
  afterAll(() => server.restart());
  const forwarded = (host: string, forwardedHost: string) =>
    ask({ headers: [`Host: ${host}`, `X-Forwarded-Host: ${forwardedHost}`] });

  test('SEC-F4: is not looked at without TRUST_PROXY', async () => {
    expect((await forwarded('evil.test', 'localhost')).status).toBe(421);
    expect((await forwarded('localhost', 'evil.test')).status).toBe(200);
  });

  test('SEC-F4: is looked at beside Host, never in its place: a page may write it', async () => {
    for (const trustProxy of [1, ['127.0.0.1']]) {
      await server.restart({ trustProxy });
      expect((await forwarded('evil.test', 'localhost')).status).toBe(421);
      expect((await forwarded('localhost', 'evil.test')).status).toBe(421);
      expect((await forwarded('localhost', 'trade.example.test, evil.test')).status).toBe(421);
      expect((await forwarded('fulcrum:3000', 'trade.example.test')).status).toBe(200);
    }
    await server.restart({ trustProxy: ['192.0.2.1'] });
    expect((await forwarded('localhost', 'evil.test')).status).toBe(200);
  });
});
