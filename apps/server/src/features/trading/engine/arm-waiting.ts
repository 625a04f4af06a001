/** Before the engine serves: everything that waits in the store is armed, page by page, so no account need be in memory. */
import type { RuleSetName } from '@fulcrum/domain';
import { StartError } from '../../../platform/start-error.ts';
import type { Watch } from '../triggers/watch.ts';
import type { Store } from './store.ts';

interface Count {
  positions: number;
  orders: number;
}

/** @throws StartError when something of another rule set waits (A01). */
export async function armWaiting(store: Store, watch: Watch, rules: RuleSetName): Promise<void> {
  const foreign: Count = { positions: 0, orders: 0 };
  let from: string | null = null;
  do {
    const { positions, orders, next } = await store.readWaiting(from);
    for (const position of positions) watch.follow(position);
    for (const order of orders) watch.followOrder(order);
    foreign.positions += positions.filter((position) => position.rules !== rules).length;
    foreign.orders += orders.filter((order) => order.rules !== rules).length;
    from = next;
  } while (from !== null);
  if (foreign.positions + foreign.orders > 0) throw foreignRules(rules, foreign);
}

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];

/** What was opened or ordered lives under its rules, and one server trades under one set. */
function foreignRules(rules: RuleSetName, { positions, orders }: Count): StartError {
  const other: RuleSetName = rules === 'standard' ? 'as-specified' : 'standard';
  const what = [...counted(positions, 'open position'), ...counted(orders, 'waiting order')].join(' and ');
  const follow = positions + orders === 1 ? 'follows' : 'follow';
  return new StartError(
    `RULES=${rules}, but ${what} ${follow} the rule set ${other}: start with RULES=${other} and close them first`,
  );
}
