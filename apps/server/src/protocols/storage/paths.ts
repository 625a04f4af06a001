/**
 * Object names in URLs. Invariant: a parsed path was decoded once, has no encoded or relative part, and is exactly the
 * requested one: nothing is normalized.
 */
import type { FastifyRequest } from 'fastify';

const pathCharsMax = 200;
/** Letters, digits and a few signs in each part; a part begins with none of them that could mean a directory. */
const part = /^[A-Za-z0-9_][A-Za-z0-9_.@ -]*$/;

/** The path of an object, or null when no object can have it. */
export function objectPath(text: string): string | null {
  return text.length <= pathCharsMax && text.split('/').every((name) => part.test(name)) ? text : null;
}

/**
 * Returns the path at the end of a URL, from its raw text: the router's copy is decoded, and an encoded slash is not a
 * separator. `before` is the number of URL parts before it.
 */
export function objectPathOf({ raw }: FastifyRequest, before: number): string | null {
  const address = (raw.url ?? '').split('?', 1)[0] ?? '';
  const encoded = address.split('/').slice(before + 1);
  if (encoded.some((name) => /%(2f|5c|25|00)/i.test(name))) return null;
  try {
    return objectPath(encoded.map((name) => decodeURIComponent(name)).join('/'));
  } catch {
    // Half an escape sequence is invalid.
    return null;
  }
}

/** One parameter of the query string; undefined when it is not there. */
export function queryOf({ raw }: FastifyRequest, name: string): string | undefined {
  const address = raw.url ?? '';
  const mark = address.indexOf('?');
  return mark === -1 ? undefined : (new URLSearchParams(address.slice(mark + 1)).get(name) ?? undefined);
}

const fileNameCharsMax = 100;

/**
 * `Content-Disposition` (RFC 6266). `download` is the query parameter: absent shows the file, empty saves it under its own
 * name, otherwise under that name, without characters that could leave the header or the directory.
 */
export function disposition(path: string, download: string | undefined): string {
  const own = path.slice(path.lastIndexOf('/') + 1);
  // The letters of an object's name leave no header.
  if (download === undefined) return `inline; filename="${own}"`;
  const name =
    unescaped(download)
      .toWellFormed()
      .replace(/[\p{C}"\\/:*?<>|%;]/gu, '_')
      .replace(/^[.\s]+/, '')
      .slice(0, fileNameCharsMax)
      .toWellFormed()
      .trim() || own;
  const fallback = name.replace(/[^\x20-\x7e]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}

/** storage-js escapes the name of a signed link twice. Percent signs are removed from a name anyway. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
