/** How the auditor closes a position, and what A111 closes before it. Changes its accounts and the house's. */

import { movedSince } from './audited-levels.ts';
import { type AuditedPair, partOf } from './audited-market.ts';
import { isOrderWaiting } from './audited-net-case.ts';
import { netLiquidation } from './audited-net-formulas.ts';
import { settlingsOf } from './audited-sides.ts';
import { feeOnValue, orderValueOf, pnlOf, resultOf } from './formulas.ts';
import type { AuditedAccount, AuditedClosing, AuditedOrder, AuditedPosition, House } from './ledger-book.ts';

/** What a net position that closes whole gets from the levels; null for one that closes at the market's price. */
export type NetFillOf = (
  account: AuditedAccount,
  position: AuditedPosition,
  source: AuditedClosing['source'],
) => {
  readonly price: bigint;
  readonly value: bigint;
  readonly mid: bigint;
  readonly quoteId: string | null;
} | null;

export class AuditedCloser {
  readonly #house: House;
  readonly #pairOf: (symbol: string) => AuditedPair | undefined;
  /** Called for every row that changes. */
  readonly #touch: (row: AuditedPosition | AuditedOrder) => unknown;
  readonly #netFillOf: NetFillOf;

  constructor(
    house: House,
    pairOf: (symbol: string) => AuditedPair | undefined,
    touch: (row: AuditedPosition | AuditedOrder) => unknown,
    netFillOf: NetFillOf = () => null,
  ) {
    this.#house = house;
    this.#netFillOf = netFillOf;
    this.#pairOf = pairOf;
    this.#touch = touch;
  }

  charge(account: AuditedAccount, fee: bigint): void {
    account.balance -= fee;
    this.#house.fees += fee;
    if (fee !== 0n) account.lines.push({ type: 'fee', amount: -fee, of: null });
  }

  /** `covered`: the part of its loss beyond the margin that the other side has paid. */
  closeAt(
    account: AuditedAccount,
    position: AuditedPosition,
    closing: Omit<AuditedClosing, 'pnl'>,
    covered = 0n,
    { by = null, arrival = null }: { by?: AuditedOrder | null; arrival?: bigint | null } = {},
  ): void {
    const net = this.#netFillOf(account, position, closing.source);
    const price = net?.price ?? closing.price;
    const value = net?.value ?? orderValueOf(price, position.size);
    const result =
      position.value === null ? pnlOf(position.rules, position, price) : resultOf(position, value);
    const gross = result + covered;
    const fee = this.bookClose(
      account,
      position,
      { ...closing, price },
      { gross, value, rate: position.feeRate },
    );
    const side = position.side === 'BUY' ? 'SELL' : 'BUY';
    account.fills.push({
      ...{ side, size: position.size, price, value, fee, pnl: position.closing?.pnl ?? null, of: position },
      ...{
        by,
        at: closing.at,
        flippedFrom: null,
        liquidity: 'taker',
        ...movedSince(net?.quoteId == null ? null : arrival, side, net?.mid ?? price),
        quoteId: net?.quoteId ?? null,
      },
    });
    if (position.value !== null) {
      const { symbol, size } = position;
      account.trades.push({ symbol, side, size, isMaker: false, at: closing.at });
    }
  }

  /** Books the close of the whole; the caller has the fill. Returns the fee. */
  bookClose(
    account: AuditedAccount,
    position: AuditedPosition,
    closing: Omit<AuditedClosing, 'pnl'>,
    { gross, value, rate }: { readonly gross: bigint; readonly value: bigint; readonly rate: bigint },
  ): bigint {
    const pnl = gross < -position.margin ? -position.margin : gross;
    const left = position.margin + pnl;
    const due = feeOnValue(value, rate);
    const fee = due > left ? left : due;
    account.balance += pnl;
    this.#house.pnl -= gross;
    // Insurance pays the house the loss beyond the margin.
    this.#house.insurance -= pnl - gross;
    account.lines.push({ type: 'position_closed', amount: pnl, of: position });
    this.charge(account, fee);
    position.fees += fee;
    position.closing = { ...closing, pnl };
    position.isLeaving = false;
    this.#touch(position);
    for (const order of account.orders) {
      if (order.boundTo !== position || !isOrderWaiting(order)) continue;
      order.status = 'EXPIRED';
      this.#touch(order);
    }
    return fee;
  }

  /** The positions that A111 closes before anything of the symbol closes at this price. */
  settleSides(
    account: AuditedAccount,
    symbol: string,
    { price, source, at }: Pick<AuditedClosing, 'price' | 'source' | 'at'>,
    notifies: boolean,
  ): void {
    if (source === 'entry') return;
    const liquidated = { source, reason: 'liquidation', at } as const;
    for (const { gives, loses } of settlingsOf(account.positions, symbol, price, this.#pairOf(symbol))) {
      for (const { position, size, price: given } of gives) {
        const part = size === position.size ? position : this.takeOff(account, position, size);
        this.closeAt(account, part, { ...liquidated, price: given });
        if (notifies) account.notices.push('liquidation');
      }
      for (const { position, covered } of loses) {
        this.closeAt(account, position, { ...liquidated, price }, covered);
        if (notifies) account.notices.push('liquidation');
      }
    }
  }

  takeOff(account: AuditedAccount, whole: AuditedPosition, size: bigint): AuditedPosition {
    const part = partOf(whole, size);
    whole.size -= part.size;
    whole.margin -= part.margin;
    if (whole.value !== null && part.value !== null) {
      whole.value -= part.value;
      const pair = this.#pairOf(whole.symbol);
      if (pair) whole.liquidation = netLiquidation({ ...whole, value: whole.value }, pair);
    }
    account.positions.push(part);
    this.#touch(whole);
    return part;
  }
}
