/** Leverage, margin and funding of net positions. */
import { times } from './arithmetic.ts';
import { costAt, dueInstants } from './audited-funding.ts';
import { costsUntil } from './audited-limits.ts';
import type { AuditedPair } from './audited-market.ts';
import { NetCase, netOf, waitingOf } from './audited-net-case.ts';
import { inUnits, marginOn, mostAt, netLiquidation, smaller, units } from './audited-net-formulas.ts';
import { type AuditedPosition, availableIn } from './ledger-book.ts';

export class NetMargin extends NetCase {
  protected freeMargin(position: AuditedPosition, leverage: number): bigint {
    const price = this.instant.quote(position.symbol)?.price ?? position.entry;
    const worth = inUnits(times(units(price), units(position.size)));
    const value = position.value ?? 0n;
    const pnl = position.side === 'BUY' ? worth - value : value - worth;
    const initial = marginOn(value, leverage);
    return position.margin + (pnl < 0n ? pnl : 0n) - (initial === 0n ? 1n : initial);
  }

  protected move(position: AuditedPosition, pair: AuditedPair, amount: bigint): void {
    position.margin += amount;
    position.liquidation = netLiquidation({ ...position, value: position.value ?? 0n }, pair);
    position.isWarned = false;
    this.tools.touch(position);
  }

  setLeverage(symbol: string, leverage: number): readonly string[] {
    const pair = this.tools.pairOf(symbol);
    if (!pair) return ['unknown_symbol'];
    if (!Number.isInteger(leverage) || leverage < 1 || leverage > 125) return ['leverage_invalid'];
    const faults = leverage > this.account.terms.leverageMax ? ['leverage_capped'] : [];
    const waiting = waitingOf(this.account, symbol);
    if (waiting && waiting.leverage !== leverage) faults.push('leverage_in_use');
    const position = netOf(this.account, symbol);
    const most = mostAt(pair, leverage);
    if (most === 0n) faults.push('position_too_large');
    if (position && leverage < position.leverage) faults.push('leverage_in_use');
    if (position && leverage > position.leverage && (position.value ?? 0n) > most)
      faults.push('position_too_large');
    if (position && leverage > position.leverage) faults.push(...this.openableFaults(symbol, null));
    if (faults.length > 0) return faults;
    if (position && leverage > position.leverage) {
      const value = position.value ?? 0n;
      const tied = marginOn(value, position.leverage) - marginOn(value, leverage);
      const freed = smaller(tied, this.freeMargin(position, leverage));
      position.leverage = leverage;
      this.move(position, pair, freed > 0n ? -freed : 0n);
    }
    this.account.leverages.set(symbol, leverage);
    return [];
  }

  protected due(position: AuditedPosition): readonly number[] {
    const { symbol } = position;
    const until = costsUntil(this.account, this.instant.at);
    return dueInstants(position, this.tools.pairOf(symbol), this.instant.quote(symbol), until);
  }

  /** Whether the account owes or is owed something, which comes before every other command. */
  get isFundingDue(): boolean {
    return this.account.positions.some((position) => this.due(position).length > 0);
  }

  fund(positionId: string): readonly string[] {
    const account = this.account;
    const position = account.positions.find(({ id }) => id === positionId);
    if (!position || position.closing) return ['position_not_found', 'position_closed'];
    const due = this.due(position);
    const pair = this.tools.pairOf(position.symbol);
    const price = this.instant.quote(position.symbol)?.price;
    if (due.length === 0 || !pair || price === undefined) return ['not_due'];
    for (const dueAt of due) {
      const cost = costAt(position, pair, price, dueAt);
      // First the cash, then the margin down to its last unit; what is left of the cost nobody pays.
      const [fromCash, fromMargin] = [availableIn(account), position.margin - 1n];
      const booked = -smaller(-cost, fromCash + fromMargin);
      const taken = -booked - fromCash;
      account.balance += booked;
      this.tools.house.funding -= booked;
      position.funding += booked;
      position.fundedAt = dueAt;
      if (booked !== 0n) {
        const type = pair.type === 'crypto' ? 'funding' : 'financing';
        account.lines.push({ type, amount: booked, of: null });
      }
      if (taken > 0n) this.move(position, pair, -taken);
    }
    this.tools.touch(position);
    return [];
  }

  adjustMargin(positionId: string, amount: bigint): readonly string[] {
    const position = this.account.positions.find(({ id }) => id === positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const pair = this.tools.pairOf(position.symbol);
    if (!pair) return ['unknown_symbol'];
    if (amount === 0n) return ['margin_amount_invalid'];
    if (amount > availableIn(this.account)) return ['insufficient_balance'];
    if (amount < 0n) {
      const shut = this.openableFaults(position.symbol, null);
      if (shut.length > 0) return shut;
      if (-amount > this.freeMargin(position, position.leverage)) return ['margin_beyond_free'];
    }
    this.move(position, pair, amount);
    return [];
  }
}
