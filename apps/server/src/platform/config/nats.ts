/**
 * The settings of a cluster: `NATS_URL` and `ROLES`. Invariant: messages leave this machine only to a NATS that demands a password,
 * because whoever can read them sees every account.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopback } from './hosts.ts';

export interface NatsServers {
  /** One is used at a time. */
  readonly addresses: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  /** The same for all of them. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** What a process of a cluster does. */
export const processRoles = ['gateway', 'engine', 'market'] as const;
export type ProcessRole = (typeof processRoles)[number];

const defaultPort = 4222;
const serversMax = 9;
// Of a URL whose scheme is not a web one, Node checks little.
const hostName = /^[a-z\d]([\w.-]*[a-z\d])?$/i;

function parseNatsUrl(text: string): NatsServers | null {
  const urls = text.split(/,\s*/).map((one) => (URL.canParse(one) ? new URL(one) : null));
  const [first] = urls;
  if (!first || urls.length > serversMax) return null;
  const addresses: { host: string; port: number }[] = [];
  for (const url of urls) {
    if (url === null || !['nats:', 'tls:'].includes(url.protocol) || url.protocol !== first.protocol)
      return null;
    if (![url.pathname, url.search, url.hash].every((rest) => rest === '' || rest === '/')) return null;
    if (url.username !== first.username || url.password !== first.password) return null;
    if ((url.username === '') !== (url.password === '')) return null;
    if (url.username === '' && !isLoopback(url.hostname)) return null;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0 && !hostName.test(host)) return null;
    addresses.push({ host, port: url.port === '' ? defaultPort : Number(url.port) });
  }
  try {
    const [user, password] = [decodeURIComponent(first.username), decodeURIComponent(first.password)];
    return { addresses, tls: first.protocol === 'tls:', login: user === '' ? null : { user, password } };
  } catch {
    return null;
  }
}

export const natsUrl = z.string().transform((text, context): NatsServers => {
  const servers = parseNatsUrl(text);
  if (servers !== null) return servers;
  context.addIssue('not an address of NATS');
  return z.NEVER;
});

const isRole = (name: string): name is ProcessRole => processRoles.some((role) => role === name);

/** In the order of `processRoles`, each once. */
export const roleNames = z.string().transform((text, context): readonly ProcessRole[] => {
  const names = text.split(/,\s*/);
  if (names.every(isRole) && new Set(names).size === names.length)
    return processRoles.filter((role) => names.includes(role));
  context.addIssue('not a list of roles');
  return z.NEVER;
});
