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

/**
 * The same with two traders who have several accounts under terms of their own: opened with other amounts, under another fee, a
 * lower leverage, mostly other rules. Some are archived, at any time. Drawn from a stream of its own, likewise.
 */
function withAccounts(scenario: Scenario): Scenario {
  const chance = createChance(scenario.seed ^ accountsSalt);
  const steps = [...scenario.steps];
  const others: OtherAccount[] = [];
  for (let trader = 0; trader < 2; trader += 1) {
    const count = 1 + chance.below(3);
    for (let i = 0; i < count; i += 1)
      others.push({
        trader,
        rules: chance.happens(0.5) ? 'standard' : 'as-specified',
        feeRate: chance.pick([0n, 40_000n, 100_000n, 500_000n]),
        leverageMax: chance.pick([5, 20, 50, 125]),
        startBalance: chance.pick([50_000_000_000n, 500_000_000_000n, 2_000_000_000_000n]),
      });
  }
  const archivings = chance.below(4);
  for (let i = 0; i < archivings; i += 1)
    steps.splice(chance.below(steps.length), 0, { kind: 'archive', account: chance.below(8) });
  return { ...scenario, steps, others, traders: 2 };
}
const accountsSalt = 0x5eed_a112;

export const accountsScenarioOf = (seed: number): Scenario => withAccounts(scenarioOf(seed));

/** The fee of those accounts, which is that of their fill profile. */
const netFeeRate = 50_000n;

/**
 * The same with two traders who have one or two accounts with net positions each (A113, A114), and sometimes one of the others. They
 * place orders near the market, which fill in part and wait; then the price passes them, a minute goes by, or the engine ends.
 * Drawn from a stream of its own, likewise.
 */
function withNetAccounts(scenario: Scenario): Scenario {
  const chance = createChance(scenario.seed ^ netSalt);
  const others: OtherAccount[] = [];
  for (let trader = 0; trader < 2; trader += 1) {
    const count = 1 + chance.below(2);
    for (let i = 0; i < count; i += 1)
      others.push({
        ...{ trader, rules: 'perpetual', feeRate: netFeeRate, leverageMax: chance.pick([20, 50, 125, 125]) },
        startBalance: chance.pick([50_000_000_000n, 1_000_000_000_000n, 20_000_000_000_000n]),
      });
  }
  const netAccounts = others.length;
  if (chance.happens(0.3))
    others.push({
      ...{ trader: chance.below(2), rules: 'standard', feeRate: 40_000n, leverageMax: 125 },
      startBalance: 500_000_000_000n,
    });
  const steps = [...scenario.steps];
  const isCalm = chance.happens(0.35);
  const lives = 3 + chance.below(5);
  for (let i = 0; i < lives; i += 1) {
    // After the two main accounts.
    const trader = 2 + chance.below(netAccounts);
    const pair = chance.below(4);
    const inserted: Step[] = [];
    const length = 3 + chance.below(6);
    for (let at = 0; at < length; at += 1) {
      const request = chance.weighted(netRequestWeights);
      if (!isCalm && chance.happens(0.15)) inserted.push(...faultsOf(chance));
      inserted.push({ kind: 'request', trader, request, draws: drawsOf(chance) });
      if (chance.happens(0.5)) inserted.push({ kind: 'settle' });
      if (chance.happens(0.45)) {
        const move = chance.weighted({ aim: 6, walk: 2, gap: 1, hold: 0.3, shut: 0.3, reopen: 0.6 });
        inserted.push({ kind: 'price', pair: pair + chance.below(2), move, draws: drawsOf(chance) });
      }
      if (chance.happens(0.15))
        inserted.push({ kind: 'wait', ms: chance.pick([900, 4_000, 61_000]) }, { kind: 'sweep' });
      if (!isCalm && chance.happens(0.1))
        inserted.push({ kind: chance.pick(['crash', 'takeover', 'stop'] as const) });
    }
    steps.splice(chance.below(steps.length), 0, ...inserted);
  }
  return { ...scenario, steps, others, traders: 2 };
}
const netSalt = 0x5eed_a113;
/** The next commit fails; or it is lost, and nobody can look up whether it was written. */
function faultsOf(chance: Chance): Step[] {
  if (chance.happens(0.4)) return [{ kind: 'hold' }];
  const lost = [{ kind: 'fault', fault: 'lost after' } as const];
  if (chance.happens(0.5)) return [...lost, { kind: 'fault', fault: chance.pick(['unready', 'unreadable']) }];
  return [{ kind: 'fault', fault: chance.pick(faults) }];
}
const netRequestWeights = {
  ...{ open: 5, place: 12, amend: 4, cancel: 2, leverage: 1, margin: 2.5, hedge: 1, reverse: 2 },
  ...{ close: 1, closePart: 2, protect: 1.5 },
} as const satisfies Partial<Record<RequestKind, number>>;

