/**
 * Arms the triggers of open positions and waiting orders in the trigger index, and nothing else. It follows decisions
 * before they are committed, so that the next tick finds what they opened. When a batch fails, its accounts become
 * stale; their triggers are armed again once the accounts are reloaded.
 */
import {
  type MarketType,
  type NextCrossing,
  type Order,
  orderTriggerOf,
  type Position,
  type Price,
  triggersOf,
} from '@fulcrum/domain';
import { slotOf } from '../engine/slots.ts';
import type { StoredAccount } from '../engine/store.ts';
import { DueCosts } from './due-costs.ts';
import { type Trigger, TriggerIndex, triggerKinds } from './trigger-index.ts';

const rankOf = new Map(triggerKinds.map((kind, rank) => [kind, rank]));
const rank = ({ kind }: Trigger): number => rankOf.get(kind) ?? triggerKinds.length;

export class TriggerRegistry {
  readonly #index = new TriggerIndex(triggerKinds);
  /** What holding the armed positions costs, by its due instant. */
  readonly costs: DueCosts;
  readonly #staleAccounts = new Set<string>();
  /** Orders that wait for an instant, by id; those with a price before it are armed at that price, too. */
  readonly #resting = new Map<string, { readonly order: Order; readonly until: number }>();

  /** `typeOf`: of a listed symbol. */
  constructor(typeOf: (symbol: string) => MarketType | undefined = () => undefined) {
    this.costs = new DueCosts(typeOf);
  }

  /** The number of armed triggers. */
  get size(): number {
    return this.#index.size;
  }

  get staleAccounts(): ReadonlySet<string> {
    return this.#staleAccounts;
  }

  /** Symbols with an armed trigger, or an order that rests. */
  get symbols(): Iterable<string> {
    const resting = [...this.#resting.values()].map(({ order }) => order.symbol);
    return resting.length === 0 ? this.#index.symbols : new Set([...this.#index.symbols, ...resting]);
  }

  /** Arms the current triggers of the position in place of its previous ones. */
  arm(position: Position): void {
    const { id, accountId, symbol } = position;
    this.#index.disarmAll(id);
    for (const trigger of triggersOf(position)) this.#index.arm({ ...trigger, id, accountId, symbol });
    this.costs.arm(position);
  }

  /** `next`: when the order may be filled that its trigger did not fill; armed at once, each tick would take it again. */
  armOrder(order: Order, next?: NextCrossing): void {
    const { id, accountId, symbol } = order;
    this.disarm(id);
    const trigger = orderTriggerOf(order);
    if (!trigger) return;
    if (next) this.#resting.set(id, { order, until: next.at });
    const price = next ? next.price : trigger.price;
    if (price !== undefined) this.#index.arm({ ...trigger, price, id, accountId, symbol });
  }

  /** Arms what has rested until `now`. */
  wake(now: number): void {
    for (const { order, until } of this.#resting.values()) if (until <= now) this.armOrder(order);
  }

  /** Disarms everything of a position or an order. */
  disarm(id: string): void {
    this.#index.disarmAll(id);
    this.#resting.delete(id);
    this.costs.disarm(id);
  }

  /** Disarms every account of these slots, stale ones too. */
  forgetSlots(slots: ReadonlySet<number>): void {
    this.#index.disarmAccounts(slots);
    this.costs.forgetSlots(slots);
    for (const [id, { order }] of this.#resting) {
      if (slots.has(slotOf(order.accountId))) this.#resting.delete(id);
    }
    for (const accountId of this.#staleAccounts) {
      if (slots.has(slotOf(accountId))) this.#staleAccounts.delete(accountId);
    }
  }

  /** Marks an account whose state is unknown; `restore` ends that. */
  markStale(accountId: string): void {
    this.#staleAccounts.add(accountId);
  }

  /** Removes the mark of a deleted account. */
  clearStale(accountId: string): void {
    this.#staleAccounts.delete(accountId);
  }

  /** Arms a stale account from its stored state; does nothing for another one. */
  restore({ wallet, positions, orders }: StoredAccount): void {
    if (!this.#staleAccounts.delete(wallet.accountId)) return;
    for (const position of positions) this.arm(position);
    for (const order of orders) this.armOrder(order);
  }

  isCrossed(symbol: string, price: Price): boolean {
    return this.#index.isCrossed(symbol, price);
  }

  /**
   * Takes at most `max` triggers that `price` crosses. They come account by account, each in the order in which they
   * apply: liquidation, stop loss, take profit, close at the next price that trades, orders, warnings. One per
   * position: its other triggers are armed again when that one is decided.
   */
  take(symbol: string, price: Price, max: number): Trigger[] {
    const byAccount = new Map<string, Trigger[]>();
    for (const trigger of this.#index.take(symbol, price, max)) {
      const taken = byAccount.get(trigger.accountId);
      if (taken) taken.push(trigger);
      else byAccount.set(trigger.accountId, [trigger]);
    }
    const first: Trigger[] = [];
    for (const taken of byAccount.values()) {
      const seen = new Set<string>();
      for (const trigger of taken.sort((a, b) => rank(a) - rank(b))) {
        if (seen.has(trigger.id)) continue;
        seen.add(trigger.id);
        first.push(trigger);
      }
    }
    return first;
  }
}
