/**
 * The rate one subscriber can stand. The first call passes at once, the last one of a burst always passes (late), and
 * while the gate is shut nothing passes but is owed. Time is cut into slots of `everyMs` that all gates share, so that
 * figures of one rate change together and the same price never stands on the screen with two values.
 * Invariant: after `close()` the callback is not called again.
 */
export interface Gate {
  readonly pass: () => void;
  /** While shut (a hidden page) calls are owed instead of made; opening makes the one that is owed. */
  readonly shut: (shut: boolean) => void;
  readonly close: () => void;
}

export function createGate(call: () => void, everyMs: number, isShut: boolean): Gate {
  const slotOf = (at: number) => Math.floor(at / everyMs);
  let lastSlot = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shut = isShut;
  let owed = false;

  const now = () => {
    timer = undefined;
    owed = false;
    lastSlot = slotOf(performance.now());
    call();
  };
  const pass = () => {
    if (shut) {
      owed = true;
      return;
    }
    if (timer !== undefined) return;
    const at = performance.now();
    if (slotOf(at) > lastSlot) now();
    else timer = setTimeout(now, (lastSlot + 1) * everyMs - at);
  };
  return {
    pass,
    shut: (next) => {
      shut = next;
      if (shut && timer !== undefined) {
        clearTimeout(timer);
        timer = undefined;
        owed = true;
      }
      if (!shut && owed) pass();
    },
    close: () => {
      clearTimeout(timer);
      timer = undefined;
      owed = false;
      shut = true;
    },
  };
}
