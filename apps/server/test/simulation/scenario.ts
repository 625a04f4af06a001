/**
 * What happens in a run, as a list of steps that can be printed, replayed and shortened: a step names its objects by
 * fractions of whatever there is when its turn comes, so it means something whichever steps before it are left out.
 */
import { type Chance, createChance } from './random.ts';

const priceMoves = [
  'walk',
  'aim',
  'jump',
  'confirm',
  'repeat',
  'late',
  'nonsense',
  'shut',
  'reopen',
  'break',
] as const;
export type PriceMove = (typeof priceMoves)[number];

export const requests = [
  'open',
  'place',
  'cancel',
  'protect',
  'close',
  'closePart',
  'adjust',
  'edit',
  'restrict',
  'reset',
  'delete',
  'closeAtReopen',
  'amend',
] as const;
export type RequestKind = (typeof requests)[number];

/** Draws for the details of a step, each in [0, 1). */
export type Draws = readonly number[];

export type Step =
  | { readonly kind: 'price'; readonly pair: number; readonly move: PriceMove; readonly draws: Draws }
  | { readonly kind: 'wait'; readonly ms: number }
  | {
      readonly kind: 'request';
      readonly trader: number;
      readonly request: RequestKind;
      readonly draws: Draws;
    }
  /** Sends the last request with a client id once more, or the same id with another body. */
  | { readonly kind: 'resend'; readonly sameBody: boolean }
  /** So many turns of the event loop, so that what comes next meets half-done work. */
  | { readonly kind: 'turns'; readonly turns: number }
  | { readonly kind: 'settle' }
  | { readonly kind: 'sweep' }
  | {
      readonly kind: 'fault';
      readonly fault: 'refused' | 'unreachable' | 'lost before' | 'lost after' | 'unready' | 'unreadable';
    }
  | { readonly kind: 'hold' }
  | { readonly kind: 'release' }
  /** The process dies and another one starts. */
  | { readonly kind: 'crash' }
  /** Another engine starts while the old one still believes in itself. */
  | { readonly kind: 'takeover' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'unassign' };

export interface Scenario {
  readonly seed: number;
  readonly rules: 'standard' | 'as-specified';
  /** 1e-8. */
  readonly feeRate: bigint;
  /** Positions in the list of simulated pairs. */
  readonly pairs: readonly number[];
  readonly traders: number;
  readonly limits: { readonly batch: number; readonly accounts: number };
  readonly steps: readonly Step[];
}

const stepWeights = {
  price: 34,
  request: 40,
  settle: 12,
  turns: 8,
  wait: 5,
  sweep: 2,
  resend: 3,
  hold: 3,
  release: 3,
  fault: 2,
  crash: 1,
  takeover: 0.4,
  stop: 0.5,
  unassign: 0.2,
} as const satisfies Record<Step['kind'], number>;

const moveWeights = {
  walk: 30,
  aim: 45,
  jump: 6,
  confirm: 2,
  repeat: 3,
  late: 3,
  nonsense: 1,
  shut: 2,
  reopen: 6,
  break: 2,
} as const satisfies Record<PriceMove, number>;

const requestWeights = {
  open: 26,
  place: 34,
  cancel: 6,
  protect: 10,
  close: 9,
  closePart: 9,
  adjust: 5,
  edit: 12,
  restrict: 2,
  reset: 1.5,
  delete: 0.6,
  // Comes with a shut market, see `withReopening`.
  closeAtReopen: 0,
  // Comes with orders that wait, see `withAmendments`.
  amend: 0,
} as const satisfies Record<RequestKind, number>;

const faults = ['refused', 'unreachable', 'lost before', 'lost after', 'unready', 'unreadable'] as const;
const waits = [5, 200, 1_000, 4_000, 6_000, 16_000, 61_000] as const;
const drawsOf = (chance: Chance): Draws => Array.from({ length: 8 }, () => chance.fraction());

