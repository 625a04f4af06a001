/**
 * The plain HTTP surface around the Supabase protocol: the built web app, and `/config.json` for the browser's first
 * request. Invariants: every page carries the strict content policy (no inline script, no foreign
 * origin), except one without an origin (`third-party.ts`); an unknown path of an API never returns the app's page.
 */
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { PublicConfig } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import { registerThirdPartyPolicy } from './third-party.ts';

export { type Health, type HealthPart, toHealthPart } from './health.ts';
export { createHostCheck, requireKnownHost } from './hosts.ts';
export { registerOperatorRoutes } from './operators.ts';
export { detectUntrustedProxy } from './untrusted-proxy.ts';

interface HttpDependencies {
  /** Folder of the built web app (`index.html` and hashed `assets/`). */
  readonly webRoot: string;
  readonly secure: boolean;
  readonly publicConfig: () => PublicConfig;
}

const apiPrefixes = [
  '/auth/',
  '/exports/',
  '/hooks/',
  '/mcp/',
  '/openapi/',
  '/rest/',
  '/storage/',
  '/realtime/',
];
/** The app's own page among them: where mailed links lead (A42). */
const callbackPage = '/auth/callback';
const year = 31_536_000;

/** Registers `/config.json` and the web app on `app`. */
export async function registerHttp(app: FastifyInstance, deps: HttpDependencies): Promise<void> {
  // API responses are never pages: two constant headers suffice, and the hot path skips the policy.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
  });
  app.get('/config.json', (_request, reply) =>
    reply.header('cache-control', 'no-store').send(deps.publicConfig()),
  );

  await app.register((pages) => registerPages(pages, deps));
}

/** Serves the built web app under the strict content policy, and answers every path without a route. */
async function registerPages(pages: FastifyInstance, deps: HttpDependencies): Promise<void> {
  await pages.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        // Radix positions its popovers with inline styles; scripts stay strict.
        'style-src': ["'self'", "'unsafe-inline'"],
        // `blob:` is a picture that a user selected but has not sent, or one of an identity check under review.
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // Plain http on a LAN is a supported installation; https is detected from PUBLIC_URL. Subdomains are the operator's own
    // decision.
    strictTransportSecurity: deps.secure ? { maxAge: year, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  registerThirdPartyPolicy(pages);

  const built = existsSync(join(deps.webRoot, 'index.html'));
  const assets = join(deps.webRoot, 'assets') + sep;
  if (built) {
    await pages.register(fastifyStatic, {
      root: deps.webRoot,
      preCompressed: true,
      index: 'index.html',
      setHeaders: (reply, path) => {
        reply.header(
          'cache-control',
          path.startsWith(assets) ? `public, max-age=${year}, immutable` : 'no-cache',
        );
      },
    });
  }

  pages.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const reads = request.method === 'GET' || request.method === 'HEAD';
    // A probe of `/` accepts any type; elsewhere only a browser's navigation wants the page.
    const requestsPage = reads && (path === '/' || (request.headers.accept ?? '').includes('text/html'));
    const isApi = path !== callbackPage && apiPrefixes.some((prefix) => path.startsWith(prefix));
    if (requestsPage && !isApi && built) {
      return reply.header('cache-control', 'no-cache').sendFile('index.html');
    }
    if (requestsPage && !isApi) {
      return reply
        .code(503)
        .type('text/plain')
        .send('The web app is not built. Run `npm run build`, then reload.');
    }
    return reply
      .code(404)
      .send({ code: 'not_found', message: `There is nothing at ${path}.`, details: null, hint: null });
  });
}
