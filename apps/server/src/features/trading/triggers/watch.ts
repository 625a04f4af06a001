/**
 * Keeps the trigger index in line with the accounts: what an open position or a waiting order waits for is armed, and
 * nothing else. Decisions are followed before they are committed, so that the next tick finds what they opened; when a
 * batch fails its accounts are in doubt, and are armed anew once they are read again.
 */
import { type Order, orderTriggerOf, type Position, type Price, triggersOf } from '@fulcrum/domain';
import type { StoredAccount } from '../engine/store.ts';
import { type Trigger, TriggerIndex, triggerKinds } from './index.ts';

const rankOf = new Map(triggerKinds.map((kind, rank) => [kind, rank]));
const rank = ({ kind }: Trigger): number => rankOf.get(kind) ?? triggerKinds.length;

export class Watch {
  readonly #index = new TriggerIndex();
  readonly #doubtful = new Set<string>();

  /** Triggers that are armed. */
  get size(): number {
    return this.#index.size;
  }

  get doubtful(): ReadonlySet<string> {
    return this.#doubtful;
  }

  /** Symbols that something is armed for. */
  get symbols(): Iterable<string> {
    return this.#index.symbols;
  }

  /** Arms what the position waits for as it is now, and nothing of what it waited for before. */
  follow(position: Position): void {
    const { id, userId, symbol } = position;
    this.#index.disarmAll(id);
    for (const trigger of triggersOf(position)) this.#index.arm({ ...trigger, id, userId, symbol });
  }

  followOrder(order: Order): void {
    const { id, userId, symbol } = order;
    this.#index.disarmAll(id);
    const trigger = orderTriggerOf(order);
    if (trigger) this.#index.arm({ ...trigger, id, userId, symbol });
  }

  /** Forgets a position or an order. */
  leave(id: string): void {
    this.#index.disarmAll(id);
  }

  /** What became of this account is not known; `restore` ends the doubt. */
  doubt(userId: string): void {
    this.#doubtful.add(userId);
  }

  /** There is no such account any more. */
  forget(userId: string): void {
    this.#doubtful.delete(userId);
  }

  /** Arms a doubtful account as it is stored; does nothing for another one. */
  restore({ wallet, positions, orders }: StoredAccount): void {
    if (!this.#doubtful.delete(wallet.userId)) return;
    for (const position of positions) this.follow(position);
    for (const order of orders) this.followOrder(order);
  }

  isCrossed(symbol: string, price: Price): boolean {
    return this.#index.isCrossed(symbol, price);
  }

  /**
   * Takes what `price` crosses, at most `max` of it: account by account, each in the order in which its crossings act
   * (liquidation, stop loss, take profit, close at the reopening, orders, warnings). One of each position: whatever else it waits for is armed again
   * when that is decided.
   */
  take(symbol: string, price: Price, max: number): Trigger[] {
    const ofUser = new Map<string, Trigger[]>();
    for (const trigger of this.#index.take(symbol, price, max)) {
      const taken = ofUser.get(trigger.userId);
      if (taken) taken.push(trigger);
      else ofUser.set(trigger.userId, [trigger]);
    }
    const first: Trigger[] = [];
    for (const taken of ofUser.values()) {
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
