/**
 * How the server is, for whoever may know what. Invariant: others than operators on this machine learn of each part whether
 * it is well, and if not, why, in fixed words; figures and the text of a halt, which can name accounts, stay on the machine.
 *
 * Known limitation: a proxy on this machine that adds none of the forwarding headers makes operators of its visitors.
 */
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** A part of the server. */
export interface Part {
  readonly ok: boolean;
  /** What is wrong with it, for everybody's eyes; null while nothing is. */
  readonly reason: string | null;
}

type PartWithFigures = Part & { readonly [figure: string]: unknown };

export interface Health {
  /** `ready` serves and trades; `degraded` serves, but something below says what is wrong. */
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly database: Part;
  readonly feed: PartWithFigures;
  readonly engine: PartWithFigures;
  readonly invariants: PartWithFigures;
  /** Figures alone: nothing of it stops the server from being ready. */
  readonly realtime: object;
}

export const partOf = (ok: boolean, reason: string): Part => ({ ok, reason: ok ? null : reason });

/** What anybody may know of it. */
export function inPublic({ status, database, feed, engine, invariants }: Health) {
  const bare = ({ ok, reason }: Part): Part => ({ ok, reason });
  return {
    status,
    database: bare(database),
    feed: bare(feed),
    engine: bare(engine),
    invariants: bare(invariants),
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

/** Whether somebody on this machine asks, and not a proxy on it for somebody elsewhere. */
export const comesFromThisMachine = ({ ip, headers }: FastifyRequest): boolean =>
  forwardingHeaders.every((name) => headers[name] === undefined) &&
  loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
