/** Keys of the local storage: those that there are, and taking one away. */
import { tell } from './trouble.ts';

/** Keeps nothing under `key` any more. */
export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch (cause) {
    tell(cause);
  }
}

/** Every key that begins with `prefix`. */
export function keptKeys(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch (cause) {
    tell(cause);
    return [];
  }
}
