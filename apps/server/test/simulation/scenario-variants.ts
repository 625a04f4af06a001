/** Scenarios with more than main accounts: with accounts under terms of their own, net positions, several engines, limits. */
import { type Chance, createChance } from './random.ts';
import {
  drawsOf,
  faults,
  type LockedLimits,
  type OtherAccount,
  type RequestKind,
  type Scenario,
  type Step,
  scenarioOf,
} from './scenario.ts';

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
