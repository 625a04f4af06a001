/**
 * Compares the auditor's accounts with the store's, field by field. Gives rows without a known id their ids, in the
 * order in which both created them. Any other difference is a disagreement.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Order, Position } from '@fulcrum/domain';
import type { Auditor } from './auditor.ts';
import {
  type AuditedAccount,
  type AuditedOrder,
  type AuditedPosition,
  availableIn,
  marginIn,
  reservedIn,
} from './ledger-book.ts';
import type { MemoryDatabase } from './memory-database.ts';

type Field = string | number | bigint | boolean | null;
export type Report = (disagreement: string) => void;

function compareFields(
  what: string,
  expected: Record<string, Field>,
  actual: Record<string, Field>,
  report: Report,
): void {
  for (const [field, value] of Object.entries(expected)) {
    if (actual[field] !== value)
      report(`${what}: ${field} should be ${value}, the store has ${actual[field]}`);
  }
}

/** Gives new rows their names. */
function nameRows<Row extends { readonly id: string }, Mine extends { id: string | null }>(
  what: string,
  mine: readonly Mine[],
  stored: readonly Row[],
  report: Report,
): void {
  const known = new Set(mine.map(({ id }) => id));
  const added = stored.filter(({ id }) => !known.has(id));
  const nameless = mine.filter(({ id }) => id === null);
  for (const [i, row] of nameless.entries()) row.id = added[i]?.id ?? null;
  if (added.length !== nameless.length) {
    report(`${what}: ${nameless.length} new ones expected, the store has ${added.length}`);
  }
}

const positionFields = (position: AuditedPosition) => ({
  ...{ symbol: position.symbol, side: position.side, entry: position.entry, size: position.size },
  ...{ value: position.value },
  ...{ leverage: position.leverage, margin: position.margin, liquidation: position.liquidation },
  ...{
    takeProfit: position.takeProfit,
    stopLoss: position.stopLoss,
    initialStopLoss: position.initialStopLoss,
  },
  ...{ rules: position.rules, feeRate: position.feeRate, fees: position.fees, isWarned: position.isWarned },
  ...{ funding: position.funding, fundedAt: position.fundedAt },
  ...{
    splitFrom: position.splitFrom?.id ?? null,
    createdAt: position.createdAt,
    editedAt: position.editedAt,
    isLeaving: position.isLeaving,
  },
  ...{ closePrice: position.closing?.price ?? null, closeSource: position.closing?.source ?? null },
  ...{ closeReason: position.closing?.reason ?? null, pnl: position.closing?.pnl ?? null },
  ...{ closedAt: position.closing?.at ?? null },
  ...{ version: position.version, accountVersion: position.accountVersion },
});

const storedPositionFields = (position: Position) => ({
  ...{ symbol: position.symbol, side: position.side, entry: position.entryPrice, size: position.size },
  ...{ value: position.entryValue },
  ...{ leverage: position.leverage, margin: position.margin, liquidation: position.liquidationPrice },
  ...{ takeProfit: position.takeProfitPrice, stopLoss: position.stopLossPrice },
  ...{ initialStopLoss: position.initialStopLossPrice, rules: position.rules, feeRate: position.feeRate },
  ...{ fees: position.fees, isWarned: position.marginWarned, splitFrom: position.splitFrom },
  ...{ funding: position.funding, fundedAt: position.fundedAt },
  ...{ createdAt: position.createdAt, editedAt: position.editedAt, isLeaving: position.closeAtReopen },
  ...{ closePrice: position.closing?.price ?? null, closeSource: position.closing?.priceSource ?? null },
  ...{ closeReason: position.closing?.reason ?? null, pnl: position.closing?.realizedPnl ?? null },
  ...{ closedAt: position.closing?.at ?? null },
  ...{ version: position.version, accountVersion: position.accountVersion },
});

