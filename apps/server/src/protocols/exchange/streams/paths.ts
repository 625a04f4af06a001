/**
 * Addresses of sockets. The exchange has had several forms, and clients use all of them: `/ws`, `/ws/<streams>`, `/ws/<listen key>`,
 * `/stream?streams=a/b` (each message wrapped with its stream's name), the same below `/public`, `/market` and `/private`
 * (there with `?listenKey=`), and `/ws-fapi/v1` for requests.
 */
const socketPath = /^(?:\/(?<root>public|market|private))?\/(?<form>ws|stream)(?:\/(?<rest>[^?]*))?$/;

/** Fastify's routes of all of them. */
export const streamPaths = ['', '/public', '/market', '/private'].flatMap((root) =>
  ['/ws', '/ws/*', '/stream', '/stream/*'].map((path) => `${root}${path}`),
);
export const requestPath = '/ws-fapi/v1';

export const isStreamPath = (path: string): boolean => path === requestPath || socketPath.test(path);

interface StreamAddress {
  /** Whether each message says which stream it is of. */
  readonly isCombined: boolean;
  /** What the address subscribes to, as written. */
  readonly streams: readonly string[];
  /** Null where the address names none. */
  readonly listenKey: string | null;
}

/** A stream's name has an `@` or begins with `!`; a number tells connections of one client apart; anything else is a listen key. */
export function readStreamAddress(url: string): StreamAddress | null {
  const [path = '', query = ''] = url.split('?', 2);
  const found = socketPath.exec(path)?.groups;
  if (!found) return null;
  const { root, form, rest = '' } = found;
  const search = new URLSearchParams(query);
  const named = `${decode(rest)}/${search.get('streams') ?? ''}`.split('/').filter((name) => name !== '');
  const isStream = (name: string) => name.includes('@') || name.startsWith('!');
  const other = named.find((name) => !isStream(name) && !/^\d{1,6}$/.test(name));
  const takesKey = root === undefined || root === 'private';
  const listenKey = search.get('listenKey') ?? (takesKey ? other : undefined);
  return { isCombined: form === 'stream', streams: named.filter(isStream), listenKey: listenKey ?? null };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