function stepOf(chance: Chance, isCalm: boolean): Step {
  const kind = chance.weighted(stepWeights);
  switch (kind) {
    case 'price':
      return { kind, pair: chance.below(4), move: chance.weighted(moveWeights), draws: drawsOf(chance) };
    case 'request':
      return {
        kind,
        trader: chance.below(8),
        request: chance.weighted(requestWeights),
        draws: drawsOf(chance),
      };
    case 'wait':
      return { kind, ms: chance.pick(waits) };
    case 'resend':
      return { kind, sameBody: chance.happens(0.7) };
    case 'turns':
      return { kind, turns: 1 + chance.below(3) };
    case 'fault':
      return isCalm ? { kind: 'settle' } : { kind, fault: chance.pick(faults) };
    case 'crash':
    case 'takeover':
    case 'hold':
      return isCalm ? { kind: 'settle' } : { kind };
    default:
      return { kind };
  }
}

/**
 * A fifth of the scenarios shut a market for a while, in which positions are asked to close when it opens again. Drawn from a
 * stream of its own, so that the other steps of a seed are what they always were.
 */
function withReopening(seed: number, steps: Step[]): void {
  const chance = createChance(seed ^ reopeningSalt);
  if (!chance.happens(0.2)) return;
  const pair = chance.below(4);
  const at = 10 + chance.below(steps.length - 10);
  const asked: Step[] = [{ kind: 'price', pair, move: 'shut', draws: drawsOf(chance) }];
  const length = 1 + chance.below(4);
  for (let i = 0; i < length; i += 1) {
    asked.push({
      kind: 'request',
      trader: chance.below(8),
      request: 'closeAtReopen',
      draws: drawsOf(chance),
    });
    if (chance.happens(0.3)) asked.push({ kind: 'settle' });
  }
  steps.splice(at, 0, ...asked);
  const opens = at + asked.length + chance.below(6);
  steps.splice(opens, 0, { kind: 'price', pair, move: 'reopen', draws: drawsOf(chance) });
}
const reopeningSalt = 0x5eed_a98;

/**
 * A third of the scenarios amend orders that wait, some of them several times in one turn and against a price that moves.
 * Drawn from a stream of its own, likewise.
 */
function withAmendments(seed: number, steps: Step[]): void {
  const chance = createChance(seed ^ amendingSalt);
  if (!chance.happens(0.35)) return;
  const length = 2 + chance.below(8);
  for (let i = 0; i < length; i += 1) {
    const trader = chance.below(8);
    const asked: Step[] = [{ kind: 'request', trader, request: 'amend', draws: drawsOf(chance) }];
    if (chance.happens(0.5)) {
      asked.unshift(
        { kind: 'request', trader, request: 'place', draws: drawsOf(chance) },
        { kind: 'settle' },
      );
    }
    if (chance.happens(0.3))
      asked.push({ kind: 'request', trader, request: 'amend', draws: drawsOf(chance) });
    if (chance.happens(0.4)) {
      const pair = chance.below(4);
      asked.push({ kind: 'price', pair, move: chance.happens(0.7) ? 'aim' : 'walk', draws: drawsOf(chance) });
    }
    steps.splice(chance.below(steps.length), 0, ...asked);
  }
}
const amendingSalt = 0x5eed_a20;

/** The scenario of a seed. A third of them is calm: nothing fails, so that every crossing can be foretold exactly. */
export function scenarioOf(seed: number): Scenario {
  const chance = createChance(seed);
  const isCalm = chance.happens(0.33);
  const steps: Step[] = [];
  const length = 20 + chance.below(40);
  for (let i = 0; i < length; i += 1) steps.push(stepOf(chance, isCalm));
  withReopening(seed, steps);
  withAmendments(seed, steps);
  const first = chance.below(4);
  return {
    seed,
    rules: chance.happens(0.5) ? 'standard' : 'as-specified',
    feeRate: chance.pick([0n, 0n, 60_000n, 500_000n]),
    pairs: [first, (first + 1 + chance.below(3)) % 4],
    traders: 1 + chance.below(3),
    limits: { batch: chance.pick([1, 2, 256]), accounts: chance.pick([1, 2, 1_000]) },
    steps,
  };
}
