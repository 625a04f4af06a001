/**
 * Local storage for what this browser may also forget: choices, stars, the last pair. A browser can block it, and it can be
 * full. Invariant: neither breaks what somebody does with the page; it is then only not kept, and that is logged once.
 */
import { tell } from './trouble.ts';

export * from './keys.ts';

/** What is kept under `key`; null also where the browser does not let it be read. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch (cause) {
    tell(cause);
    return null;
  }
}

/** Keeps `text` where the browser takes it. */
export function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch (cause) {
    tell(cause);
  }
}
