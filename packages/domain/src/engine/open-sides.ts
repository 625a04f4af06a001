/**
 * Which symbols an account holds both sides of, and whether a price exhausts one of their positions. Every close
 * reads this, so the answer is cached. The positions are walked once for a symbol, and again only when a price leaves
 * the range in which the last walk found nothing. Invariant: the answer equals that of walking all open positions.
 */
import { multiplyDivide, type Price, UNIT } from '../money.ts';
import { rulesOf } from '../rule-sets.ts';
import { isExhausted } from './settlement.ts';
import type { Position } from './types.ts';

/** On the winning side of this price the position is not exhausted. */
function exhaustionBound(position: Position): bigint {
  const { side, entryPrice, size, margin, leverage, liquidationPrice, rules } = position;
  const reach = multiplyDivide(margin, UNIT, size * rulesOf(rules).pnlFactor({ leverage }), 'floor');
  if (side === 'BUY') return liquidationPrice > entryPrice - reach ? liquidationPrice : entryPrice - reach;
  return liquidationPrice < entryPrice + reach ? liquidationPrice : entryPrice + reach;
}

/** Nothing is exhausted strictly between the two; `above` null has no end. */
interface QuietRange {
  readonly below: bigint;
  readonly above: bigint | null;
}

function narrowed({ below, above }: QuietRange, position: Position): QuietRange {
  const bound = exhaustionBound(position);
  if (position.side === 'BUY') return { below: bound > below ? bound : below, above };
  return { below, above: above === null || bound < above ? bound : above };
}

/** The number of open positions of each side. */
interface SideCounts {
  BUY: number;
  SELL: number;
  /** Null until it is computed. */
  quiet: QuietRange | null;
}

export class OpenSides {
  readonly #positions: () => Iterable<Position>;
  /** Of the symbols that were queried. */
  readonly #counts = new Map<string, SideCounts>();

  /** `positions`: the currently open ones. */
  constructor(positions: () => Iterable<Position>) {
    this.#positions = positions;
  }

  /** Adds the next state of a position; `before` null is a new one. */
  record(before: Position | null, after: Position): void {
    const counts = this.#counts.get(after.symbol);
    if (!counts) return;
    if (before?.closing === null) counts[before.side] -= 1;
    if (after.closing !== null) return;
    counts[after.side] += 1;
    // A closed position is exhausted at no price, so only open ones narrow the range.
    if (counts.quiet) counts.quiet = narrowed(counts.quiet, after);
  }

  isHedged(symbol: string): boolean {
    const { BUY, SELL } = this.#of(symbol);
    return BUY > 0 && SELL > 0;
  }

  exhaustedAt(symbol: string, price: Price): readonly Position[] {
    const counts = this.#of(symbol);
    if (!this.isHedged(symbol) || isQuiet(counts, price)) return [];
    const exhausted: Position[] = [];
    let quiet: QuietRange = { below: 0n, above: null };
    for (const position of this.#positions()) {
      if (position.symbol !== symbol) continue;
      if (isExhausted(position, price)) exhausted.push(position);
      quiet = narrowed(quiet, position);
    }
    counts.quiet = quiet;
    return exhausted;
  }

  #of(symbol: string): SideCounts {
    const known = this.#counts.get(symbol);
    if (known) return known;
    const counts: SideCounts = { BUY: 0, SELL: 0, quiet: null };
    for (const position of this.#positions()) if (position.symbol === symbol) counts[position.side] += 1;
    this.#counts.set(symbol, counts);
    return counts;
  }
}

const isQuiet = ({ quiet }: SideCounts, price: Price): boolean =>
  quiet !== null && price > quiet.below && (quiet.above === null || price < quiet.above);
