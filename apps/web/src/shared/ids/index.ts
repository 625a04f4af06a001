/**
 * Ids generated in the browser. `crypto.randomUUID` exists only on https and localhost, and Fulcrum is also served over plain
 * http on a LAN; random bytes exist everywhere.
 */

/** 128 random bits as 32 hexadecimal digits: the id of one command, sent again unchanged after a lost answer. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A random UUID (RFC 9562, version 4): the id of a row that the browser creates. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
