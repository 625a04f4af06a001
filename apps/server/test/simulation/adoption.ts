/** Copies an account from the store into the auditor's ledger, for changes that the auditor could not follow. */
import type { Order, Position } from '@fulcrum/domain';
import type { Auditor } from './auditor.ts';
import type { AuditedAccount, AuditedOrder, AuditedPosition } from './ledger-book.ts';
import type { MemoryDatabase } from './memory-database.ts';

/** Of a deposit or a withdrawal, what the account got or gave. */
const isPayment = ({ kind, account }: { readonly kind: string; readonly account: string }): boolean =>
  account === 'user:cash' && (kind === 'deposit' || kind === 'withdrawal');

function positionFrom(stored: Position, known: readonly AuditedPosition[]): AuditedPosition {
  const { closing, splitFrom } = stored;
  return {
    ...{
      id: stored.id,
      symbol: stored.symbol,
      side: stored.side,
      entry: stored.entryPrice,
      size: stored.size,
      value: stored.entryValue,
    },
    ...{ leverage: stored.leverage, margin: stored.margin, liquidation: stored.liquidationPrice },
    ...{ takeProfit: stored.takeProfitPrice, stopLoss: stored.stopLossPrice },
    ...{
      initialStopLoss: stored.initialStopLossPrice,
      rules: stored.rules,
      feeRate: stored.feeRate,
    },
    ...{
      fees: stored.fees,
      funding: stored.funding,
      fundedAt: stored.fundedAt,
      isWarned: stored.marginWarned,
      isLeaving: stored.closeAtReopen,
      createdAt: stored.createdAt,
      editedAt: stored.editedAt,
    },
    splitFrom: known.find(({ id }) => id === splitFrom) ?? null,
    closing: closing && {
      ...{ price: closing.price, source: closing.priceSource, reason: closing.reason },
      ...{ pnl: closing.realizedPnl, at: closing.at },
    },
    ...{ version: stored.version, accountVersion: stored.accountVersion },
  };
}

const orderFrom = (stored: Order, positions: readonly AuditedPosition[]): AuditedOrder => ({
  ...{ id: stored.id, symbol: stored.symbol, type: stored.type, side: stored.side, price: stored.price },
  ...{ size: stored.size, leverage: stored.leverage, clientId: stored.clientId, reserved: stored.reserved },
  ...{ takeProfit: stored.takeProfitPrice, stopLoss: stored.stopLossPrice, status: stored.status },
  ...{ timeInForce: stored.timeInForce, reduceOnly: stored.reduceOnly },
  ...{ trigger: stored.triggerPrice, trail: stored.trailRate, peak: stored.peakPrice },
  ...{ closes: stored.closePosition, triggeredAt: stored.triggeredAt, endsAt: stored.expiresAt },
  boundTo: positions.find(({ id }) => id === stored.boundPositionId) ?? null,
  isNet: stored.rules === 'perpetual',
  ...{ dueAt: stored.dueAt, arrival: stored.arrivalPrice, quoteId: stored.quoteId },
  ...{ filled: stored.filledSize, filledValue: stored.filledValue },
  rejections: stored.rejection ? [stored.rejection.code] : [],
  position: positions.find(({ id }) => id === stored.positionId) ?? null,
  ...{ createdAt: stored.createdAt, version: stored.version, accountVersion: stored.accountVersion },
});

export function adoptAccount(auditor: Auditor, database: MemoryDatabase, accountId: string): void {
  const at = auditor.accounts.findIndex((account) => account.accountId === accountId);
  const before = auditor.accounts[at];
  if (!before) return;
  const own = <Row extends { readonly accountId: string }>(rows: Iterable<Row>): Row[] =>
    [...rows].filter((row) => row.accountId === accountId);
  const positions: AuditedPosition[] = [];
  for (const stored of own(database.positions.values())) positions.push(positionFrom(stored, positions));
  const orders = own(database.orders.values()).map((stored) => orderFrom(stored, positions));
  const closingGroups = new Map(
    database.ledger.flatMap((row) => (row.kind === 'close' ? [[row.groupId, row.sourceId] as const] : [])),
  );
  const lines = own(database.transactions.values()).map(({ id, type, amount }) => ({
    ...{ type, amount },
    of: positions.find((position) => position.id === closingGroups.get(id)) ?? null,
  }));
  const fills = database.executions
    .filter((row) => row.accountId === accountId)
    .flatMap((row) => {
      const { side, size, price, value, mid, quoteId, liquidity, fee, realizedPnl: pnl, at: filledAt } = row;
      const named = (id: string | null) => positions.find((position) => position.id === id) ?? null;
      const by = orders.find(({ id }) => id === row.orderId) ?? null;
      const [of, flippedFrom] = [named(row.positionId), named(row.flippedFrom)];
      if (!of) return [];
      const figures = { side, size, price, value, mid, quoteId, liquidity, fee, pnl, at: filledAt };
      return [{ ...figures, of, by, flippedFrom, source: row.marketSource }];
    });
  const isNet = before.terms.rules === 'perpetual';
  const trades = database.executions
    .filter((row) => isNet && row.accountId === accountId)
    .map(({ symbol, side, size, liquidity, at: tradedAt }) => ({
      ...{ symbol, side, size, at: tradedAt },
      isMaker: liquidity === 'maker',
    }));
  const wallet = database.wallets.get(accountId);
  const after: AuditedAccount = {
    accountId,
    balance: wallet ? wallet.available + wallet.margin + wallet.orderMargin : 0n,
    ...{ ownerId: before.ownerId, terms: before.terms },
    isRestricted: database.users.get(before.ownerId)?.restricted ?? false,
    isDeleted: !database.accounts.has(accountId),
    isArchived: database.accounts.get(accountId)?.isArchived ?? false,
    version: wallet?.version ?? 0,
    notices: own(database.notifications.values()).map(({ kind }) => kind),
    ...{ positions, orders, lines, fills },
    ...{ leverages: new Map(database.leverages.get(accountId)), trades },
    ...{ own: before.own, verdict: before.verdict },
    snapshots: database.snapshots.filter((row) => row.accountId === accountId),
    payments: database.ledger.filter((row) => row.accountId === accountId && isPayment(row)),
  };
  auditor.accounts[at] = after;
  // The house has what the others have lost; the ledger shows on which of its accounts.
  const sum = (name: string): bigint =>
    database.ledger.reduce((total, { account, amount }) => (account === name ? total + amount : total), 0n);
  Object.assign(auditor.house, {
    ...{ pnl: sum('house:pnl'), fees: sum('house:fees'), funding: sum('house:funding') },
    ...{ insurance: sum('insurance'), external: sum('external') },
  });
}
