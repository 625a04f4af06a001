import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Health,
  registerHttp,
  registerOperatorRoutes,
  toHealthPart,
} from '../../src/protocols/http/index.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

// Lies below a folder of the name that hashed files have, as a clone might.
const outer = mkdtempSync(join(tmpdir(), 'fulcrum-web-'));
const webRoot = join(outer, 'assets/dist');
const healthToken = 'of-the-monitoring-0123456789';
const script = 'console.info("built");'.repeat(200);
let app: FastifyInstance;
let url: string;
let health: Health;

beforeAll(async () => {
  mkdirSync(join(webRoot, 'assets'), { recursive: true });
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Fulcrum</title>');
  writeFileSync(join(webRoot, 'index.html.gz'), gzipSync('<!doctype html><title>Fulcrum</title>'));
  writeFileSync(join(webRoot, 'assets/app-1a2b3c.js'), script);
  writeFileSync(join(webRoot, 'assets/app-1a2b3c.js.gz'), gzipSync(script));
  writeFileSync(join(tmpdir(), 'fulcrum-outside.txt'), 'outside');
  app = fastify();
  await registerHttp(app, {
    webRoot,
    secure: false,
    publicConfig: () => ({
      anonKey: 'sb_publishable_test',
      publicUrl: 'http://127.0.0.1',
      rules: 'standard',
      feed: { kind: 'simulated', source: 'simulated', simulated: true, recorded: null },
      priceTolerancePct: 0.5,
      feeRate: 0,
      allowReset: false,
      staleAfterS: null,
      registration: 'open',
      mail: 'outbox',
      pushKey: null,
      contactEmail: null,
      contactPhone: null,
      demo: false,
    }),
  });
  registerOperatorRoutes(app, {
    health: async () => health,
    readiness: async () => toHealthPart(true, ''),
    metrics: new Registry(),
    responded: () => undefined,
    healthToken,
    metricsToken: null,
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  rmSync(outer, { recursive: true });
  rmSync(join(tmpdir(), 'fulcrum-outside.txt'));
});

const page = (path: string) => fetch(`${url}${path}`, { headers: { accept: 'text/html' } });

describe('the web app', () => {
  test.each(['/', '/login', '/trading', '/auth/callback?code=x', '/no/such/page', '/assets'])(
    'ROUTE-23, AUTH-34: %s answers the app, which knows its routes, under the strict content policy',
    async (path) => {
      const answer = await page(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('<title>Fulcrum</title>');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src[^;]*(unsafe|\*)/);
    },
  );

  test('the front page needs no compression to be served', async () => {
    const answer = await app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  });

  test.each(['GET', 'HEAD'])('%s / is the page for a probe too, which accepts anything', async (method) => {
    const answer = await fetch(`${url}/`, { method });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  test('assets are served compressed as built and cached for a year', async () => {
    const answer = await fetch(`${url}/assets/app-1a2b3c.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe(script);
  });

  test.each([
    '/../fulcrum-outside.txt',
    '/%2e%2e/fulcrum-outside.txt',
    '/assets/..%2f..%2ffulcrum-outside.txt',
    '/assets/%252e%252e/%252e%252e/fulcrum-outside.txt',
  ])('%s leads nowhere', async (path) => {
    const answer = await app.inject({ method: 'GET', url: path });
    expect(answer.body).not.toContain('outside\n');
    expect(answer.body).not.toBe('outside');
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  });
});

describe('an unknown path', () => {
  test.each(['/rest/v2/users', '/auth/v1/nothing', '/storage/v1/object/x'])(
    '%s of an API is an error even for a browser, never the page',
    async (path) => {
      const answer = await page(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/json');
    },
  );

  test('without an accept header for pages is an error too', async () => {
    const answer = await fetch(`${url}/missing.js`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });
});

describe('beside a built web app, a path that a protocol does not serve', () => {
  let whole: TestServer;
  beforeAll(async () => {
    whole = await startTestServer({ webRoot });
  });
  afterAll(() => whole.close());

  test('the page is there', async () => {
    const answer = await fetch(`${whole.url}/login`, { headers: { accept: 'text/html' } });
    expect(await answer.text()).toContain('<title>Fulcrum</title>');
  });

  const notServed = (path: string) => `GET ${path} is not served here.`;
  test.each([
    ['/rest/v1/a/b', { code: 'PGRST125', message: 'Invalid path specified in request URL', hint: null }],
    ['/auth/v1/nothing', { code: 'not_found', message: notServed('/auth/v1/nothing') }],
    ['/auth/v1/signup', { code: 'not_found', message: notServed('/auth/v1/signup') }],
    [
      '/storage/v1/bucket',
      { statusCode: '404', code: 'not_found', message: notServed('/storage/v1/bucket') },
    ],
    ['/realtime/v1/x', { code: 'not_found', message: notServed('/realtime/v1/x'), hint: null }],
    ['/realtime/v1/api/broadcast', { code: 'not_found', message: notServed('/realtime/v1/api/broadcast') }],
  ])('A54: GET %s is its own 404, even for a browser', async (path, body) => {
    for (const accept of ['text/html', 'application/json', '*/*']) {
      const answer = await fetch(`${whole.url}${path}?x=1`, { headers: { accept } });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(answer.headers.get('content-security-policy'), 'no page answers').toBeNull();
      expect(await answer.json()).toMatchObject(body);
    }
    expect((await fetch(`${whole.url}${path}`, { method: 'HEAD' })).status).toBe(404);
  });
});

describe('/health', () => {
  const well = { ok: true, reason: null };
  const calm: Health = {
    status: 'ready',
    database: well,
    feed: { ...well, symbols: { priced: 30, listed: 30 } },
    engine: { ...well, halted: null, commands: 7 },
    invariants: { ...well, violations: [] },
    disk: { ...well, freeBytes: 7 },
    backup: { ...well, lastAt: null },
    realtime: { sockets: 3 },
  };
  const bare = {
    status: 'ready',
    ...{ database: well, feed: well, engine: well, invariants: well, disk: well, backup: well },
  };

  test.each([
    ['ready', true, 200],
    ['degraded', true, 200],
    ['unavailable', false, 503],
  ] as const)('%s answers %s %i', async (status, ok, code) => {
    health = { ...calm, status, database: { ok, reason: null } };
    const answer = await fetch(`${url}/health`);
    expect(answer.status).toBe(code);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ status, database: { ok } });
  });

  test.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])(
    'an operator on the machine (%s) sees the figures',
    async (remoteAddress) => {
      health = calm;
      expect((await app.inject({ url: '/health', remoteAddress })).json()).toEqual(calm);
    },
  );

  test.each([
    ['from elsewhere', '192.0.2.7', {}],
    ['from elsewhere over IPv6', '2001:db8::7', {}],
    ['through a proxy on the machine', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }],
    ['who claims to be the machine', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['through a proxy that writes RFC 7239', '::1', { forwarded: 'for=192.0.2.7' }],
    ['through a proxy that forwards only that', '::1', { via: '1.1 edge' }],
  ])(
    'a visitor %s sees what is well, what is not and why, and no figures',
    async (_name, remoteAddress, headers) => {
      health = calm;
      const request = { url: '/health', remoteAddress, headers };
      expect((await app.inject(request)).json()).toEqual(bare);

      const halted = { ok: false, reason: 'trading is halted' };
      const text = 'invariant violated: wallet (of 7d1c)';
      health = { ...calm, status: 'degraded', engine: { ...halted, halted: text } };
      const answer = await app.inject(request);
      expect(answer.json()).toEqual({ ...bare, status: 'degraded', engine: halted });

      health = calm;
      const ask = async (authorization: string) =>
        (await app.inject({ ...request, headers: { ...headers, authorization } })).json();
      expect(await ask(`Bearer ${healthToken}`), 'HEALTH_TOKEN').toEqual(calm);
      expect(await ask(`Bearer ${healthToken.slice(0, -1)}`)).toEqual(bare);
      expect(await ask(healthToken)).toEqual(bare);
    },
  );
});
