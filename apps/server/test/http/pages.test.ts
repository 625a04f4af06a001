import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Health, registerHttp } from '../../src/protocols/http/index.ts';

// Lies below a folder of the name that hashed files have, as a clone might.
const outer = mkdtempSync(join(tmpdir(), 'fulcrum-web-'));
const webRoot = join(outer, 'assets/dist');
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
    health: async () => health,
    publicConfig: () => ({
      anonKey: 'sb_publishable_test',
      publicUrl: 'http://127.0.0.1',
      rules: 'standard',
      feed: { source: 'simulated', simulated: true },
      priceTolerancePct: 0.5,
      staleAfterS: null,
      demo: false,
    }),
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

  test('assets are served compressed as built and kept for a year', async () => {
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

describe('/health', () => {
  const calm = { feed: {}, engine: {}, realtime: {}, invariants: {} };
  test.each([
    ['ready', true, 200],
    ['degraded', true, 200],
    ['unavailable', false, 503],
  ] as const)('%s answers %s %i', async (status, ok, code) => {
    health = { status, database: { ok }, ...calm };
    const answer = await fetch(`${url}/health`);
    expect(answer.status).toBe(code);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ status, database: { ok } });
  });
});
