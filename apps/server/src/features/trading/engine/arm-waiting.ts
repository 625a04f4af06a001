/**
 * Arms what waits in slots of the store, page by page, so that no account need be in memory.
 */
import type { MarketView, Order, Position, RuleSetName } from '@fulcrum/domain';
import { StartError } from '../../../platform/start-error.ts';
import type { TriggerRegistry } from '../triggers/registry.ts';
import type { Waiting } from './gap.ts';
import type { Store, WaitingPage } from './store.ts';

export interface Count {
  positions: number;
  orders: number;
}

export interface Arming {
  readonly store: Pick<Store, 'readWaiting'>;
  readonly triggers: Pick<TriggerRegistry, 'arm' | 'armOrder' | 'equity'>;
  readonly quote: MarketView['quote'];
  readonly rules: RuleSetName;
}

/** @throws StartError when something of a main account waits under another rule set (A01). */
export async function armWaiting(arming: Arming, slots: readonly number[]): Promise<void> {
  const foreign: Count = { positions: 0, orders: 0 };
  let from: string | null = null;
  do from = (await armPage(arming, slots, from, foreign)).next;
  while (from !== null);
  requireOneRuleSet(arming.rules, foreign);
}

/** Arms one page of what waits, and counts what waits under another rule set. `next`: where the next page starts; null after the last. */
export async function armPage(
  { store, triggers, rules, quote }: Arming,
  slots: readonly number[],
  from: string | null,
  foreign: Count,
): Promise<Waiting & Pick<WaitingPage, 'next'>> {
  const { positions, orders, apart, challenges, next } = await store.readWaiting(slots, from);
  for (const position of positions) triggers.arm(position);
  for (const order of orders) triggers.armOrder(order);
  for (const account of challenges ?? []) {
    const challenge = account.terms.limits?.challenge;
    if (challenge) triggers.equity.arm(account, challenge, quote);
  }
  const isForeign = (waiting: Position | Order) => waiting.rules !== rules && !apart.has(waiting.accountId);
  foreign.positions += positions.filter(isForeign).length;
  foreign.orders += orders.filter(isForeign).length;
  return { positions, orders, next };
}

/** @throws StartError when something was counted. */
function requireOneRuleSet(rules: RuleSetName, foreign: Count): void {
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
