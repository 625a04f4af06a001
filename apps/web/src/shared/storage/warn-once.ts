/** Warns once that this browser stores nothing, whichever module tried first. */
import { log } from '../log/log.ts';

let hasWarned = false;

export function warnOnce(cause: unknown): void {
  if (!hasWarned) log.warn('This browser stores nothing: its storage is blocked or full', cause);
  hasWarned = true;
}
