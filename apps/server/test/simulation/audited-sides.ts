/**
 * A111 as the auditor reads it. Before anything of a symbol closes in an account with both sides of it, every
 * exhausted position is liquidated. The other side's gains pay its loss beyond the margin, the oldest first. It walks
 * the account's list for every question; it only returns what closes, and changes nothing.
 */
import { over, ratio, times, wholeAbove } from './arithmetic.ts';
import type { AuditedPair } from './audited-market.ts';
import { orderValueOf, pnlOf, resultOf } from './formulas.ts';
import type { AuditedPosition } from './ledger-book.ts';

const WHOLE = 100_000_000n;

/** A part of a position gives up a part of its gain, and closes at the price that leaves the rest of the gain. */
export interface Giving {
  readonly position: AuditedPosition;
  readonly size: bigint;
  readonly price: bigint;
}
/** The closes of one side: the payers, and the losses with their covered amounts. */
export interface Settling {
  readonly gives: readonly Giving[];
  readonly loses: readonly { readonly position: AuditedPosition; readonly covered: bigint }[];
}

const gainOf = (position: AuditedPosition, price: bigint): bigint =>
  position.value === null
    ? pnlOf(position.rules, position, price)
    : resultOf(position, orderValueOf(price, position.size));
const excessOf = (position: AuditedPosition, price: bigint): bigint => {
  const left = position.margin + gainOf(position, price);
  return left < 0n ? -left : 0n;
};

function isSpent(position: AuditedPosition, price: bigint): boolean {
  const { side, liquidation } = position;
  const isReached = side === 'BUY' ? price <= liquidation : price >= liquidation;
  return isReached || excessOf(position, price) > 0n;
}

function oldestFirst(positions: readonly AuditedPosition[]): AuditedPosition[] {
  return positions.toSorted((a, b) => {
    if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
    if (a.id === null || b.id === null) return 0;
    return a.id < b.id ? -1 : 1;
  });
}

/** Its least tradable part, in whole steps, whose exact gain is the loss; the whole where none is. */
function givingOf(
  position: AuditedPosition,
  market: bigint,
  loss: bigint,
  pair: AuditedPair | undefined,
): Giving {
  const factor = position.rules === 'standard' ? 1n : BigInt(position.leverage);
  const move = position.side === 'BUY' ? market - position.entry : position.entry - market;
  const gainPerUnit = ratio(move * factor, WHOLE);
  let { size } = position;
  if (pair) {
    const steps = wholeAbove(over(ratio(loss), times(gainPerUnit, ratio(pair.stepSize))));
    const part = steps * pair.stepSize;
    const isTradable = position.size - part >= pair.minQty && (position.margin * part) / position.size > 0n;
    if (isTradable) size = part;
  }
  const back = wholeAbove(over(ratio(loss * WHOLE), ratio(size * factor)));
  const moved = back > move ? move : back;
  return { position, size, price: position.side === 'BUY' ? market - moved : market + moved };
}

/** Of every losing side, in the order in which they are settled; nothing where only one side is open. */
export function settlingsOf(
  positions: readonly AuditedPosition[],
  symbol: string,
  price: bigint,
  pair: AuditedPair | undefined,
): Settling[] {
  const open = oldestFirst(positions.filter((row) => row.symbol === symbol && row.closing === null));
  if (!open.some(({ side }) => side === 'BUY') || !open.some(({ side }) => side === 'SELL')) return [];
  const spent = open.filter((position) => isSpent(position, price));
  const settlings: Settling[] = [];
  for (const side of ['BUY', 'SELL'] as const) {
    const losers = spent.filter((position) => position.side === side);
    let due = 0n;
    for (const loser of losers) due += excessOf(loser, price);
    let given = 0n;
    const gives: Giving[] = [];
    for (const position of open) {
      const gain = gainOf(position, price);
      if (given >= due || position.side === side || gain <= 0n || spent.includes(position)) continue;
      const giving = givingOf(position, price, due - given, pair);
      const part = { ...position, size: giving.size };
      given += gainOf(part, price) - gainOf(part, giving.price);
      gives.push(giving);
    }
    const loses = losers.map((position) => {
      const excess = excessOf(position, price);
      const covered = excess < given ? excess : given;
      given -= covered;
      return { position, covered };
    });
    settlings.push({ gives, loses });
  }
  return settlings;
}

/** The value of everything at its mark: the gains of a symbol's sides pay for each other's excess losses. */
export function worthOf(
  positions: readonly AuditedPosition[],
  markOf: (symbol: string) => bigint | undefined,
): bigint {
  const open = positions.filter(({ closing }) => closing === null);
  let worth = 0n;
  for (const symbol of new Set(open.map((position) => position.symbol))) {
    const gains = { BUY: 0n, SELL: 0n };
    const excesses = { BUY: 0n, SELL: 0n };
    for (const position of open) {
      if (position.symbol !== symbol) continue;
      const price = markOf(symbol) ?? position.entry;
      const gain = gainOf(position, price);
      const excess = excessOf(position, price);
      worth += gain + excess;
      if (gain > 0n) gains[position.side] += gain;
      excesses[position.side] += excess;
    }
    worth -= gains.BUY < excesses.SELL ? gains.BUY : excesses.SELL;
    worth -= gains.SELL < excesses.BUY ? gains.SELL : excesses.BUY;
  }
  return worth;
}
