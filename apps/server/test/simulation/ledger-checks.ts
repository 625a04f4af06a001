/**
 * The numbered invariants of the ledger and the engine on a simulated database. Each call checks the entries since
 * the last one and the current rows. 9 (nothing stays breached), 11 (replay) and 12 (the age of prices) need more
 * than the database: they are in `observer.ts` and the tests of the replay. 15 is that of A111, 16 that of the executions of orders.
 */
import { isWaiting, type Order, type Position } from '@fulcrum/domain';
import type { Report } from './comparison.ts';
import { pnlOf } from './formulas.ts';
import type { MemoryDatabase, WrittenRow } from './memory-database.ts';

const isUser = (account: string): boolean => account.startsWith('user:');

/** The amounts that the groups of one position or order have moved. */
interface SourceTotals {
  readonly groups: Map<string, Set<string>>;
  pnl: bigint;
  fees: bigint;
  funding: bigint;
  locked: bigint;
  isInsured: boolean;
}

export class LedgerChecks {
  readonly #database: MemoryDatabase;
  #ledgerSeen = 0;
  #batchesSeen = 0;
  /** By account; `user:*` summed over all users. */
  readonly sums = new Map<string, bigint>();
  readonly #ofUser = new Map<string, bigint>();
  readonly #sources = new Map<string, SourceTotals>();
  readonly #known = new Set<string>();
  readonly #finalOrders = new Map<string, Order>();
  readonly #closed = new Map<string, Position>();
  readonly #versions = new Map<string, number>();

  constructor(database: MemoryDatabase) {
    this.#database = database;
    for (const { accountId, version } of database.wallets.values()) this.#versions.set(accountId, version);
  }

  check(report: Report): void {
    this.#readBatches(report);
    this.#readLedger(report);
    const violated = (number: number, what: string): void => report(`invariant ${number}: ${what}`);
    this.#checkWallets(violated);
    this.#checkPositions(violated);
    this.#checkOrders(violated);
  }

  #readBatches(report: Report): void {
    const { batches } = this.#database;
    for (; this.#batchesSeen < batches.length; this.#batchesSeen += 1) {
      const batch = batches[this.#batchesSeen];
      if (!batch) continue;
      for (const { after } of [...batch.positions, ...batch.orders]) this.#known.add(after.id);
      for (const { transaction } of batch.transactions) this.#known.add(transaction.id);
      for (const { before, after } of batch.wallets) {
        const last = this.#versions.get(after.accountId) ?? 0;
        const outside = this.#database.changedOutside.get(after.accountId) ?? [];
        let own = last;
        while (own < before.version && outside.includes(own + 1)) own += 1;
        const isNext = before.version === own && after.version > last;
        if (!isNext) report(`invariant 10: the account goes from version ${last} to ${after.version}`);
        this.#versions.set(after.accountId, after.version);
      }
      const named = new Set(batch.answers.map(({ key }) => `${key.ownerId} ${key.clientId}`));
      if (named.size !== batch.answers.length) report('invariant 7: one client id has two answers');
    }
  }

  #readLedger(report: Report): void {
    const { ledger, transactions } = this.#database;
    const groups = new Map<string, bigint>();
    let total = 0n;
    for (; this.#ledgerSeen < ledger.length; this.#ledgerSeen += 1) {
      const row = ledger[this.#ledgerSeen];
      if (!row) continue;
      groups.set(row.groupId, (groups.get(row.groupId) ?? 0n) + row.amount);
      total += row.amount;
      this.sums.set(row.account, (this.sums.get(row.account) ?? 0n) + row.amount);
      if (row.accountId !== null) {
        const key = `${row.accountId} ${row.account}`;
        this.#ofUser.set(key, (this.#ofUser.get(key) ?? 0n) + row.amount);
      }
      this.#addToSource(row);
      const hasSource = this.#known.has(row.sourceId) || transactions.has(row.sourceId);
      if (!hasSource) report(`invariant 4: a ${row.kind} entry without its source`);
      if (isUser(row.account) !== (row.accountId !== null))
        report(`invariant 1: ${row.account} has the wrong owner`);
    }
    for (const [id, sum] of groups) if (sum !== 0n) report(`invariant 1: group ${id} sums to ${sum}`);
    if (total !== 0n) report(`invariant 1: the ledger sums to ${total}`);
  }

