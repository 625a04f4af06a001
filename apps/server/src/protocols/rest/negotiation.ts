/**
 * Parses `Accept`, `Prefer` and `Accept-Profile`/`Content-Profile`. An unknown preference is ignored (RFC 7240 §2); a known
 * one that would change the write, and that the server does not honour, is refused.
 */
import { malformed, RestError } from './errors.ts';

export interface Preferences {
  readonly return: 'representation' | 'minimal';
  readonly onDuplicate: 'refuse' | 'ignore' | 'merge';
  /** Value of a column that one row of a bulk insert leaves out. */
  readonly missing: 'null' | 'default';
  readonly counted: boolean;
}

const refusedPreferences = new Set(['tx', 'max-affected']);

/** `return=…, resolution=…, missing=…, count=…`; every count is answered exactly. @throws RestError PGRST100. */
export function parsePreferences(header: string | undefined): Preferences {
  const requested = new Map<string, string>();
  for (const preference of (header ?? '').split(',')) {
    const [name = '', value = ''] = preference.split('=', 2).map((part) => part.trim().toLowerCase());
    if (refusedPreferences.has(name)) throw malformed(`The preference "${name}" is not supported`);
    if (name) requested.set(name, value);
  }
  const resolution = requested.get('resolution');
  return {
    return: requested.get('return') === 'representation' ? 'representation' : 'minimal',
    onDuplicate:
      resolution === 'ignore-duplicates' ? 'ignore' : resolution === 'merge-duplicates' ? 'merge' : 'refuse',
    missing: requested.get('missing') === 'default' ? 'default' : 'null',
    counted: ['exact', 'planned', 'estimated'].includes(requested.get('count') ?? ''),
  };
}

const objectType = 'application/vnd.pgrst.object+json';
const answerable = new Set([
  '',
  '*/*',
  'application/*',
  'application/json',
  'application/vnd.pgrst.array+json',
  objectType,
]);

/** Whether the client wants one object. @throws RestError 406 PGRST107 when no accepted media type can be served. */
export function requestsSingle(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((type) => type.trim().toLowerCase());
  const [type] = types.filter((candidate) => answerable.has(candidate.replace(/;\s*(q|charset)=[^;]*/g, '')));
  if (type === undefined) {
    throw new RestError(
      406,
      'PGRST107',
      `None of these media types are available: ${(accept ?? '').slice(0, 200)}`,
    );
  }
  return type.startsWith(objectType);
}

/** The only schema is `public`. @throws RestError 406 PGRST106. */
export function requirePublicSchema(headers: Readonly<Record<string, string | undefined>>): void {
  for (const name of ['accept-profile', 'content-profile']) {
    const schema = headers[name];
    if (schema !== undefined && schema !== 'public') {
      throw new RestError(406, 'PGRST106', `Invalid schema: ${schema.slice(0, 63)}`, {
        hint: 'Only the following schemas are exposed: public',
      });
    }
  }
}
