/**
 * Arms the triggers of open positions and waiting orders in the trigger index, and nothing else. It follows decisions
 * before they are committed, so that the next tick finds what they opened. When a batch fails, its accounts become
 * stale; their triggers are armed again once the accounts are reloaded.
 */
import {
  followTriggerOf,
  isWaiting,
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
import { type DueOrder, DueOrders } from './due-orders.ts';
import { EquityBook } from './equity-book.ts';
import { type Trigger, TriggerIndex, triggerKinds } from './trigger-index.ts';

const rankOf = new Map(triggerKinds.map((kind, rank) => [kind, rank]));
const rank = ({ kind }: Trigger): number => rankOf.get(kind) ?? triggerKinds.length;

const toFollow = ({ id, accountId, symbol, peakPrice }: Order & { readonly peakPrice: Price }): Trigger => ({
  ...{ kind: 'follow', id, accountId, symbol, price: peakPrice, when: 'rises' },
});

export class TriggerRegistry {
  readonly #index = new TriggerIndex(triggerKinds);
  /** What holding the armed positions costs, by its due instant. */
  readonly costs: DueCosts;
  /** The equity of the accounts in challenges. */
  readonly equity = new EquityBook();
  readonly #staleAccounts = new Set<string>();
  readonly #due = new DueOrders();
  /** Trailing stops whose best price has moved since it was written, by id, with that price. */
  readonly #followed = new Map<string, Order & { readonly peakPrice: Price }>();
  /** Trailing stops that wait, by id. */
  readonly #trailing = new Map<string, Order>();
  /** Symbols in which an account with net positions had something, as long as anything is armed there. */
  readonly #booked = new Set<string>();
  /** Orders that wait for the next minute, by id; those with a price before it are armed at that price, too. */
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
    const waiting = [...this.#due.symbols, ...[...this.#resting.values()].map(({ order }) => order.symbol)];
    return waiting.length === 0 ? this.#index.symbols : new Set([...this.#index.symbols, ...waiting]);
  }

  bookedSymbols(): ReadonlySet<string> {
    const symbols = new Set(this.symbols);
    for (const symbol of this.#booked) if (!symbols.has(symbol)) this.#booked.delete(symbol);
    return new Set(this.#booked);
  }

  /** Arms the current triggers of the position in place of its previous ones. */
  arm(position: Position): void {
    const { id, accountId, symbol } = position;
    this.#index.disarmAll(id);
    if (position.rules === 'perpetual') this.#booked.add(symbol);
    for (const trigger of triggersOf(position)) this.#index.arm({ ...trigger, id, accountId, symbol });
    this.costs.arm(position);
  }

  /** `next`: when the order may be filled that its trigger did not fill; armed at once, each tick would take it again. */
  armOrder(stored: Order, next?: NextCrossing): void {
    const { id, accountId, symbol } = stored;
    const order = this.#withBest(stored);
    this.disarm(id);
    if (!isWaiting(order.status)) return;
    if (order.rules === 'perpetual') this.#booked.add(symbol);
    this.#due.arm(order, order.dueAt === null ? undefined : next?.at);
    const follow = followTriggerOf(order);
    if (follow) {
      this.#trailing.set(id, order);
      if (order !== stored && order.peakPrice !== null)
        this.#followed.set(id, { ...order, peakPrice: order.peakPrice });
      this.#index.arm({ ...follow, kind: 'follow', id, accountId, symbol });
    }
    const trigger = orderTriggerOf(order);
    if (!trigger) return;
    if (next) this.#resting.set(id, { order, until: next.at });
    const price = next ? next.price : trigger.price;
    if (price !== undefined) this.#index.arm({ ...trigger, price, id, accountId, symbol });
  }

  /** With the best price that it has followed in memory, where that is better than the stored one. */
  #withBest(stored: Order): Order {
    const followed = this.#followed.get(stored.id);
    if (!followed || followTriggerOf(stored) === null) return stored;
    const { peakPrice } = followed;
    const { side } = stored;
    const isBetter =
      stored.peakPrice === null ||
      (side === 'SELL' ? peakPrice > stored.peakPrice : peakPrice < stored.peakPrice);
    return isBetter ? { ...stored, peakPrice } : stored;
  }

  /** A tick made a new best price of a trailing stop. */
  #follow(id: string, price: Price): void {
    const order = this.#trailing.get(id);
    if (!order) return;
    this.#followed.set(id, { ...order, peakPrice: price });
    this.armOrder(order);
  }

  /** The best prices that are to be written. */
  followed(): Trigger[] {
    return [...this.#followed.values()].map(toFollow);
  }

  /** Takes what waited for an instant until `now`, at most `max`. */
  takeDue(now: number, max: number): DueOrder[] {
    return this.#due.take(now, max);
  }

  /** Arms what has rested until `now`. */
  wake(now: number): void {
    for (const { order, until } of this.#resting.values()) if (until <= now) this.armOrder(order);
  }

  /** Disarms everything of a position or an order. */
  disarm(id: string): void {
    this.suspend(id);
    this.#followed.delete(id);
  }

  /** The same, but for the best price that a trailing stop has followed: its row is unknown until it is read again. */
  suspend(id: string): void {
    this.#index.disarmAll(id);
    this.#resting.delete(id);
    this.#due.disarm(id);
    this.#trailing.delete(id);
    this.costs.disarm(id);
  }

  /** Disarms every account of these slots, stale ones too. */
  forgetSlots(slots: ReadonlySet<number>): void {
    this.#index.disarmAccounts(slots);
    this.costs.forgetSlots(slots);
    this.equity.forgetSlots(slots);
    for (const [id, { order }] of this.#resting) {
      if (slots.has(slotOf(order.accountId))) this.#resting.delete(id);
    }
    this.#due.forgetSlots(slots);
    for (const { id, accountId } of this.#trailing.values()) {
      if (!slots.has(slotOf(accountId))) continue;
      this.#trailing.delete(id);
      this.#followed.delete(id);
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
   * position: its other triggers are armed again when that one is decided. A trailing stop follows at once; its best price is
   * decided before it is triggered.
   */
  take(symbol: string, price: Price, max: number): Trigger[] {
    const byAccount = new Map<string, Trigger[]>();
    for (const trigger of this.#index.take(symbol, price, max)) {
      if (trigger.kind === 'follow') {
        this.#follow(trigger.id, price);
        continue;
      }
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
        const followed = this.#followed.get(trigger.id);
        if (followed) first.push(toFollow(followed));
        first.push(trigger);
      }
    }
    return first;
  }
}
