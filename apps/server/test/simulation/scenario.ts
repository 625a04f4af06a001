/**
 * The steps of a run as a list that can be printed, replayed and shortened. A step names its objects by fractions of
 * the objects that exist at its time, so it stays meaningful when earlier steps are left out.
 */
import { type Chance, createChance } from './random.ts';

const priceMoves = [
  'walk',
  'aim',
  'jump',
  'hold',
  'accept',
  'reject',
  'confirm',
  'repeat',
  'late',
  'nonsense',
  'shut',
  'reopen',
  'break',
  'gap',
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
  'hedge',
  'reverse',
  'leverage',
  'margin',
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
  /** That many iterations of the event loop, so that the next step meets unfinished work. */
  | { readonly kind: 'loops'; readonly loops: number }
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
  /** Another engine starts while the old one still runs. */
  | { readonly kind: 'takeover' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'unassign' }
  /** Slots begin to move from one engine to another. */
  | { readonly kind: 'move'; readonly draws: Draws }
  /** A trader archives a practice account, if nothing of it is open. */
  | { readonly kind: 'archive'; readonly account: number }
  /** A trader sets limits for an account. */
  | { readonly kind: 'own'; readonly account: number; readonly draws: Draws }
  /** Everything in contests that are over is closed at the last prices. */
  | { readonly kind: 'closeOut' }
  /** The server stops until shortly before midnight UTC; then the day ends. */
  | { readonly kind: 'midnight' };

/** An account beside the main one (A112). */
export interface OtherAccount {
  readonly trader: number;
  readonly rules: Scenario['rules'] | 'perpetual';
  /** 1e-8. */
  readonly feeRate: bigint;
  readonly leverageMax: number;
  /** 1e-8 USDT. */
  readonly startBalance: bigint;
  readonly limits?: LockedLimits;
}

/** Of a class, a contest or a challenge. */
export interface LockedLimits {
  readonly setBy: 'class' | 'contest' | 'challenge';
  /** Places in the list of the scenario's pairs. */
  readonly symbols: readonly number[] | null;
  readonly positionsMax: number | null;
  /** Milliseconds from the start of the scenario. */
  readonly opensFrom: number | null;
  readonly opensUntil: number | null;
  /** Of a challenge; per cent. */
  readonly step: {
    readonly targetPct: number;
    readonly dailyLoss: {
      readonly pct: number;
      readonly of: 'initial' | 'day';
      readonly from: 'balance' | 'equity';
      readonly countsOpen: boolean;
      readonly checked: 'tick' | 'day_end';
    } | null;
    readonly maxLoss: {
      readonly pct: number;
      readonly mode: 'static' | 'trailing_day' | 'trailing_intraday';
      readonly lockPct: number | null;
    };
    readonly consistencyPct: number | null;
    readonly daysMin: number;
    /** Milliseconds from the start. */
    readonly ends: number | null;
  } | null;
}

export interface Scenario {
  readonly seed: number;
  /** Whether the engines sweep as time passes, as in the server; otherwise only where a step says so. */
  readonly hasTimers?: boolean;
  readonly rules: 'standard' | 'as-specified';
  /** 1e-8. */
  readonly feeRate: bigint;
  /** Positions in the list of simulated pairs. */
  readonly pairs: readonly number[];
  readonly traders: number;
  readonly others: readonly OtherAccount[];
  readonly engines: number;
  readonly limits: { readonly batch: number; readonly accounts: number };
  readonly steps: readonly Step[];
}

const stepWeights = {
  price: 34,
  request: 40,
  settle: 12,
  loops: 8,
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
  // Comes with several engines, see `lanesScenarioOf`.
  move: 0,
  // Comes with several accounts, see `withAccounts`.
  archive: 0,
  // Come with limits, see `withLimits`.
  own: 0,
  closeOut: 0,
  midnight: 0,
} as const satisfies Record<Step['kind'], number>;

const moveWeights = {
  walk: 30,
  aim: 45,
  jump: 6,
  // Come together, see `withHolds`.
  hold: 0,
  accept: 0,
  reject: 0,
  confirm: 2,
  repeat: 3,
  late: 3,
  nonsense: 1,
  shut: 2,
  reopen: 6,
  break: 2,
  // Comes with both sides of a symbol, see `withBothSides`.
  gap: 0,
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
  // Comes with a gap, see `withBothSides`.
  hedge: 0,
  // Comes with positions to reverse, see `withReversals`.
  reverse: 0,
  // Come with net positions, see `withNetAccounts`.
  leverage: 0,
  margin: 0,
} as const satisfies Record<RequestKind, number>;

export const faults = [
  'refused',
  'unreachable',
  'lost before',
  'lost after',
  'unready',
  'unreadable',
] as const;
const waits = [5, 200, 1_000, 4_000, 6_000, 16_000, 61_000] as const;
export const drawsOf = (chance: Chance): Draws => Array.from({ length: 8 }, () => chance.fraction());

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
    case 'loops':
      return { kind, loops: 1 + chance.below(3) };
    case 'fault':
      return isCalm ? { kind: 'settle' } : { kind, fault: chance.pick(faults) };
    case 'move':
      return { kind, draws: drawsOf(chance) };
    case 'archive':
      return { kind, account: chance.below(8) };
    case 'own':
      return { kind, account: chance.below(8), draws: drawsOf(chance) };
    case 'crash':
    case 'takeover':
    case 'hold':
      return isCalm ? { kind: 'settle' } : { kind };
    default:
      return { kind };
  }
}