  #addToSource({ sourceId, groupId, kind, account, amount }: WrittenRow): void {
    const totals = this.#sources.get(sourceId) ?? {
      groups: new Map(),
      ...{ pnl: 0n, fees: 0n, funding: 0n, locked: 0n, isInsured: false },
    };
    this.#sources.set(sourceId, totals);
    const ofKind = totals.groups.get(kind) ?? new Set();
    totals.groups.set(kind, ofKind.add(groupId));
    if (account === 'house:pnl' || account === 'insurance') totals.pnl -= amount;
    if (account === 'insurance') totals.isInsured = true;
    if (account === 'house:fees') totals.fees += amount;
    if (account === 'house:funding') totals.funding -= amount;
    if (account === 'user:margin' || account === 'user:order_margin') totals.locked += amount;
  }

  #checkWallets(violated: (number: number, what: string) => void): void {
    const locked = new Map<string, bigint>();
    const add = (key: string, amount: bigint): unknown => locked.set(key, (locked.get(key) ?? 0n) + amount);
    for (const { accountId, closing, margin } of this.#database.positions.values()) {
      if (closing === null) add(`${accountId} user:margin`, margin);
    }
    for (const { accountId, status, reserved } of this.#database.orders.values()) {
      if (isWaiting(status)) add(`${accountId} user:order_margin`, reserved);
    }
    const lines = new Map<string, bigint>();
    for (const { accountId, amount } of this.#database.transactions.values()) {
      lines.set(accountId, (lines.get(accountId) ?? 0n) + amount);
    }
    for (const { accountId, available, margin, orderMargin } of this.#database.wallets.values()) {
      const columns = { 'user:cash': available, 'user:margin': margin, 'user:order_margin': orderMargin };
      for (const [account, amount] of Object.entries(columns)) {
        const key = `${accountId} ${account}`;
        const booked = this.#ofUser.get(key) ?? 0n;
        if (amount !== booked) violated(2, `${key} is ${amount}, its ledger has ${booked}`);
        if (amount < 0n) violated(2, `${key} is negative`);
        if (account === 'user:cash') continue;
        const held = locked.get(key) ?? 0n;
        if (amount !== held) violated(3, `${key} is ${amount}, what is open holds ${held}`);
      }
      // A10: the plain sum of all lines is the balance.
      const balance = available + margin + orderMargin;
      const lined = lines.get(accountId) ?? 0n;
      if (balance !== lined)
        violated(14, `the balance of ${accountId} is ${balance}, its lines have ${lined}`);
    }
  }

  #checkPositions(violated: (number: number, what: string) => void): void {
    const { positions } = this.#database;
    for (const position of positions.values()) {
      const { id, closing, margin, splitFrom, feeRate } = position;
      const totals = this.#sources.get(id);
      const groups = (kind: string): number => totals?.groups.get(kind)?.size ?? 0;
      const isBorn =
        splitFrom === null ? groups('open') === 1 : groups('open') === 0 && groups('split') === 1;
      if (!isBorn) violated(4, `position ${id} was opened ${groups('open')} times`);
      if (groups('close') !== (closing === null ? 0 : 1))
        violated(4, `${id} was closed ${groups('close')} times`);
      if ((totals?.fees ?? 0n) !== position.fees)
        violated(5, `fees of ${id}: ${totals?.fees}, ${position.fees}`);
      if ((totals?.funding ?? 0n) !== position.funding)
        violated(5, `funding of ${id}: ${totals?.funding}, ${position.funding}`);
      if (feeRate === 0n && position.fees !== 0n) violated(5, `${id} was charged without a rate`);
      if ((totals?.locked ?? 0n) !== (closing === null ? margin : 0n))
        violated(3, `${id} locks ${totals?.locked}`);
      if (closing === null) continue;
      if ((totals?.pnl ?? 0n) !== closing.realizedPnl) violated(5, `PnL of ${id} is not what its ledger has`);
      if (closing.realizedPnl < -margin) violated(5, `${id} lost more than its margin`);
      this.#checkClosed(position, violated);
    }
  }

  #checkClosed(position: Position, violated: (number: number, what: string) => void): void {
    const { id, closing } = position;
    const before = this.#closed.get(id);
    if (before?.version === position.version) return;
    this.#closed.set(id, position);
    if (!closing) return;
    if (before?.closing) {
      // Staff may change its figures, but not the reason of its close.
      if (before.closing.reason !== closing.reason) violated(8, `${id} closed for two reasons`);
      return;
    }
    if (position.editedAt !== null && position.editedAt >= closing.at) return;
    const { side, liquidationPrice, stopLossPrice, takeProfitPrice, entryValue } = position;
    const isByMark = !['manual', 'staff', 'program_end'].includes(closing.reason);
    if (entryValue !== null) {
      // Where it closed is the book's, not the tick's that reached it; the auditor judges both.
      if (isByMark && closing.priceSource !== 'live')
        violated(12, `${id} was closed by a price that was not live`);
      return;
    }
    const isDown = (price: bigint): boolean =>
      side === 'BUY' ? closing.price <= price : closing.price >= price;
    const isUp = (price: bigint): boolean =>
      side === 'BUY' ? closing.price >= price : closing.price <= price;
    const isForPair = closing.realizedPnl === -position.margin || this.#hasPaid(position);
    if (closing.reason === 'liquidation' && !isDown(liquidationPrice) && !isForPair)
      violated(9, `${id} was not breached`);
    if (closing.reason === 'stop_loss' && (stopLossPrice === null || !isDown(stopLossPrice))) {
      violated(9, `the stop loss of ${id} was not reached`);
    }
    if (closing.reason === 'take_profit' && (takeProfitPrice === null || !isUp(takeProfitPrice))) {
      violated(9, `the take profit of ${id} was not reached`);
    }
    const isBySide =
      closing.reason === 'liquidation' && this.#besides(position, (at) => at >= closing.at).length > 0;
    if (isByMark && closing.priceSource !== 'live' && !isBySide)
      violated(12, `${id} was closed by a price that was not live`);
    this.#checkInsured(position, violated);
  }

  /** The other side of the position's symbol at its close; `until` decides when a row counts as closed. */
  #besides({ id, accountId, symbol, side, closing }: Position, until: (at: number) => boolean): Position[] {
    return [...this.#database.positions.values()].filter(
      (other) =>
        other.id !== id &&
        other.accountId === accountId &&
        other.symbol === symbol &&
        other.side !== side &&
        other.createdAt <= (closing?.at ?? 0) &&
        until(other.closing?.at ?? Infinity),
    );
  }

  /** A111: whether it closed between its entry and the price at which one of the other side lost its whole margin. */
  #hasPaid(position: Position): boolean {
    const { side, entryPrice, closing } = position;
    if (!closing) return false;
    return this.#besides(position, () => true).some(({ closing: lost, margin, editedAt }) => {
      // Staff may have changed any figure of it since.
      if (editedAt !== null && editedAt >= closing.at) return true;
      if (lost?.at !== closing.at || lost.realizedPnl !== -margin) return false;
      return side === 'BUY'
        ? entryPrice <= closing.price && closing.price <= lost.price
        : lost.price <= closing.price && closing.price <= entryPrice;
    });
  }

  /** A111: no gain of the other side that was open before and stayed open could have paid what the insurance paid. */
  #checkInsured(position: Position, violated: (number: number, what: string) => void): void {
    const { id, closing } = position;
    if (!closing || !this.#sources.get(id)?.isInsured) return;
    for (const other of this.#besides(position, (at) => at > closing.at)) {
      if (other.editedAt !== null || other.createdAt === closing.at) continue;
      const { rules, side, entryPrice: entry, size, leverage } = other;
      if (rules === 'perpetual') continue;
      if (pnlOf(rules, { side, entry, size, leverage }, closing.price) > 0n)
        violated(15, `the insurance paid for ${id} what ${other.id} had gained`);
    }
  }

  #checkOrders(violated: (number: number, what: string) => void): void {
    const { orders, positions, executions } = this.#database;
    const filled = new Map<string, { size: bigint; value: bigint }>();
    for (const { orderId, size, value } of executions) {
      const sum = filled.get(orderId ?? '') ?? { size: 0n, value: 0n };
      filled.set(orderId ?? '', { size: sum.size + size, value: sum.value + value });
    }
    for (const order of orders.values()) {
      const { id, status, reserved, positionId, filledSize, filledValue } = order;
      const { size, value } = filled.get(id) ?? { size: 0n, value: 0n };
      if (size !== filledSize || value !== filledValue)
        violated(
          16,
          `order ${id} has filled ${filledSize} for ${filledValue}, its executions ${size} for ${value}`,
        );
      if ((this.#sources.get(id)?.locked ?? 0n) !== reserved) violated(3, `order ${id} holds something else`);
      const before = this.#finalOrders.get(id);
      if (before && before !== order) violated(6, `order ${id} changed after it was ${before.status}`);
      if (isWaiting(status)) {
        if (order.type === 'MARKET') violated(6, `a MARKET order waits: ${id}`);
        continue;
      }
      this.#finalOrders.set(id, order);
      const opened = positionId === null ? undefined : positions.get(positionId);
      // A net position is that of many orders.
      const isOwn = opened?.entryValue === null && opened.editedAt === null;
      const isGrown = isOwn && opened.size > order.size;
      if (isGrown) violated(6, `order ${id} opened more than it was for`);
    }
  }
}
