/**
 * Local storage for data that may get lost: choices, stars, the last pair. A browser can block it, and it can be full.
 * Invariant: neither breaks the page; the data is then not stored, and one warning is logged.
 */
import { warnOnce } from './warn-once.ts';

export * from './keys.ts';

/** The value stored under `key`; null also where the browser denies access. */
export function getStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch (cause) {
    warnOnce(cause);
    return null;
  }
}

/** Stores `text` if the browser allows it. */
export function setStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch (cause) {
    warnOnce(cause);
  }
}