/** A quarter of them with several engines. */
export function netScenarioOf(seed: number): Scenario {
  const scenario = withNetAccounts(scenarioOf(seed));
  const chance = createChance(seed ^ lanesSalt);
  return chance.happens(0.25) ? withEngines(scenario, chance) : scenario;
}

/**
 * The same with two or three engines: slots move between them under way, and one of them is ended now and then, most often right
 * after a hand-over has begun. In half of them the traders have several accounts. Drawn from a stream of its own, likewise.
 */
export function lanesScenarioOf(seed: number): Scenario {
  const chance = createChance(seed ^ lanesSalt);
  const scenario = withEngines({ ...scenarioOf(seed), traders: 3 }, chance);
  return chance.happens(0.5) ? withAccounts(scenario) : scenario;
}

function withEngines(scenario: Scenario, chance: Chance): Scenario {
  const steps = [...scenario.steps];
  const moves = 2 + chance.below(8);
  for (let i = 0; i < moves; i += 1) {
    const inserted: Step[] = [{ kind: 'move', draws: drawsOf(chance) }];
    if (chance.happens(0.3)) inserted.unshift({ kind: 'hold' });
    if (chance.happens(0.3)) inserted.push({ kind: 'loops', loops: 1 + chance.below(3) });
    if (chance.happens(0.25)) inserted.push({ kind: chance.pick(['takeover', 'crash', 'stop'] as const) });
    steps.splice(chance.below(steps.length), 0, ...inserted);
  }
  return { ...scenario, steps, engines: 2 + chance.below(2) };
}
const lanesSalt = 0x5eed_1a9e;

/**
 * The same with two traders whose other accounts are of classes, contests and challenges, and who set limits of their own there. They open and
 * close much, the price moves far, a day ends. Nothing fails in two thirds of them, so that every verdict is exactly predictable. Drawn
 * from a stream of its own, likewise.
 */
export function limitsScenarioOf(seed: number): Scenario {
  const scenario = scenarioOf(seed);
  const chance = createChance(seed ^ limitsSalt);
  const isCalm = chance.happens(0.67);
  const others: OtherAccount[] = [];
  for (let trader = 0; trader < 2; trader += 1) {
    const count = 1 + chance.below(2);
    for (let i = 0; i < count; i += 1) others.push(lockedAccountOf(chance, trader));
  }
  const steps: Step[] = scenario.steps.filter(
    ({ kind }) => !isCalm || !(kind === 'fault' || disturbing.has(kind)),
  );
  const lives = 4 + chance.below(5);
  for (let i = 0; i < lives; i += 1)
    steps.splice(chance.below(steps.length), 0, ...limitedLifeOf(chance, others.length));
  const nights = chance.weighted({ none: 4, one: 4, two: 2 });
  const midnights = { none: 0, one: 1, two: 2 }[nights];
  for (let i = 0; i < midnights; i += 1) {
    const night: Step[] = [{ kind: 'settle' }, { kind: 'midnight' }];
    steps.splice(chance.below(steps.length), 0, ...night, ...limitedLifeOf(chance, others.length));
  }
  const closings = 1 + chance.below(2);
  for (let i = 0; i < closings; i += 1)
    steps.splice(Math.floor(steps.length * (0.5 + chance.fraction() / 2)), 0, { kind: 'closeOut' });
  return { ...scenario, steps, others, traders: 2, hasTimers: true };
}
const limitsSalt = 0x5eed_26;
const disturbing: ReadonlySet<Step['kind']> = new Set(['hold', 'release', 'crash', 'takeover', 'stop']);

