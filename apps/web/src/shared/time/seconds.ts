/**
 * One timer per second for all elements that count seconds: ages, clocks, the tab's title. All update in one task, so that a
 * second causes one paint. The timer runs while there are listeners.
 */
import { log } from '../log/log.ts';

const tickMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch (cause) {
      // The other listeners still run.
      log.error('A listener of the seconds timer failed', cause);
    }
  }
}

/** Calls `call` every second; returns a function that stops it. */
export function onEverySecond(call: () => void): () => void {
  const listener = () => call();
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
