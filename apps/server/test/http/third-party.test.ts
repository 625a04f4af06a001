import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerHttp } from '../../src/protocols/http/index.ts';

const shipped = fileURLToPath(new URL('../../../web/public/', import.meta.url));
let webRoot: string;
let app: FastifyInstance;

beforeAll(async () => {
  webRoot = mkdtempSync(join(tmpdir(), 'fulcrum-frame-'));
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Fulcrum</title>');
  app = fastify();
  for (const name of ['third-party-chart.html', 'third-party-chart.js']) {
    copyFileSync(join(shipped, name), join(webRoot, name));
  }
  await registerHttp(app, {
    webRoot,
    secure: false,
    publicConfig: () => {
      throw new Error('not requested');
    },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(webRoot, { recursive: true });
});

/** The policy's directives by name. */
async function policyOf(url: string): Promise<ReadonlyMap<string, string>> {
  const { headers } = await app.inject({ url, headers: { accept: 'text/html' } });
  const policy = String(headers['content-security-policy']);
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ');
      return [name, values.join(' ')] as const;
    }),
  );
}

test.each(['/third-party-chart.html', '/third-party-chart.html?kind=tape&theme=dark'])(
  'A35: %s has no origin, may be framed by this server alone and loads one foreign script',
  async (url) => {
    const policy = await policyOf(url);
    expect(policy.get('sandbox')).toBe('allow-scripts allow-popups');
    expect(policy.get('frame-ancestors')).toBe("'self'");
    expect(policy.get('script-src')).toBe("'self' https://s3.tradingview.com");
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.has('connect-src'), 'what default-src states').toBe(false);
  },
);

test.each([
  '/',
  '/trading',
  '/third-party-chart.html/',
  '/third-party-chart',
  '/?/third-party-chart.html',
  '/third%2Dparty-chart.html',
])('A35: %s keeps the strict policy', async (url) => {
  const policy = await policyOf(url);
  expect(policy.get('script-src')).toBe("'self'");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect(policy.has('sandbox')).toBe(false);
});

test('the script of the page without an origin may be fetched by it, others by this origin alone', async () => {
  const of = async (url: string) => (await app.inject({ url })).headers['cross-origin-resource-policy'];
  expect(await of('/third-party-chart.js')).toBe('cross-origin');
  expect(await of('/')).toBe('same-origin');
});
