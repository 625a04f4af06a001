/**
 * The auditor beside a run of the whole server, afterwards: it predicts each recorded command, account by account, and is compared
 * with what PostgreSQL stores. Of the log it takes the commands with their times, prices and ids, and what the engine decided,
 * which it judges; the terms and the start balance of an account come from the test.
 *
 * Known limitation: it does not predict which crossing a price causes, only that none is left at the end.
 */
import type { CommandLogEntry, RecordedCommand } from '../../src/features/trading/engine/command-log.ts';
import { type AuditedMarket, consequencesOf, reaches } from './audited-market.ts';
import { Auditor } from './auditor.ts';
import { compareAccount, compareHouseAccount, type Report, textOf } from './comparison.ts';
import type { AuditedAccount, OpenedAccount } from './ledger-book.ts';
import type { StoredDatabase } from './stored-database.ts';

export interface AuditedRun {
  readonly commandLog: readonly CommandLogEntry[];
  readonly market: AuditedMarket;
  /** By id, as the test opened them. */
  readonly opened: ReadonlyMap<string, OpenedAccount>;
  readonly stored: StoredDatabase;
  /** The last price of each symbol that traded. */
  readonly prices: ReadonlyMap<string, bigint>;
}

export interface Audit {
  readonly accounts: readonly AuditedAccount[];
  readonly settled: number;
  readonly disagreements: readonly string[];
}

export function auditCommandLog({ commandLog, market, opened, stored, prices }: AuditedRun): Audit {
  const auditor = new Auditor(market);
  const disagreements: string[] = [];
  const report = (disagreement: string): void => {
    disagreements.push(disagreement);
  };
  const known = new Set<string>();
  let settled = 0;
  for (const entry of commandLog) {
    if (entry.kind === 'read') {
      for (const { wallet } of entry.accounts) {
        const { accountId } = wallet;
        const account = opened.get(accountId);
        if (known.has(accountId)) continue;
        known.add(accountId);
        if (account) auditor.addAccount(account);
        else report(`account ${accountId} is not of this test`);
      }
    }
    if (entry.kind !== 'command') continue;
    settled += 1;
    settle(auditor, entry, stored.positionIds, report);
  }
  for (const accountId of auditor.leftOut) report(`${accountId} was left out to the end`);
  // Nothing was decided on the others.
  for (const [accountId, account] of opened) if (!known.has(accountId)) auditor.addAccount(account);
  compare(auditor, stored, report);
  for (const account of auditor.accounts) if (!account.isDeleted) checkQuiet(account, prices, report);
  return { accounts: auditor.accounts, settled, disagreements };
}

function settle(
  auditor: Auditor,
  { accountId, command, now, quotes, bookOf, ids, outcome }: RecordedCommand,
  positionIds: ReadonlySet<string>,
  report: Report,
): void {
  if (command.kind !== 'restrict' && command.kind !== 'delete') {
    for (const leftOut of auditor.leftOut) report(`${leftOut} was left out before a ${command.kind}`);
  }
  const account = auditor.accountOf(accountId);
  const instant = {
    at: now,
    quote: (symbol: string) => quotes.get(symbol),
    book: (symbol: string) => bookOf.get(symbol),
  };
  const verdict = auditor.settle(accountId, command, instant, ids);
  const isExpected = outcome === 'accepted' ? verdict.length === 0 : verdict.includes(outcome);
  if (!isExpected) {
    const should = verdict.length === 0 ? 'accepted' : `refused (${verdict.join(' or ')})`;
    report(`${command.kind} of ${accountId} should be ${should}, it is ${outcome}: ${textOf(command)}`);
  }
  if (!account) return;
  // An order draws its id first.
  const order = account.orders.at(-1);
  if (order?.id === null) order.id = ids[0] ?? null;
  const known = new Set(account.positions.map(({ id }) => id));
  const drawn = ids.filter((id) => positionIds.has(id) && !known.has(id)).values();
  for (const position of account.positions) position.id ??= drawn.next().value ?? null;
}

const lineOf = ({ type, amount }: { readonly type: string; readonly amount: bigint }) => `${type} ${amount}`;
const byLine = (a: Parameters<typeof lineOf>[0], b: typeof a) => (lineOf(a) < lineOf(b) ? -1 : 1);

/**
 * PostgreSQL stores of a rejection the text, of simultaneous notices no order, and of the archiving one more version. Positions of one
 * millisecond end in the order of their opening, or after another read in that of their ids, so the lines of the history are
 * compared without their order, which the simulator judges.
 */
function compare(auditor: Auditor, { database, sums }: StoredDatabase, report: Report): void {
  const lines = [...database.transactions].sort(([, a], [, b]) => byLine(a, b));
  database.transactions.clear();
  for (const [id, line] of lines) database.transactions.set(id, line);
  for (const account of auditor.accounts) {
    if (database.accounts.get(account.accountId)?.isArchived) auditor.archive(account.accountId);
    for (const { id, rejections } of account.orders) {
      const stored = database.orders.get(id ?? '');
      const [code] = rejections;
      if (stored?.status === 'REJECTED' && code)
        database.orders.set(stored.id, { ...stored, rejection: { code } as never });
    }
    account.notices.sort((a, b) => (a < b ? -1 : 1));
    account.lines.sort(byLine);
    compareAccount(account, database, report);
  }
  compareHouseAccount(auditor, sums, report);
}

function checkQuiet(
  { accountId, terms, positions, orders }: AuditedAccount,
  prices: ReadonlyMap<string, bigint>,
  report: Report,
): void {
  for (const position of positions) {
    const price = prices.get(position.symbol);
    const [consequence] = price === undefined ? [] : consequencesOf(position, price);
    if (consequence)
      report(`position ${position.id} of ${accountId} is left with a ${consequence} at ${price}`);
  }
  // Orders of the others may wait for the book, or for their next minute.
  if (terms.rules === 'perpetual') return;
  for (const order of orders) {
    const price = prices.get(order.symbol);
    if (price !== undefined && order.status === 'NEW' && reaches(order, price))
      report(`order ${order.id} of ${accountId} is left waiting at ${price}`);
  }
}
