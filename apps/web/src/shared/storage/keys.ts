/** Lists and removes keys of the local storage. */
import { warnOnce } from './warn-once.ts';

/** Removes `key`. */
export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch (cause) {
    warnOnce(cause);
  }
}

/** All keys that start with `prefix`. */
export function getStoredKeys(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch (cause) {
    warnOnce(cause);
    return [];
  }
}
