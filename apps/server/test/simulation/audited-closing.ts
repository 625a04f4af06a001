/** How the auditor closes a position, and what A111 closes before it. Changes its accounts and the house's. */
import { type AuditedPair, partOf } from './audited-market.ts';
import { settlingsOf } from './audited-sides.ts';
import { feeOf, pnlOf } from './formulas.ts';
import type { AuditedAccount, AuditedClosing, AuditedPosition, House } from './ledger-book.ts';

export class AuditedCloser {
  readonly #house: House;
  readonly #pairOf: (symbol: string) => AuditedPair | undefined;
  /** Called for every position that changes. */
  readonly #touch: (position: AuditedPosition) => unknown;

  constructor(
    house: House,
    pairOf: (symbol: string) => AuditedPair | undefined,
    touch: (position: AuditedPosition) => unknown,
  ) {
    this.#house = house;
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
  ): void {
    const gross = pnlOf(position.rules, position, closing.price) + covered;
    const pnl = gross < -position.margin ? -position.margin : gross;
    const left = position.margin + pnl;
    const due = feeOf(closing.price, position.size, position.feeRate);
    const fee = due > left ? left : due;
    account.balance += pnl;
    this.#house.pnl -= gross;
    // Insurance pays the house the loss beyond the margin.
    this.#house.insurance -= pnl - gross;
    account.lines.push({ type: 'position_closed', amount: pnl, of: position });
    this.charge(account, fee);
    const side = position.side === 'BUY' ? 'SELL' : 'BUY';
    const { price } = closing;
    account.fills.push({ side, size: position.size, price, fee, pnl, of: position, by: null });
    position.fees += fee;
    position.closing = { ...closing, pnl };
    position.isLeaving = false;
    this.#touch(position);
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
    account.positions.push(part);
    this.#touch(whole);
    return part;
  }
}
