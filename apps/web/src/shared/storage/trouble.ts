/** That this browser keeps nothing is said once, whoever wanted to keep something. */
import { log } from '../log/log.ts';

let isToldOf = false;

export function tell(cause: unknown): void {
  if (!isToldOf) log.warn('This browser keeps nothing: its storage is blocked or full', cause);
  isToldOf = true;
}
