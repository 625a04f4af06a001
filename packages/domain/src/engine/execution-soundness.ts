/**
 * Invariants between the executions of a decision and the positions that it changed (A114). As in `soundness.ts` they run in
 * production and share no code with the decisions.
 */
import { multiply, UNIT } from '../money.ts';
import type { FillProfile } from '../perpetual/fill-profiles.ts';
import { oppositeOf } from '../states.ts';
import type { Command, MarketView } from './commands.ts';
import type { Effects, Execution, PositionChange } from './effects.ts';
import { assert, sumOf } from './invariant.ts';
import { fires, triggersOf } from './protection.ts';

/** What a change of a position has traded; null for a split, an edit, and a change of protection or margin. */
function tradedIn({ before, after }: PositionChange) {
  const { id, side, size, entryPrice, entryValue, closing, splitFrom } = after;
  const fee = after.fees - (before?.fees ?? 0n);
  if (closing !== null && !before?.closing) {
    const { price, realizedPnl } = closing;
    const value = entryValue === null ? multiply(price, size) : null;
    return { id, side: oppositeOf(side), size, fee, value, price, realizedPnl };
  }
  if (before === null && splitFrom === null) {
    const price = entryValue === null ? entryPrice : null;
    return { id, side, size, fee, value: entryValue ?? multiply(entryPrice, size), price, realizedPnl: null };
  }
  if (!before?.entryValue || entryValue === null || size <= before.size) return null;
  const added = { size: size - before.size, value: entryValue - before.entryValue };
  return { id, side, fee, ...added, price: null, realizedPnl: null };
}

/**
 * Each opening, increase and close is one execution with the figures of its position, and its price is explained to the
 * last unit. A flip closes one position and opens another. Net positions keep values, which add up to those of their executions.
 */
export function assertExecutions({ positions, executions, wallet }: Effects): void {
  const traded = new Map(
    positions.flatMap((change) => tradedIn(change) ?? []).map((part) => [part.id, part]),
  );
  const symbolOf = new Map(positions.map(({ after }) => [after.id, after.symbol]));
  let explained = 0;
  for (const execution of executions) {
    const { id, accountId, positionId, flippedFrom, symbol, side, size, value, price, fee } = execution;
    const parts = [positionId, flippedFrom].flatMap((part) =>
      part === null ? [] : (traded.get(part) ?? []),
    );
    explained += parts.length;
    assert(accountId === wallet.accountId, `execution ${id} is the account's own`);
    assert(parts.length === (flippedFrom === null ? 1 : 2), `execution ${id} trades its positions`);
    for (const part of parts) {
      assert(
        part.side === side && symbolOf.get(part.id) === symbol,
        `execution ${id} trades what its positions do`,
      );
      assert(part.price === null || part.price === price, `execution ${id} has the price of its positions`);
    }
    assert(sumOf(parts, (part) => part.size) === size, `execution ${id} has the size of its positions`);
    assert(sumOf(parts, (part) => part.fee) === fee, `execution ${id} has the fees of its positions`);
    const result = parts.find((part) => part.realizedPnl !== null)?.realizedPnl ?? null;
    assert(result === execution.realizedPnl, `execution ${id} has the result of its positions`);
    const values = parts.flatMap((part) => part.value ?? []);
    if (values.length === parts.length) {
      assert(sumOf(values, (one) => one) === value, `execution ${id} has the value of its positions`);
    }
    assertExplained(execution);
  }
  assert(explained === traded.size, 'every opening and every close is an execution');
}

function assertExplained(execution: Execution): void {
  const { id, side, size, value, price, mid, spreadCost, impactCost, latencyCost, liquidity } = execution;
  // The price is the value for each unit of size, and both are rounded.
  const off = price * size - value * UNIT;
  assert(2n * (off < 0n ? -off : off) <= size + UNIT, `execution ${id} has the value of its price`);
  const cost = spreadCost + impactCost + latencyCost;
  assert(price === (side === 'BUY' ? mid + cost : mid - cost), `execution ${id} explains its price`);
  assert(
    liquidity === 'maker' || (spreadCost >= 0n && impactCost >= 0n),
    `execution ${id} is no better than the market`,
  );
}

/**
 * A net position opens on the market's book, whose last price is fresh and of an open market (A37, A98, A110). It
 * closes on that book whatever its age. The exchange's own book counts only while that price trades. A waiting order
 * fills at its own price, once a tick has passed it. What a trigger closes had been reached by its tick. Without a
 * book a position ends at the last price.
 */
export function assertNetPriced(
  command: Command,
  effects: Effects,
  market: Pick<MarketView, 'quote' | 'book'>,
  fillProfile: FillProfile,
): void {
  for (const {
    id,
    positionId,
    symbol,
    price,
    mid,
    quoteId,
    liquidity,
    side,
    orderId,
    latencyCost,
  } of effects.executions) {
    const quote = market.quote(symbol);
    if (liquidity === 'maker') {
      const order = effects.orders.find(({ after }) => after.id === orderId)?.after;
      const tick = command.kind === 'fill' ? command.price : null;
      assert(order?.price === price && tick !== null, `execution ${id} is at the price of its order`);
      assert(side === 'BUY' ? tick < price : tick > price, `execution ${id} is of an order that was passed`);
    } else if (quoteId === null) {
      assert(
        command.kind === 'close' || isEnding(command) || command.kind === 'trigger',
        `execution ${id} is on a quote`,
      );
    } else {
      const opens = effects.positions.some(({ after }) => after.id === positionId && after.closing === null);
      const trades = quote !== undefined && !quote.stale && !quote.held && quote.marketOpen;
      const book = fillProfile === 'exact' ? undefined : market.book?.(symbol, fillProfile);
      const isLive = trades && book !== undefined && book.source !== 'modelled';
      const filledAt = side === 'BUY' ? mid + latencyCost : mid - latencyCost;
      assert(filledAt === (isLive ? book.mid : quote?.price), `execution ${id} is on the market's book`);
      assert(trades || !opens, `execution ${id} opens at a price that trades`);
    }
  }
  if (command.kind !== 'trigger') return;
  for (const { before, after } of effects.positions) {
    const { id, closing } = after;
    if (!closing || !before || before.closing || closing.reason === 'manual') continue;
    const isReached = triggersOf(before).some(
      (trigger) => trigger.kind === closing.reason && fires(trigger, command.price),
    );
    assert(isReached, `position ${id} waited for the price that closed it`);
  }
}

const isEnding = ({ kind }: Command): boolean => ['reset', 'close_out', 'judge', 'delete'].includes(kind);
