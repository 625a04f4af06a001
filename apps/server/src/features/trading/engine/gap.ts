/**
 * What was crossed while a slot had no engine. Invariant: only a tick that came after the last change of a position or an order counts for
 * it, as its former owner would have seen it; the former owner saw every earlier one.
 */
import { isWaiting, type MarketType, type Order, type Position, type Price } from '@fulcrum/domain';
import { TriggerRegistry } from '../triggers/registry.ts';
import type { Trigger } from '../triggers/trigger-index.ts';
import type { RecentTick } from './recent-ticks.ts';

/** Between the clocks of two processes, and on the way of a price to either. */
const marginMs = 250;

export interface GapCrossing {
  readonly trigger: Trigger;
  readonly price: Price;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Waiting {
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
}

/** What does not end or fill anything, so that a later price may. */
const isNotice = ({ kind }: Trigger): boolean =>
  kind === 'follow' || kind === 'margin_warning' || kind === 'margin_recovered';

/**
 * The crossings of `waiting` by `ticks`, which are in order of time; of each position and order up to the first that decides it.
 * `followed`: trailing stops that only followed, at the best price.
 */
export function crossedInGap(
  { positions, orders }: Waiting,
  ticks: readonly RecentTick[],
  typeOf: (symbol: string) => MarketType | undefined,
): { readonly crossings: readonly GapCrossing[]; readonly followed: readonly Trigger[] } {
  const registry = new TriggerRegistry(typeOf);
  const armings = [
    ...positions.map((position) => ({ from: position.updatedAt, arm: () => registry.arm(position) })),
    ...orders
      .filter(({ status }) => isWaiting(status))
      .map((order) => ({ from: order.updatedAt, arm: () => registry.armOrder(order) })),
  ].toSorted((a, b) => a.from - b.from);
  const crossings: GapCrossing[] = [];
  let armed = 0;
  for (const { symbol, price, at } of ticks) {
    for (let next = armings[armed]; next && next.from + marginMs <= at; next = armings[armed]) {
      next.arm();
      armed += 1;
    }
    if (!registry.isCrossed(symbol, price)) continue;
    const taken = registry.take(symbol, price, Number.MAX_SAFE_INTEGER);
    for (const trigger of taken) crossings.push({ trigger, price, at });
    for (const trigger of taken) if (!isNotice(trigger)) registry.disarm(trigger.id);
  }
  return { crossings, followed: registry.followed() };
}
