/**
 * Ids that the browser makes. `crypto.randomUUID` exists only on https and localhost, and Fulcrum is also served over
 * plain http on a LAN; random bytes exist everywhere.
 */

/** 128 random bits as 32 hexadecimal digits: the id of one command, sent again unchanged after a lost answer. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
