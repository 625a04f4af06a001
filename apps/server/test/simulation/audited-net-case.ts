/** What the judgements of an account with net positions share. */
import { isWaitingForTrigger } from './audited-conditions.ts';
import type { NetInstant, Taken } from './audited-levels.ts';
import type { AuditedPair } from './audited-market.ts';
import { other, profileOf } from './audited-net-formulas.ts';
import { type AuditedSide, movedBeyond } from './formulas.ts';
import type { AuditedAccount, AuditedOrder, AuditedPosition, House } from './ledger-book.ts';

/** What the auditor lends: its closing of a position, and the marks of touched rows. */
export interface NetTools {
  readonly house: House;
  readonly pairOf: (symbol: string) => AuditedPair | undefined;
  readonly tolerancePercent: bigint;
  readonly touch: (row: AuditedPosition | AuditedOrder) => unknown;
  /** Books the result of the whole of a position; returns the fee. */
  readonly close: (
    account: AuditedAccount,
    position: AuditedPosition,
    closing: { price: bigint; value: bigint; at: number; rate: bigint },
  ) => bigint;
  readonly takeOff: (account: AuditedAccount, whole: AuditedPosition, size: bigint) => AuditedPosition;
  readonly charge: (account: AuditedAccount, fee: bigint) => void;
}

export interface NetOrder {
  readonly pair: AuditedPair;
  readonly side: AuditedSide;
  readonly size: bigint;
  readonly leverage: number;
  readonly limit: bigint | null;
  readonly takeProfit: bigint | null;
  readonly stopLoss: bigint | null;
  readonly timeInForce: string;
  readonly reduceOnly: boolean;
  readonly quoteId: string | null;
  readonly order: AuditedOrder | null;
  /** The middle of the market when it arrived, of one whose latency is over. */
  readonly arrival?: bigint | null;
}
export interface Placed {
  readonly faults: readonly string[];
  readonly filled: Taken | null;
  readonly position: AuditedPosition | null;
  readonly reserved: bigint;
  readonly left: bigint;
  readonly waits: boolean;
}

export const refused = (...faults: string[]): Placed => ({
  ...{ faults, filled: null, position: null, reserved: 0n, left: 0n, waits: false },
});

export const netOf = (account: AuditedAccount, symbol: string): AuditedPosition | undefined =>
  account.positions.find((position) => position.symbol === symbol && !position.closing);
export const againstOf = (position: AuditedPosition | undefined, side: AuditedSide): bigint =>
  position && position.side === other(side) ? position.size : 0n;
export const isOrderWaiting = ({ status }: Pick<AuditedOrder, 'status'>): boolean =>
  status === 'NEW' || status === 'PARTIALLY_FILLED';
export const waitingOf = (account: AuditedAccount, symbol: string): AuditedOrder | undefined =>
  account.orders.find(
    (order) => order.symbol === symbol && isOrderWaiting(order) && !isWaitingForTrigger(order),
  );
export const leverageOf = ({ leverages }: AuditedAccount, symbol: string): number =>
  leverages.get(symbol) ?? 20;

/** One command on one account, and the market that it meets. */
export class NetCase {
  protected readonly tools: NetTools;
  protected readonly account: AuditedAccount;
  protected readonly instant: NetInstant;
  protected readonly ids: readonly string[];

  constructor(tools: NetTools, account: AuditedAccount, instant: NetInstant, ids: readonly string[]) {
    this.tools = tools;
    this.account = account;
    this.instant = instant;
    this.ids = ids;
  }

  protected openableFaults(symbol: string, expected: bigint | null): string[] {
    const quote = this.instant.quote(symbol);
    if (!quote) return ['no_price'];
    if (!quote.marketOpen) return ['market_closed'];
    if (quote.stale) return ['price_stale'];
    const isMoved = expected !== null && movedBeyond(expected, quote.price, this.tools.tolerancePercent);
    return isMoved ? ['price_moved'] : [];
  }

  /** The middle of the market that a trade meets as it arrives; null where it is decided at once. */
  protected arrivalAt(symbol: string): bigint | null {
    if (profileOf(this.account).latency === 0 || !this.tools.pairOf(symbol)) return null;
    const book = this.instant.book(symbol);
    return book && this.openableFaults(symbol, null).length === 0 ? book.mid : null;
  }

  protected remember(): () => void {
    const [account, house] = [structuredClone(this.account), { ...this.tools.house }];
    return () => {
      Object.assign(this.account, account);
      Object.assign(this.tools.house, house);
    };
  }
}
