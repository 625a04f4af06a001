/**
 * A throttle for one subscriber. The first call passes at once, and the last one of a burst always passes, late.
 * While the throttle is paused, a call is remembered and made after it resumes.
 *
 * Time is divided into slots of `everyMs` that all throttles share. Figures of one rate therefore change together,
 * and the screen never shows one price with two values. Invariant: after `close()` the callback is not called again.
 */
export interface Throttle {
  readonly trigger: () => void;
  /** While paused (a hidden page) a call is remembered; resuming makes it. */
  readonly setPaused: (isPaused: boolean) => void;
  readonly dispose: () => void;
}

export function createThrottle(call: () => void, everyMs: number, isInitiallyPaused: boolean): Throttle {
  const slotOf = (at: number) => Math.floor(at / everyMs);
  let lastSlot = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPaused = isInitiallyPaused;
  let isDue = false;

  const callNow = () => {
    timer = undefined;
    isDue = false;
    lastSlot = slotOf(performance.now());
    call();
  };
  const trigger = () => {
    if (isPaused) {
      isDue = true;
      return;
    }
    if (timer !== undefined) return;
    const at = performance.now();
    if (slotOf(at) > lastSlot) callNow();
    else timer = setTimeout(callNow, (lastSlot + 1) * everyMs - at);
  };
  return {
    trigger,
    setPaused: (next) => {
      isPaused = next;
      if (isPaused && timer !== undefined) {
        clearTimeout(timer);
        timer = undefined;
        isDue = true;
      }
      if (!isPaused && isDue) trigger();
    },
    dispose: () => {
      clearTimeout(timer);
      timer = undefined;
      isDue = false;
      isPaused = true;
    },
  };
}
