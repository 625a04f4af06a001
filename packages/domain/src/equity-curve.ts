/**
 * The performance of an account apart from its deposits and withdrawals, in two measures:
 *
 * - the *result* in USDT: equity less the payments since the beginning. Its drawdown is the fall from its highest
 *   point. A payment moves equity and payments alike, so it causes no drawdown and hides none.
 * - the *unit value* in per cent, which is the time-weighted return (CFA Institute, GIPS, "time-weighted rate of
 *   return"). The account is a fund whose units are bought and redeemed at each payment. Between payments the value
 *   follows the equity; a payment changes the number of units and not their value. Its drawdown is `1 - value /
 *   highest value`. A drawdown relative to the current equity would shrink with a deposit; one relative to the
 *   highest equity could pass 100 %.
 *
 * Invariants: payments alone change neither measure; without payments the drawdown in per cent is that of the equity.
 * Known limitations: the deepest drawdowns in USDT and in per cent may be different ones. Values between two
 * observations (hourly and at each close, A108) are unknown. After a total loss no unit is left; the next payment
 * restarts the value.
 */
import { asMoney, asPercent, divideRounded, type Money, type Percent, UNIT } from './money.ts';

/** What was paid in (out: negative). Times are ms since the epoch. */
export interface Flow {
  readonly at: number;
  readonly amount: Money;
}

export interface EquityObservation {
  readonly at: number;
  readonly equity: Money;
}

export interface EquityPoint extends EquityObservation {
  /** Equity less what was paid in since the beginning, less the equity of then. */
  readonly result: Money;
  /** The unit value below its highest so far, in per cent; 0 or negative, at least -100. */
  readonly drawdown: Percent;
}

export interface DeepestFall {
  /** USDT, positive: the result below its highest point so far. */
  readonly amount: Money;
  /** When the result was last at that highest point, and when it was lowest after it. */
  readonly from: number;
  readonly to: number;
  /** Positive: the deepest fall of the unit value, which may be another one. */
  readonly percent: Percent;
}

/** Of unit values. Finer than money, because a value that fell far is multiplied again. */
const ONE = 10n ** 18n;
const WHOLE_PERCENT = 100n * UNIT;

/** `value` in 1e-18, 1e18 at the beginning. */
export interface UnitBase {
  readonly value: bigint;
  readonly equity: bigint;
}

/** What a unit is worth once the equity is `equity`. */
function unitValueOf(base: UnitBase, equity: bigint): bigint {
  if (base.equity <= 0n) return base.value;
  return equity <= 0n ? 0n : (base.value * equity) / base.equity;
}

/** The time-weighted return up to the moment with this equity. */
export const timeWeightedReturn = (base: UnitBase, equity: Money): Percent =>
  asPercent(divideRounded((unitValueOf(base, equity) - ONE) * WHOLE_PERCENT, ONE, 'half-away-from-zero'));

interface CurveBounds {
  /** Equity at the beginning; zero for an account that begins with its first payment. */
  readonly equity: Money;
  /** The range of the curve, for thinning. */
  readonly from: number;
  readonly to: number;
  /** The most points to return. */
  readonly limit: number;
}

/** Takes payments and observations in the order of time, the payments of an instant before its observation. */
export class EquityCurve {
  readonly #start: Money;
  readonly #thinned: ThinnedPoints;
  #equity: bigint;
  #paid = 0n;
  #unpaid: Flow | null = null;
  /** Unit value and equity after the last payment. */
  #baseValue = ONE;
  #baseEquity: bigint;
  #highestValue = ONE;
  #highestResult = 0n;
  #highestAt: number;
  #fall: Omit<DeepestFall, 'percent'> | null = null;
  #deepest = 0n;

  constructor({ equity, from, to, limit }: CurveBounds) {
    this.#start = equity;
    this.#equity = equity;
    this.#baseEquity = equity;
    this.#highestAt = from;
    this.#thinned = new ThinnedPoints({ from, to, limit });
  }

