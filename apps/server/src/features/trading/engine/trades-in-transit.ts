/** Trades whose latency is not over (A113), the earliest first. A crash forgets them; none of them was answered. */
import type { InTransit } from './batch-decision.ts';

export class TradesInTransit {
  #trades: readonly InTransit[] = [];

  get size(): number {
    return this.#trades.length;
  }

  /** Counts those of all accounts of the user. */
  countOf(ownerId: string): number {
    return this.#trades.filter(({ request }) => request.origin.ownerId === ownerId).length;
  }

  add(trades: readonly InTransit[]): void {
    this.#trades = [...this.#trades, ...trades];
  }

  /** Takes those whose latency is over. */
  takeArrived(now: number): readonly InTransit[] {
    const arrived = this.#trades.filter(({ at }) => at <= now);
    if (arrived.length > 0) this.#trades = this.#trades.filter(({ at }) => at > now);
    return arrived;
  }

  /** Nothing of them has happened. */
  reject(error: () => Error, isConcerned: (trade: InTransit) => boolean = () => true): void {
    const [rejected, left] = [[] as InTransit[], [] as InTransit[]];
    for (const trade of this.#trades) (isConcerned(trade) ? rejected : left).push(trade);
    this.#trades = left;
    for (const { request } of rejected) request.reject(error());
  }
}