const orderFields = (order: AuditedOrder) => ({
  ...{ symbol: order.symbol, type: order.type, side: order.side, price: order.price, size: order.size },
  ...{ leverage: order.leverage, takeProfit: order.takeProfit, stopLoss: order.stopLoss },
  ...{ clientId: order.clientId, reserved: order.reserved, status: order.status },
  ...{ position: order.position?.id ?? null, createdAt: order.createdAt },
  ...{ timeInForce: order.timeInForce, reduceOnly: order.reduceOnly },
  ...{ trigger: order.trigger, trail: order.trail, peak: order.peak, closes: order.closes },
  ...{ triggeredAt: order.triggeredAt, endsAt: order.endsAt, boundTo: order.boundTo?.id ?? null },
  ...{ dueAt: order.dueAt, arrival: order.arrival, quoteId: order.quoteId },
  ...{ filled: order.filled, filledValue: order.filledValue },
});

const storedOrderFields = (order: Order) => ({
  ...{ symbol: order.symbol, type: order.type, side: order.side, price: order.price, size: order.size },
  ...{ leverage: order.leverage, takeProfit: order.takeProfitPrice, stopLoss: order.stopLossPrice },
  ...{ clientId: order.clientId, reserved: order.reserved, status: order.status },
  ...{ position: order.positionId, createdAt: order.createdAt },
  ...{ timeInForce: order.timeInForce, reduceOnly: order.reduceOnly },
  ...{ trigger: order.triggerPrice, trail: order.trailRate, peak: order.peakPrice },
  ...{ closes: order.closePosition, triggeredAt: order.triggeredAt, endsAt: order.expiresAt },
  boundTo: order.boundPositionId,
  ...{ dueAt: order.dueAt, arrival: order.arrivalPrice, quoteId: order.quoteId },
  ...{ filled: order.filledSize, filledValue: order.filledValue },
});

function compareRejection({ id, rejections }: AuditedOrder, { rejection }: Order, report: Report): void {
  const isExpected = rejection ? rejections.includes(rejection.code) : rejections.length === 0;
  if (!isExpected) report(`order ${id}: rejected for ${rejections}, the store has ${rejection?.code}`);
}

function compareRows(account: AuditedAccount, database: MemoryDatabase, report: Report): void {
  const { accountId } = account;
  const positions = [...database.positions.values()].filter((row) => row.accountId === accountId);
  const orders = [...database.orders.values()].filter((row) => row.accountId === accountId);
  nameRows(`positions of ${accountId}`, account.positions, positions, report);
  nameRows(`orders of ${accountId}`, account.orders, orders, report);
  for (const mine of account.positions) {
    const stored = mine.id === null ? undefined : database.positions.get(mine.id);
    if (!stored) report(`position ${mine.id} of ${accountId} is not stored`);
    else compareFields(`position ${mine.id}`, positionFields(mine), storedPositionFields(stored), report);
  }
  for (const mine of account.orders) {
    const stored = mine.id === null ? undefined : database.orders.get(mine.id);
    if (!stored) {
      report(`order ${mine.id} of ${accountId} is not stored`);
      continue;
    }
    compareFields(`order ${mine.id}`, orderFields(mine), storedOrderFields(stored), report);
    compareRejection(mine, stored, report);
  }
}

function compareHistory(account: AuditedAccount, database: MemoryDatabase, report: Report): void {
  const { accountId } = account;
  const notices = [...database.notifications.values()]
    .filter((row) => row.accountId === accountId)
    .map(({ kind }) => kind);
  if (notices.join() !== account.notices.join()) {
    report(`${accountId} should have the notices ${account.notices}, and has ${notices}`);
  }
}

function compareFills({ accountId, fills }: AuditedAccount, database: MemoryDatabase, report: Report): void {
  const stored = database.executions.filter((row) => row.accountId === accountId);
  const actual = stored.map((row) =>
    [
      ...[
        row.side,
        row.size,
        row.price,
        row.value,
        row.mid,
        row.quoteId,
        row.liquidity,
        row.fee,
        row.realizedPnl,
        row.latencyCost,
        row.marketSource,
      ],
      ...[row.positionId, row.flippedFrom, row.orderId],
    ].join(' '),
  );
  const expected = fills.map((fill) =>
    [
      ...[
        fill.side,
        fill.size,
        fill.price,
        fill.value,
        fill.mid,
        fill.quoteId,
        fill.liquidity,
        fill.fee,
        fill.pnl,
        fill.latency ?? 0n,
        fill.source,
      ],
      ...[fill.of.id, fill.flippedFrom?.id ?? null, fill.by?.id ?? null],
    ].join(' '),
  );
  // The rows of a batch have one time and no order.
  const [planned, found] = [expected, actual].map((rows) => rows.sort((a, b) => (a < b ? -1 : 1)).join());
  if (planned !== found) report(`${accountId} should have the fills ${planned}, and has ${found}`);
}

