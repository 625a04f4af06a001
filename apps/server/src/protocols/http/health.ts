/**
 * The health report, and who reads figures. Invariant: callers other than operators receive, per part, whether it is well
 * and a fixed reason if not. Figures and the text of a halt, which can name accounts, are for operators: who asks on this
 * machine, or knows the token of the setting.
 *
 * Known limitation: a proxy on this machine that adds no forwarding header, and uses a loopback name instead of passing on
 * `Host`, makes its visitors look like operators.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { hostName } from './hosts.ts';

/** A part of the server. */
export interface HealthPart {
  readonly ok: boolean;
  /** The public reason of the failure; null without one. */
  readonly reason: string | null;
}

type HealthPartWithFigures = HealthPart & { readonly [figure: string]: unknown };

export interface Health {
  /** `ready` serves and trades; `degraded` serves, but one part below has a problem or soon will. */
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly database: HealthPartWithFigures;
  readonly feed: HealthPartWithFigures;
  readonly engine: HealthPartWithFigures;
  readonly invariants: HealthPartWithFigures;
  readonly disk: HealthPartWithFigures;
  readonly backup: HealthPartWithFigures;
  /** In a cluster alone. */
  readonly cluster?: HealthPartWithFigures;
  /** Whether client addresses are real; for operators only. */
  readonly addresses?: HealthPart;
  /** Figures only; none of them affects readiness. */
  readonly realtime: object;
}

export const toHealthPart = (ok: boolean, reason: string): HealthPart => ({ ok, reason: ok ? null : reason });

/** The part of the report that any caller may read. */
export function toPublicHealth({
  status,
  database,
  feed,
  engine,
  invariants,
  disk,
  backup,
  cluster,
}: Health) {
  const bare = ({ ok, reason }: HealthPart): HealthPart => ({ ok, reason });
  return {
    status,
    database: bare(database),
    feed: bare(feed),
    engine: bare(engine),
    invariants: bare(invariants),
    disk: bare(disk),
    backup: bare(backup),
    ...(cluster && { cluster: bare(cluster) }),
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const isLoopback = (ip: string) => loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');

/**
 * Whether the request comes from this machine itself, and not through a proxy on it, nor from a local browser under a
 * rebound name.
 */
function isLocalRequest({ ip, headers }: FastifyRequest): boolean {
  const name = hostName(headers.host);
  return (
    isLoopback(ip) &&
    (name === 'localhost' || (name !== null && isIP(name) !== 0 && isLoopback(name))) &&
    forwardingHeaders.every((header) => headers[header] === undefined)
  );
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the request comes from this machine itself or carries the token; `null`: there is none. */
export function isOperator(request: FastifyRequest, token: string | null): boolean {
  if (isLocalRequest(request)) return true;
  const { authorization = '' } = request.headers;
  // Of equal length, so that the comparison takes the same time for every guess.
  return token !== null && timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
}