/**
 * A fifth of the scenarios close a market for a while, with requests to close positions at the reopening. Drawn from
 * a stream of its own, so that the other steps of a seed do not change.
 */
function withReopening(seed: number, steps: Step[]): void {
  const chance = createChance(seed ^ reopeningSalt);
  if (!chance.happens(0.2)) return;
  const pair = chance.below(4);
  const at = 10 + chance.below(steps.length - 10);
  const inserted: Step[] = [{ kind: 'price', pair, move: 'shut', draws: drawsOf(chance) }];
  const length = 1 + chance.below(4);
  for (let i = 0; i < length; i += 1) {
    inserted.push({
      kind: 'request',
      trader: chance.below(8),
      request: 'closeAtReopen',
      draws: drawsOf(chance),
    });
    if (chance.happens(0.3)) inserted.push({ kind: 'settle' });
  }
  steps.splice(at, 0, ...inserted);
  const opens = at + inserted.length + chance.below(6);
  steps.splice(opens, 0, { kind: 'price', pair, move: 'reopen', draws: drawsOf(chance) });
}
const reopeningSalt = 0x5eed_a98;

/**
 * A third of the scenarios amend waiting orders, some of them several times at once and against a moving price. Drawn
 * from a stream of its own, likewise.
 */
function withAmendments(seed: number, steps: Step[]): void {
  const chance = createChance(seed ^ amendingSalt);
  if (!chance.happens(0.35)) return;
  const length = 2 + chance.below(8);
  for (let i = 0; i < length; i += 1) {
    const trader = chance.below(8);
    const inserted: Step[] = [{ kind: 'request', trader, request: 'amend', draws: drawsOf(chance) }];
    if (chance.happens(0.5)) {
      inserted.unshift(
        { kind: 'request', trader, request: 'place', draws: drawsOf(chance) },
        { kind: 'settle' },
      );
    }
    if (chance.happens(0.3))
      inserted.push({ kind: 'request', trader, request: 'amend', draws: drawsOf(chance) });
    if (chance.happens(0.4)) {
      const pair = chance.below(4);
      inserted.push({
        kind: 'price',
        pair,
        move: chance.happens(0.7) ? 'aim' : 'walk',
        draws: drawsOf(chance),
      });
    }
    steps.splice(chance.below(steps.length), 0, ...inserted);
  }
}
const amendingSalt = 0x5eed_a20;

/**
 * In a quarter of the scenarios a price jumps beyond the guard (A106). Traders who saw it try everything that a
 * trader can try (A110) before it is accepted, confirmed or rejected, or the market returns. Drawn from a stream of
 * its own, likewise.
 */
function withHolds(seed: number, steps: Step[]): void {
  const chance = createChance(seed ^ holdingSalt);
  if (!chance.happens(0.25)) return;
  const pair = chance.below(4);
  const during: Step[] = [{ kind: 'price', pair, move: 'hold', draws: drawsOf(chance) }];
  const length = 2 + chance.below(5);
  for (let i = 0; i < length; i += 1) {
    const request = chance.pick(triedDuringHold);
    during.push({ kind: 'request', trader: chance.below(8), request, draws: drawsOf(chance) });
    if (chance.happens(0.3)) during.push({ kind: 'settle' });
  }
  const at = chance.below(steps.length);
  steps.splice(at, 0, ...during);
  const ends = at + during.length + chance.below(3);
  steps.splice(ends, 0, { kind: 'price', pair, move: chance.pick(endsOfHold), draws: drawsOf(chance) });
}
const holdingSalt = 0x5eed_a110;
const triedDuringHold = [
  'close',
  'close',
  'closePart',
  'closeAtReopen',
  'open',
  'place',
  'reset',
  'delete',
] as const;
const endsOfHold = ['accept', 'confirm', 'reject', 'walk'] as const;

