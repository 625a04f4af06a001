/**
 * Whether the browser is cut off from the server. Its own report of a lost network counts at once. A frame that arrives
 * later proves it wrong: the server may be on the same machine.
 */
import { onEverySecond } from '../../../shared/time/seconds.ts';
import { getLastFrameAt } from './frames.ts';

/** A frame that was on its way at the loss arrives within this. */
const inFlightMs = 1_000;
/** When the loss was noticed, ms since the epoch; null with a network. */
let lostAt: number | null = null;

export function isCutOff(): boolean {
  if (navigator.onLine) {
    lostAt = null;
    return false;
  }
  lostAt ??= Date.now();
  return getLastFrameAt() <= lostAt + inFlightMs;
}

export function subscribeToNetwork(changed: () => void): () => void {
  const offSeconds = onEverySecond(changed);
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    offSeconds();
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
