/**
 * Host names: parses `HOSTS`. Invariant: a name has the form that browsers send: lowercase ASCII, without characters that never match.
 */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { classOf } from '../outbound/addresses.ts';

/** Labels of letters, digits and hyphens; underscores as well, because programs use them. */
const hostName = /^[a-z\d_]([\w-]*[a-z\d_])?(\.[a-z\d_]([\w-]*[a-z\d_])?)*$/;

export const hostNames = z
  .string()
  .transform((text) => text.split(',').map((name) => domainToASCII(name.trim().replace(/\.$/, ''))))
  .pipe(z.array(z.string().max(253).regex(hostName)));

/** Whether the host of an address, with or without brackets, is this machine alone. */
export const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/.test(host);

/** Names that no public DNS resolves: of one label, as in a compose file, and those that are kept for private networks. */
const privateName = /^[^.]+$|\.(localhost|local|internal|lan|home\.arpa)$/;

/** Whether the address is reached in clear text over a network that others share. */
export function isPublicHttp(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'http:' && (isIP(host) === 0 ? !privateName.test(host) : classOf(host) === 'public');
}
