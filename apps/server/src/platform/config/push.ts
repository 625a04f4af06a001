/**
 * Parses `PUSH_HOSTS`: the push services that the server calls. Invariant: an endpoint that no entry names is never stored or
 * called, because endpoints come from browsers and would let a user choose what the server calls.
 */
import { z } from 'zod';

/** The services of Chrome, Firefox, Safari and Edge. */
export const defaultPushHosts: readonly string[] = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** `*.` stands for one or more labels; at least two labels follow it. */
const host = /^(\*\.[a-z\d-]+(\.[a-z\d-]+)+|[a-z\d-]+(\.[a-z\d-]+)*)(:\d{1,5})?$/;
const hostsMax = 20;

/** An empty list turns Web Push off. */
export const pushHosts = z
  .string()
  .transform((text) => (text === 'none' ? [] : text.toLowerCase().split(/\s*,\s*/)))
  .pipe(z.array(z.string().max(253).regex(host)).max(hostsMax));

/** Whether the endpoint is an https address on one of `hosts`; without a port an entry means 443. */
export function isPushEndpoint(endpoint: string, hosts: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  return hosts.some((entry) =>
    entry.startsWith('*.') ? url.host.endsWith(entry.slice(1)) : url.host === entry,
  );
}