  /** What the equity last was, with everything that was paid since. */
  get equity(): Money {
    return asMoney(this.#equity + (this.#unpaid?.amount ?? 0n));
  }

  /**
   * Unit value and equity after the last payment; between payments `value` follows the equity. They depend on the payments and on the last
   * observation before each of them alone.
   */
  base(): UnitBase {
    this.#payUnseen();
    return { value: this.#baseValue, equity: asMoney(this.#baseEquity) };
  }

  flow({ at, amount }: Flow): void {
    if (this.#unpaid?.at === at) {
      this.#unpaid = { at, amount: asMoney(this.#unpaid.amount + amount) };
      return;
    }
    this.#payUnseen();
    this.#unpaid = { at, amount };
  }

  observe({ at, equity }: EquityObservation): void {
    const unpaid = this.#unpaid?.at === at ? this.#unpaid : null;
    if (!unpaid) this.#payUnseen();
    // What moved since the last observation moved before the payment of this instant.
    this.#equity = equity - (unpaid?.amount ?? 0n);
    this.#adopt();
    if (unpaid) this.#pay(unpaid);
    this.#mark(at);
  }

  points(): readonly EquityPoint[] {
    this.#payUnseen();
    return this.#thinned.points();
  }

  /** Null while nothing fell. */
  deepestFall(): DeepestFall | null {
    return this.#fall && { ...this.#fall, percent: asPercent(this.#deepest) };
  }

  /** Applies a payment without an observation: the equity is the last observed one. */
  #payUnseen(): void {
    const unpaid = this.#unpaid;
    if (!unpaid) return;
    this.#pay(unpaid);
    this.#mark(unpaid.at);
  }

  #pay({ amount }: Flow): void {
    this.#unpaid = null;
    this.#raise();
    this.#deepen();
    this.#baseValue = this.#value();
    this.#paid += amount;
    this.#equity += amount;
    this.#baseEquity = this.#equity;
    if (this.#baseValue === 0n && this.#equity > 0n) this.#baseValue = this.#highestValue = ONE;
  }

  /**
   * Adds units for money without a payment when no unit is left, which happens when staff correct a result. The price
   * is the last value.
   */
  #adopt(): void {
    if (this.#baseEquity > 0n || this.#equity <= 0n) return;
    this.#baseEquity = this.#equity;
    if (this.#baseValue === 0n) this.#baseValue = this.#highestValue = ONE;
  }

  #value(): bigint {
    return unitValueOf({ value: this.#baseValue, equity: this.#baseEquity }, this.#equity);
  }

  #raise(): void {
    const value = this.#value();
    if (value > this.#highestValue) this.#highestValue = value;
  }

  /** How far the value is below its highest, in per cent of that. */
  #belowHighest(): bigint {
    const below = this.#highestValue - this.#value();
    return divideRounded(below * WHOLE_PERCENT, this.#highestValue, 'half-away-from-zero');
  }

  #deepen(): void {
    const below = this.#belowHighest();
    if (below > this.#deepest) this.#deepest = below;
  }

  #mark(at: number): void {
    const result = this.#equity - this.#start - this.#paid;
    if (result >= this.#highestResult) {
      this.#highestResult = result;
      this.#highestAt = at;
    }
    const amount = this.#highestResult - result;
    if (amount > (this.#fall?.amount ?? 0n)) {
      this.#fall = { amount: asMoney(amount), from: this.#highestAt, to: at };
    }
    this.#raise();
    this.#deepen();
    this.#thinned.add({
      at,
      equity: asMoney(this.#equity),
      result: asMoney(result),
      drawdown: asPercent(-this.#belowHighest()),
    });
  }
}

const measures = ['equity', 'result', 'drawdown'] as const;
/** The lowest and the highest by each measure. */
const POINTS_PER_BUCKET = 2 * measures.length;

interface Numbered {
  readonly number: number;
  readonly point: EquityPoint;
}

/**
 * All points up to `limit`. Beyond it: the first, the last, and the lowest and highest by each measure of each of
 * equally long stretches. No peak and no trough is lost, and memory does not grow with the points.
 */
class ThinnedPoints {
  readonly #from: number;
  readonly #span: number;
  readonly #limit: number;
  readonly #stretches: (Numbered[] | undefined)[];
  #all: EquityPoint[] = [];
  #first: EquityPoint | null = null;
  #last: EquityPoint | null = null;
  #count = 0;

  constructor({ from, to, limit }: Omit<CurveBounds, 'equity'>) {
    this.#from = from;
    this.#span = Math.max(1, to - from);
    this.#limit = limit;
    this.#stretches = new Array(Math.max(1, Math.floor((limit - 2) / POINTS_PER_BUCKET)));
  }

  add(point: EquityPoint): void {
    this.#first ??= point;
    this.#last = point;
    this.#count += 1;
    if (this.#count <= this.#limit) this.#all.push(point);
    else this.#all = [];
    const { length } = this.#stretches;
    const index = Math.floor(((point.at - this.#from) / this.#span) * length);
    const stretch = Math.min(Math.max(index, 0), length - 1);
    const one: Numbered = { number: this.#count, point };
    const extremes = this.#stretches[stretch];
    if (!extremes) {
      this.#stretches[stretch] = new Array<Numbered>(POINTS_PER_BUCKET).fill(one);
      return;
    }
    for (const [index, measure] of measures.entries()) {
      const [low, high] = [extremes[2 * index], extremes[2 * index + 1]];
      if (low && point[measure] < low.point[measure]) extremes[2 * index] = one;
      if (high && point[measure] > high.point[measure]) extremes[2 * index + 1] = one;
    }
  }

  points(): readonly EquityPoint[] {
    if (this.#count <= this.#limit) return this.#all;
    const inner = this.#stretches.flatMap((extremes) =>
      [...new Set(extremes)].sort((left, right) => left.number - right.number).map(({ point }) => point),
    );
    return [...new Set([this.#first, ...inner, this.#last])].filter((point) => point !== null);
  }
}
