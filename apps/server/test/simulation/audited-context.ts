/** What the judgements of one command share: the market, the house, and what the decision draws and touches. */
import { AuditedCloser } from './audited-closing.ts';
import { type NetInstant, netClose } from './audited-levels.ts';
import { fullFaults, lockedFaults } from './audited-limits.ts';
import {
  type AuditedMarket,
  type AuditedPair,
  type Instant,
  marketFaults,
  positionOf,
  type Trade,
} from './audited-market.ts';
import type { NetTools } from './audited-net-case.ts';
import { orderValueOf, resultOf } from './formulas.ts';
import type { AuditedAccount, AuditedOrder, AuditedPosition, House, Verdict } from './ledger-book.ts';

export const accepted: Verdict = [];

export class AuditedContext {
  readonly market: AuditedMarket;
  readonly house: House = { pnl: 0n, insurance: 0n, fees: 0n, funding: 0n, external: 0n };
  /** The rows that the current decision has touched. */
  touched = new Set<AuditedPosition | AuditedOrder>();
  ids: readonly string[] = [];
  instant: NetInstant = { at: 0, quote: () => undefined, book: () => undefined };
  /** Of the account before the command. */
  own: readonly string[] = [];
  readonly closer = new AuditedCloser(
    this.house,
    (symbol) => this.pairOf(symbol),
    (position) => this.touch(position),
    (account, position, source) => {
      const pair = this.pairOf(position.symbol);
      const closing = { position, size: position.size, source };
      return pair ? netClose(account, pair, closing, this.instant, true) : null;
    },
  );
  readonly netTools: NetTools;

  constructor(market: AuditedMarket) {
    this.market = market;
    this.netTools = {
      house: this.house,
      pairOf: (symbol) => this.pairOf(symbol),
      tolerancePercent: market.tolerancePercent,
      touch: (row) => this.touch(row),
      close: (account, position, { price, value, at, rate }) =>
        this.closer.bookClose(
          account,
          position,
          { price, source: 'live', reason: 'manual', at },
          { gross: resultOf(position, value), value, rate },
        ),
      takeOff: (account, whole, size) => this.closer.takeOff(account, whole, size),
      charge: (account, fee) => this.closer.charge(account, fee),
    };
  }

  touch(row: AuditedPosition | AuditedOrder): void {
    this.touched.add(row);
  }

  pairOf(symbol: string): AuditedPair | undefined {
    return this.market.pairs.find((pair) => pair.symbol === symbol);
  }

  /** `order`: the one that it fills. */
  openAt(
    account: AuditedAccount,
    trade: Trade,
    entry: bigint,
    { at: createdAt, order = null }: { readonly at: number; readonly order?: AuditedOrder | null },
  ): AuditedPosition {
    const position = positionOf(trade, entry, createdAt, account.terms);
    // The release of a reserve has drawn an id before.
    position.id = this.ids[order && order.type !== 'MARKET' ? 1 : 0] ?? null;
    account.positions.push(position);
    this.touch(position);
    const { side, size, fees: fee } = position;
    const at = {
      price: entry,
      mid: entry,
      value: orderValueOf(entry, size),
      quoteId: null,
      liquidity: 'taker',
    } as const;
    const opened = { pnl: null, of: position, by: order, flippedFrom: null, at: createdAt };
    account.fills.push({ ...at, side, size, fee, ...opened });
    this.closer.charge(account, fee);
    return position;
  }

  limitFaults(account: AuditedAccount, symbol: string, { at }: Instant): readonly string[] {
    return [...lockedFaults(account, symbol, at), ...this.own];
  }

  marketFaults(account: AuditedAccount, trade: Trade, expected: bigint | null, instant: Instant): string[] {
    const { tolerancePercent } = this.market;
    const faults = marketFaults(account, trade, { expected, instant, tolerancePercent });
    return [...faults, ...this.limitFaults(account, trade.pair.symbol, instant), ...fullFaults(account)];
  }
}
