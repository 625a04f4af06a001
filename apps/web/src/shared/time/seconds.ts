/**
 * One second's beat for everything on a page that counts seconds: ages, clocks, the tab's title. All are written in one task, so
 * that a second costs one painted frame and not one for each of them. It runs while somebody listens.
 */
import { log } from '../log/log.ts';

const beatMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function beat(): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch (cause) {
      // The others count on.
      log.error('A listener to the seconds broke', cause);
    }
  }
}

/** Calls back every second; returns the way to stop. */
export function onEverySecond(call: () => void): () => void {
  const listener = () => call();
  listeners.add(listener);
  timer ??= setInterval(beat, beatMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