const limitedRequestWeights = {
  ...{ open: 14, place: 6, cancel: 1, amend: 2, close: 5, closePart: 2, reverse: 2, protect: 1.5 },
  ...{ hedge: 1, adjust: 0.7, edit: 0.7, restrict: 0.3 },
} as const satisfies Partial<Record<RequestKind, number>>;

/** What a trader of a locked account does, with the prices meanwhile. */
function limitedLifeOf(chance: Chance, lockedAccounts: number): Step[] {
  // After the two main accounts, which may have limits of their owner too.
  const account = chance.happens(0.85) ? 2 + chance.below(lockedAccounts) : chance.below(2);
  const steps: Step[] = [];
  if (chance.happens(0.35)) steps.push({ kind: 'own', account, draws: drawsOf(chance) });
  const length = 3 + chance.below(7);
  for (let i = 0; i < length; i += 1) {
    const request = chance.weighted(limitedRequestWeights);
    steps.push({ kind: 'request', trader: account, request, draws: drawsOf(chance) });
    if (chance.happens(0.6)) steps.push({ kind: 'settle' });
    const moves = chance.below(4);
    for (let moved = 0; moved < moves; moved += 1) {
      const move = chance.weighted({ walk: 8, aim: 4, gap: 1, jump: 0.5 });
      steps.push({ kind: 'price', pair: chance.below(4), move, draws: drawsOf(chance) });
    }
    if (chance.happens(0.2)) steps.push({ kind: 'wait', ms: chance.pick([900, 4_000, 61_000, 125_000]) });
    if (chance.happens(0.08)) steps.push({ kind: 'own', account, draws: drawsOf(chance) });
  }
  return steps;
}

function lockedAccountOf(chance: Chance, trader: number): OtherAccount {
  const setBy = chance.weighted({ class: 3, contest: 3, challenge: 6 });
  const isNet = chance.happens(0.3);
  const rules = isNet ? 'perpetual' : chance.happens(0.5) ? 'standard' : 'as-specified';
  const seconds = (most: number): number => chance.below(most) * 1_000;
  return {
    ...{ trader, rules, feeRate: isNet ? netFeeRate : chance.pick([0n, 40_000n, 500_000n]) },
    leverageMax: chance.pick([5, 20, 50, 125]),
    startBalance: chance.pick([50_000_000_000n, 1_000_000_000_000n]),
    limits: {
      setBy,
      symbols: chance.happens(0.4) ? [chance.below(2)] : null,
      positionsMax: chance.happens(0.4) ? 1 + chance.below(3) : null,
      opensFrom: setBy !== 'challenge' && chance.happens(0.3) ? seconds(20) : null,
      opensUntil: setBy !== 'challenge' && chance.happens(0.5) ? 20_000 + seconds(300) : null,
      step: setBy === 'challenge' ? challengeStepOf(chance) : null,
    },
  };
}

function challengeStepOf(chance: Chance): NonNullable<LockedLimits['step']> {
  const mode = chance.pick(['static', 'trailing_day', 'trailing_intraday', 'trailing_intraday'] as const);
  const countsOpen = chance.happens(0.7);
  return {
    targetPct: chance.pick([1, 3, 10, 100]),
    dailyLoss: chance.happens(0.6)
      ? {
          ...{ pct: chance.pick([1, 3, 7]), of: chance.pick(['initial', 'day'] as const), countsOpen },
          from: countsOpen && chance.happens(0.5) ? 'equity' : 'balance',
          checked: chance.happens(0.7) ? 'tick' : 'day_end',
        }
      : null,
    maxLoss: {
      ...{ pct: chance.pick([2, 5, 10, 30]), mode },
      lockPct: mode !== 'static' && chance.happens(0.4) ? chance.pick([0, 0.5, 2]) : null,
    },
    consistencyPct: chance.happens(0.3) ? chance.pick([40, 60, 100]) : null,
    daysMin: chance.pick([0, 0, 1, 2]),
    ends: chance.happens(0.3) ? 30_000 + chance.below(300) * 1_000 : null,
  };
}