/** What a symbol has that neither the trader nor an order has stated is the market's usual 20. */
function compareLeverages(
  { accountId, leverages }: AuditedAccount,
  database: MemoryDatabase,
  report: Report,
): void {
  const stored = database.leverages.get(accountId) ?? new Map<string, number>();
  for (const symbol of new Set([...leverages.keys(), ...stored.keys()])) {
    const [expected, actual] = [leverages.get(symbol) ?? 20, stored.get(symbol) ?? 20];
    if (expected !== actual)
      report(`the leverage of ${symbol} in ${accountId} should be ${expected}, the store has ${actual}`);
  }
}

/** With the whole of its arithmetic. */
function compareVerdict(
  { accountId, verdict, isArchived }: AuditedAccount,
  database: MemoryDatabase,
  report: Report,
): void {
  const stored = database.verdicts.get(accountId)?.verdict ?? null;
  if (!isDeepStrictEqual(stored, verdict))
    report(`${accountId} should have the verdict ${textOf(verdict)}, and has ${textOf(stored)}`);
  if ((database.accounts.get(accountId)?.isArchived ?? isArchived) !== isArchived)
    report(`${accountId} should ${isArchived ? '' : 'not '}be archived`);
}

export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));

function compareLines(account: AuditedAccount, database: MemoryDatabase, report: Report): void {
  const { accountId } = account;
  const lines = [...database.transactions.values()].filter((row) => row.accountId === accountId);
  const actual = lines.map(({ type, amount }) => `${type} ${amount}`).join();
  const expected = account.lines.map(({ type, amount }) => `${type} ${amount}`).join();
  if (actual !== expected) report(`the history of ${accountId} should be ${expected}, and is ${actual}`);
}

export function compareAccount(account: AuditedAccount, database: MemoryDatabase, report: Report): void {
  const { accountId, ownerId } = account;
  const stored = database.accounts.get(accountId);
  const user = database.users.get(ownerId);
  compareLines(account, database, report);
  if (account.isDeleted) {
    if (stored || database.wallets.has(accountId)) report(`${accountId} should be deleted`);
    return;
  }
  if (!stored || !user) {
    report(`${accountId} should be there`);
    return;
  }
  compareVerdict(account, database, report);
  const wallet = database.wallets.get(accountId);
  // An account without any command may have no wallet (RULE-26).
  if (!wallet && account.version === 0) return;
  if (!wallet) {
    report(`${accountId} should have a wallet`);
    return;
  }
  const expected = {
    available: availableIn(account),
    margin: marginIn(account),
    reserved: reservedIn(account),
    version: account.version,
    isRestricted: account.isRestricted,
  };
  const actual = {
    available: wallet.available,
    margin: wallet.margin,
    reserved: wallet.orderMargin,
    version: wallet.version,
    isRestricted: user.restricted,
  };
  compareFields(`wallet of ${accountId}`, expected, actual, report);
  compareRows(account, database, report);
  compareHistory(account, database, report);
  compareFills(account, database, report);
  compareLeverages(account, database, report);
}

export function compareHouseAccount(
  { house }: Auditor,
  sums: ReadonlyMap<string, bigint>,
  report: Report,
): void {
  const expected = {
    'house:pnl': house.pnl,
    'house:fees': house.fees,
    'house:funding': house.funding,
    insurance: house.insurance,
    external: house.external,
  };
  for (const [account, amount] of Object.entries(expected)) {
    const actual = sums.get(account) ?? 0n;
    if (actual !== amount) report(`${account} should be ${amount}, the ledger has ${actual}`);
  }
}
