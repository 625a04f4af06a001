/** A write that survives the page's unload. Known limitation: with an expired token, or offline, it is lost. */
import { log } from '../log/log.ts';
import { getStored } from '../storage/index.ts';
import type { Supabase } from './client.ts';
import { sessionKey } from './sessionKey.ts';

/** The access token, read synchronously: a page that unloads cannot await it. */
function readStoredToken(): string | null {
  try {
    const stored: unknown = JSON.parse(getStored(sessionKey) ?? 'null');
    const hasToken = typeof stored === 'object' && stored !== null && 'access_token' in stored;
    return hasToken && typeof stored.access_token === 'string' ? stored.access_token : null;
  } catch (cause) {
    log.warn('The stored session could not be read', cause);
    return null;
  }
}

interface UnloadWrite {
  readonly method: 'PATCH' | 'POST';
  /** Below `/rest/v1`. */
  readonly path: string;
  readonly body: object;
  readonly prefer?: string;
}

export function sendOnUnload({ config }: Supabase, { method, path, body, prefer }: UnloadWrite): void {
  const token = readStoredToken();
  if (token === null) return;
  fetch(`/rest/v1/${path}`, {
    method,
    keepalive: true,
    headers: {
      apikey: config.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-application-name': 'fulcrum',
      ...(prefer !== undefined && { prefer }),
    },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => log.info('A write was not sent before the page was left', cause));
}
