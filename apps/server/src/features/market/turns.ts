/**
 * Long computations beside everything else that the process does: they take turns of a few milliseconds, one turn per
 * round of the event loop, and the next turn goes to whoever has had the fewest, so a short one passes the long ones.
 * Invariant: however many computations there are, whatever else waits (an order, a price frame) waits for one turn at
 * most; beyond `computationsMax` a further one is refused.
 * Known limitations: a turn ends where the work asks, so one step of it should stay well below `turnMs`; a steady
 * stream of short ones holds up the long ones.
 */
import { busy } from '@fulcrum/contract';

const turnMs = 5;
const computationsMax = 256;

export interface Turn {
  /** To be awaited before each costly step: resolves at once while the turn lasts, else when the next one has come. */
  keep(): Promise<void> | undefined;
}

export interface Turns {
  /** Runs `work`, whose first turn comes when it first asks for it. @throws AppError busy */
  run<Result>(work: (turn: Turn) => Promise<Result>): Promise<Result>;
}

interface Waiting {
  readonly turnsHad: number;
  readonly begin: () => void;
}

export function createTurns(): Turns {
  const waiting = new Set<Waiting>();
  let computations = 0;
  let isHandingOut = false;

  /** The work that is woken runs before the next round of the event loop begins. */
  function handOut(): void {
    let next: Waiting | null = null;
    for (const one of waiting) if (next === null || one.turnsHad < next.turnsHad) next = one;
    if (next) {
      waiting.delete(next);
      next.begin();
    }
    isHandingOut = waiting.size > 0;
    if (isHandingOut) setImmediate(handOut);
  }

  function nextTurn(turnsHad: number): Promise<void> {
    if (!isHandingOut) setImmediate(handOut);
    isHandingOut = true;
    return new Promise((begin) => {
      waiting.add({ turnsHad, begin });
    });
  }

  return {
    async run(work) {
      if (computations >= computationsMax) throw busy();
      computations += 1;
      let turnsHad = 0;
      let endsAt = -Infinity;

      async function wait(): Promise<void> {
        await nextTurn(turnsHad);
        turnsHad += 1;
        endsAt = performance.now() + turnMs;
      }
      try {
        return await work({ keep: () => (performance.now() < endsAt ? undefined : wait()) });
      } finally {
        computations -= 1;
      }
    },
  };
}
