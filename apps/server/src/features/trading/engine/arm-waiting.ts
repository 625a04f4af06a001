/**
 * Arms everything that waits in slots of the store before the engine serves them, page by page, so that no account need be in
 * memory.
 */
import type { Order, Position, RuleSetName } from '@fulcrum/domain';
import { StartError } from '../../../platform/start-error.ts';
import type { TriggerRegistry } from '../triggers/registry.ts';
import type { Store } from './store.ts';

interface Count {
  positions: number;
  orders: number;
}

/** @throws StartError when something of a main account waits under another rule set (A01). */
export async function armWaiting(
  store: Store,
  slots: readonly number[],
  triggers: TriggerRegistry,
  rules: RuleSetName,
): Promise<void> {
  const foreign: Count = { positions: 0, orders: 0 };
  let from: string | null = null;
  do {
    const { positions, orders, apart, next } = await store.readWaiting(slots, from);
    for (const position of positions) triggers.arm(position);
    for (const order of orders) triggers.armOrder(order);
    const isForeign = (waiting: Position | Order) => waiting.rules !== rules && !apart.has(waiting.accountId);
    foreign.positions += positions.filter(isForeign).length;
    foreign.orders += orders.filter(isForeign).length;
    from = next;
  } while (from !== null);
  if (foreign.positions + foreign.orders > 0) throw foreignRules(rules, foreign);
}

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];

/** Positions and orders belong to the rule set of their opening, and one server trades under one set. */
function foreignRules(rules: RuleSetName, { positions, orders }: Count): StartError {
  const other: RuleSetName = rules === 'standard' ? 'as-specified' : 'standard';
  const what = [...counted(positions, 'open position'), ...counted(orders, 'waiting order')].join(' and ');
  const follow = positions + orders === 1 ? 'follows' : 'follow';
  return new StartError(
    `RULES=${rules}, but ${what} ${follow} the rule set ${other}: start with RULES=${other} and close them first`,
  );
}
