/**
 * The invariants of the research (research/engine-anchors.md §3, by their numbers) on a simulated database. Each call looks
 * at what was added since the last one and at the rows as they now are. 9 (nothing is left breached), 11 (replay) and 12
 * (the age of prices) need more than the database: they are in `observer.ts` and the tests of the replay.
 */
import type { Order, Position } from '@fulcrum/domain';
import type { Report } from './comparison.ts';
import type { MemoryDatabase, WrittenRow } from './memory-database.ts';

const isUser = (account: string): boolean => account.startsWith('user:');

/** What the groups of one position or order have moved. */
interface SourceTotals {
  readonly groups: Map<string, Set<string>>;
  pnl: bigint;
  fees: bigint;
  locked: bigint;
}

export class Books {
  readonly #database: MemoryDatabase;
  #ledgerSeen = 0;
  #batchesSeen = 0;
  /** By account; `user:*` of everybody together. */
  readonly sums = new Map<string, bigint>();
  readonly #ofUser = new Map<string, bigint>();
  readonly #sources = new Map<string, SourceTotals>();
  readonly #known = new Set<string>();
  readonly #finalOrders = new Map<string, Order>();
  readonly #closed = new Map<string, Position>();
  readonly #versions = new Map<string, number>();

  constructor(database: MemoryDatabase) {
    this.#database = database;
    for (const { userId, version } of database.wallets.values()) this.#versions.set(userId, version);
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
        const last = this.#versions.get(after.userId) ?? 0;
        const isNext = before.version === last && after.version > last;
        if (!isNext) report(`invariant 10: the account goes from version ${last} to ${after.version}`);
        this.#versions.set(after.userId, after.version);
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
      if (row.userId !== null) {
        const key = `${row.userId} ${row.account}`;
        this.#ofUser.set(key, (this.#ofUser.get(key) ?? 0n) + row.amount);
      }
      this.#addToSource(row);
      const hasSource = this.#known.has(row.sourceId) || transactions.has(row.sourceId);
      if (!hasSource) report(`invariant 4: a ${row.kind} entry without its source`);
      if (isUser(row.account) !== (row.userId !== null))
        report(`invariant 1: ${row.account} has the wrong owner`);
    }
    for (const [id, sum] of groups) if (sum !== 0n) report(`invariant 1: group ${id} sums to ${sum}`);
    if (total !== 0n) report(`invariant 1: the ledger sums to ${total}`);
  }

  #addToSource({ sourceId, groupId, kind, account, amount }: WrittenRow): void {
    const totals = this.#sources.get(sourceId) ?? { groups: new Map(), pnl: 0n, fees: 0n, locked: 0n };
    this.#sources.set(sourceId, totals);
    const ofKind = totals.groups.get(kind) ?? new Set();
    totals.groups.set(kind, ofKind.add(groupId));
    if (account === 'house:pnl' || account === 'insurance') totals.pnl -= amount;
    if (account === 'house:fees') totals.fees += amount;
    if (account === 'user:margin' || account === 'user:order_margin') totals.locked += amount;
  }

  #checkWallets(violated: (number: number, what: string) => void): void {
    const locked = new Map<string, bigint>();
    const add = (key: string, amount: bigint): unknown => locked.set(key, (locked.get(key) ?? 0n) + amount);
    for (const { userId, closing, margin } of this.#database.positions.values()) {
      if (closing === null) add(`${userId} user:margin`, margin);
    }
    for (const { userId, status, reserved } of this.#database.orders.values()) {
      if (status === 'NEW') add(`${userId} user:order_margin`, reserved);
    }
    const lines = new Map<string, bigint>();
    for (const { userId, amount } of this.#database.transactions.values()) {
      lines.set(userId, (lines.get(userId) ?? 0n) + amount);
    }
    for (const { userId, available, margin, orderMargin } of this.#database.wallets.values()) {
      const columns = { 'user:cash': available, 'user:margin': margin, 'user:order_margin': orderMargin };
      for (const [account, amount] of Object.entries(columns)) {
        const key = `${userId} ${account}`;
        const booked = this.#ofUser.get(key) ?? 0n;
        if (amount !== booked) violated(2, `${key} is ${amount}, its ledger says ${booked}`);
        if (amount < 0n) violated(2, `${key} is negative`);
        if (account === 'user:cash') continue;
        const held = locked.get(key) ?? 0n;
        if (amount !== held) violated(3, `${key} is ${amount}, what is open holds ${held}`);
      }
      // A10: the plain sum of all lines is the balance.
      const balance = available + margin + orderMargin;
      const lined = lines.get(userId) ?? 0n;
      if (balance !== lined) violated(14, `the balance of ${userId} is ${balance}, its lines say ${lined}`);
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
      if (feeRate === 0n && position.fees !== 0n) violated(5, `${id} was charged without a rate`);
      if ((totals?.locked ?? 0n) !== (closing === null ? margin : 0n))
        violated(3, `${id} locks ${totals?.locked}`);
      if (closing === null) continue;
      if ((totals?.pnl ?? 0n) !== closing.realizedPnl)
        violated(5, `PnL of ${id} is not what its ledger says`);
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
      // Staff may change figures of it, never why it closed.
      if (before.closing.reason !== closing.reason) violated(8, `${id} closed for two reasons`);
      return;
    }
    if (position.editedAt !== null && position.editedAt >= closing.at) return;
    const { side, liquidationPrice, stopLossPrice, takeProfitPrice } = position;
    const isDown = (price: bigint): boolean =>
      side === 'BUY' ? closing.price <= price : closing.price >= price;
    const isUp = (price: bigint): boolean =>
      side === 'BUY' ? closing.price >= price : closing.price <= price;
    if (closing.reason === 'liquidation' && !isDown(liquidationPrice)) violated(9, `${id} was not breached`);
    if (closing.reason === 'stop_loss' && (stopLossPrice === null || !isDown(stopLossPrice))) {
      violated(9, `the stop loss of ${id} was not reached`);
    }
    if (closing.reason === 'take_profit' && (takeProfitPrice === null || !isUp(takeProfitPrice))) {
      violated(9, `the take profit of ${id} was not reached`);
    }
    const isByMark = closing.reason !== 'manual' && closing.reason !== 'staff';
    if (isByMark && closing.priceSource !== 'live')
      violated(12, `${id} was closed by a price that was not live`);
  }

  #checkOrders(violated: (number: number, what: string) => void): void {
    const { orders, positions } = this.#database;
    for (const order of orders.values()) {
      const { id, status, reserved, positionId } = order;
      if ((this.#sources.get(id)?.locked ?? 0n) !== reserved) violated(3, `order ${id} holds something else`);
      const before = this.#finalOrders.get(id);
      if (before && before !== order) violated(6, `order ${id} changed after it was ${before.status}`);
      if (status === 'NEW') {
        if (order.type === 'MARKET') violated(6, `a MARKET order waits: ${id}`);
        continue;
      }
      this.#finalOrders.set(id, order);
      const opened = positionId === null ? undefined : positions.get(positionId);
      const isGrown = opened !== undefined && opened.size > order.size && opened.editedAt === null;
      if (isGrown) violated(6, `order ${id} opened more than it was for`);
    }
  }
}
