/**
 * Local storage for what this browser may also forget: choices, stars, the last pair. A browser can block it, and it can be
 * full. Invariant: neither breaks what somebody does with the page; it is then only not kept, and that is logged once.
 */
import { log } from '../log/log.ts';

let isToldOf = false;

function tell(cause: unknown): void {
  if (!isToldOf) log.warn('This browser keeps nothing: its storage is blocked or full', cause);
  isToldOf = true;
}

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