/**
 * In nearly half of the scenarios traders take both sides of a symbol, and the price leaves a gap of up to 60 %
 * there; some close a side at the same time. Drawn from a stream of its own, likewise.
 */
function withBothSides(seed: number, steps: Step[]): void {
  const chance = createChance(seed ^ bothSidesSalt);
  if (!chance.happens(0.45)) return;
  const length = 1 + chance.below(4);
  for (let i = 0; i < length; i += 1) {
    const trader = chance.below(8);
    const inserted: Step[] = [];
    const request = (kind: RequestKind): unknown =>
      inserted.push({ kind: 'request', trader, request: kind, draws: drawsOf(chance) });
    request('open');
    inserted.push({ kind: 'settle' });
    const hedges = 1 + chance.below(3);
    for (let hedged = 0; hedged < hedges; hedged += 1) {
      request('hedge');
      if (chance.happens(0.6)) inserted.push({ kind: 'settle' });
    }
    const pair = chance.below(4);
    const gap: Step = { kind: 'price', pair, move: 'gap', draws: drawsOf(chance) };
    if (chance.happens(0.5)) inserted.push(gap);
    if (chance.happens(0.4)) request(chance.happens(0.5) ? 'close' : 'closePart');
    inserted.push({ ...gap, pair: pair + 1, draws: drawsOf(chance) });
    if (chance.happens(0.3)) request('close');
    steps.splice(chance.below(steps.length), 0, ...inserted);
  }
}
const bothSidesSalt = 0x5eed_a111;

/**
 * A third of the scenarios reverse positions, some of them twice at once, beside the other side of the symbol or after
 * a gap. Drawn from a stream of its own, likewise.
 */
function withReversals(seed: number, steps: Step[]): void {
  const chance = createChance(seed ^ reversingSalt);
  if (!chance.happens(0.35)) return;
  const length = 1 + chance.below(5);
  for (let i = 0; i < length; i += 1) {
    const trader = chance.below(8);
    const inserted: Step[] = [];
    const request = (kind: RequestKind): unknown =>
      inserted.push({ kind: 'request', trader, request: kind, draws: drawsOf(chance) });
    if (chance.happens(0.6)) request('open');
    if (chance.happens(0.3)) request('hedge');
    inserted.push({ kind: 'settle' });
    if (chance.happens(0.4)) {
      const move = chance.pick(['walk', 'aim', 'gap', 'hold'] as const);
      inserted.push({ kind: 'price', pair: chance.below(4), move, draws: drawsOf(chance) });
    }
    request('reverse');
    if (chance.happens(0.3)) request('reverse');
    steps.splice(chance.below(steps.length), 0, ...inserted);
  }
}
const reversingSalt = 0x5eed_a23;

/** The scenario of a seed. A third of them is calm: nothing fails, so that every crossing is exactly predictable. */
export function scenarioOf(seed: number): Scenario {
  const chance = createChance(seed);
  const isCalm = chance.happens(0.33);
  const steps: Step[] = [];
  const length = 20 + chance.below(40);
  for (let i = 0; i < length; i += 1) steps.push(stepOf(chance, isCalm));
  withReopening(seed, steps);
  withAmendments(seed, steps);
  withHolds(seed, steps);
  withBothSides(seed, steps);
  withReversals(seed, steps);
  const first = chance.below(4);
  return {
    seed,
    rules: chance.happens(0.5) ? 'standard' : 'as-specified',
    feeRate: chance.pick([0n, 0n, 60_000n, 500_000n]),
    pairs: [first, (first + 1 + chance.below(3)) % 4],
    traders: 1 + chance.below(3),
    others: [],
    engines: 1,
    limits: { batch: chance.pick([1, 2, 256]), accounts: chance.pick([1, 2, 1_000]) },
    steps,
  };
}
