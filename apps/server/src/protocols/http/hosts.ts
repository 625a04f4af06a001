/**
 * Checks `Host` against DNS rebinding. A page whose name is later pointed at this machine is of the same origin as its
 * responses; only `Host` still shows the foreign name. Invariant: under a foreign name only the health checks
 * answer, so `request.host` is always the server's own address.
 *
 * Accepted are the host of PUBLIC_URL, HOSTS, and names that no public resolver answers: `localhost`, addresses, single
 * labels and `.local`. Ports do not matter. Behind a trusted proxy X-Forwarded-Host has to pass in addition to Host: a page
 * may forge the former, and a numeric TRUST_PROXY does not check its sender.
 *
 * Known limitation: a network whose own resolver answers for single labels or `.local` could rebind those.
 */
import { isIP } from 'node:net';
import { AppError } from '@fulcrum/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A name or an address in brackets, then perhaps a port: RFC 9110, 7.2. */
const hostField = /^(?<name>\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{0,5})?$/i;

/** Returns the name in a `Host`, in lowercase, an IPv6 address without brackets; null for an invalid one. */
export function hostName(field: string | undefined): string | null {
  const name = hostField.exec(field ?? '')?.groups?.name;
  return name?.toLowerCase().replace(/^\[|\]$/g, '') ?? null;
}

/** Whether a host is one of those names, or one that cannot be rebound. */
export function createHostCheck(publicUrl: string, hosts: readonly string[]): (name: string) => boolean {
  const own = new Set(['localhost', ...hosts, hostName(new URL(publicUrl).host)]);
  return (name) => {
    // A name may end with the dot of the root; with it, one label is a public name.
    const bare = name.replace(/\.$/, '');
    return own.has(bare) || isIP(name) !== 0 || !name.includes('.') || bare.endsWith('.local');
  };
}

/** No page can show this text, so it is declared here and not among the browser's texts. */
const hostUnknown = (name: string) =>
  `This server does not answer as ${name}. Open it under its own address, or add ${name} to the setting HOSTS and start it again.`;

const badRequest = (message: string) => new AppError('invalid_argument', message);

/** RFC 9112, 3.2: one Host, and the same as in the target where that names one. @throws AppError */
function requireOneHost({ raw }: FastifyRequest): void {
  let fields = 0;
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    if (raw.rawHeaders[i]?.length === 4 && raw.rawHeaders[i]?.toLowerCase() === 'host') fields += 1;
  }
  if (fields > 1) throw badRequest('A request has one Host header.');
  const target = raw.url ?? '/';
  if (target.startsWith('/') || !URL.canParse(target)) return;
  if (hostName(new URL(target).host) === hostName(raw.headers.host)) return;
  throw badRequest('The request names two hosts.');
}

const healthChecks: ReadonlySet<string> = new Set(['/health', '/health/live', '/health/ready']);

/** Refuses foreign names; registered before any route. */
export function requireKnownHost(app: FastifyInstance, isKnown: (name: string) => boolean): void {
  const requireKnown = (field: string) => {
    const name = hostName(field);
    // HTTP/1.0 may leave it out; no browser does.
    if (name === null) throw badRequest('The request names no host that can be read.');
    if (!isKnown(name)) throw new AppError('host_unknown', hostUnknown(name));
  };
  app.addHook('onRequest', (request, reply, done) => {
    try {
      requireOneHost(request);
      if (!healthChecks.has(request.routeOptions.url ?? '')) {
        requireKnown(request.headers.host ?? '');
        // Differs where a trusted proxy states the original host.
        if (request.host !== request.headers.host) requireKnown(request.host);
      }
    } catch (error) {
      reply.header('cache-control', 'no-store');
      // The user who typed the name reads this page.
      if (error instanceof AppError && request.headers.accept?.includes('text/html')) {
        reply
          .header('x-content-type-options', 'nosniff')
          .code(error.status)
          .type('text/plain')
          .send(error.message);
        return;
      }
      done(error as Error);
      return;
    }
    done();
  });
}
