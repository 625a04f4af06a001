/**
 * Host names: parses `HOSTS`. Invariant: a name has the form that browsers send: lowercase ASCII, without characters that never match.
 */
import { domainToASCII } from 'node:url';
import { z } from 'zod';

/** Labels of letters, digits and hyphens; underscores as well, because programs use them. */
const hostName = /^[a-z\d_]([\w-]*[a-z\d_])?(\.[a-z\d_]([\w-]*[a-z\d_])?)*$/;

export const hostNames = z
  .string()
  .transform((text) => text.split(',').map((name) => domainToASCII(name.trim().replace(/\.$/, ''))))
  .pipe(z.array(z.string().max(253).regex(hostName)));

/** Whether the host of an address, with or without brackets, is this machine alone. */
export const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/.test(host);
