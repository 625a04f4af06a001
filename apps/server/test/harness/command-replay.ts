/**
 * Replays a command log through `decide` alone: no engine, no store, no clock. The same log gives the same ledger,
 * which one hash proves. Invariant: the replay ends when a decision differs, or when the log reads an account in a
 * state that it does not lead to.
 */
import { createHash } from 'node:crypto';
import { type Account, decide, type MarketContext, type TradingPair } from '@fulcrum/domain';
import type { CommandLogEntry, RecordedCommand } from '../../src/features/trading/engine/command-log.ts';
import { Draft } from '../../src/features/trading/engine/draft.ts';
import { type LedgerRow, ledgerRowsOf } from '../../src/features/trading/engine/ledger-rows.ts';
import type { StoredAccount } from '../../src/features/trading/engine/store.ts';

export class ReplayDiverged extends Error {
  override readonly name = 'ReplayDiverged';
}

export interface ReplayResult {
  readonly ledgerHash: string;
  readonly ledger: readonly LedgerRow[];
  /** Every account of the log that was not removed. */
  readonly accounts: ReadonlyMap<string, Account>;
}

/** @throws ReplayDiverged */
export function replayCommandLog(
  log: Iterable<CommandLogEntry>,
  pair: (symbol: string) => TradingPair | undefined,
): ReplayResult {
  const accounts = new Map<string, Draft>();
  const named = { positions: new Map(), orders: new Map() };
  const ledger: LedgerRow[] = [];
  for (const entry of log) {
    switch (entry.kind) {
      case 'tick':
        break;
      case 'read':
        for (const position of entry.positions) named.positions.set(position.id, position);
        for (const order of entry.orders) named.orders.set(order.id, order);
        for (const stored of entry.accounts) {
          const { accountId } = stored.wallet;
          const known = accounts.get(accountId);
          if (known) assertSame(known, stored);
          // As it was read: its positions are in the store's order.
          accounts.set(accountId, draftOf(stored, named));
        }
        break;
      case 'command': {
        const account = accounts.get(entry.accountId);
        if (!account) throw new ReplayDiverged(`account ${entry.accountId} was never read`);
        const decision = decide(account, entry.command, marketContextOf(entry, pair));
        const outcome = decision.outcome === 'accepted' ? 'accepted' : decision.refusal.code;
        if (!isSameOutcome(entry, outcome))
          throw new ReplayDiverged(`${entry.command.kind} was ${entry.outcome}, now it is ${outcome}`);
        if (decision.outcome === 'refused') break;
        account.apply(decision.effects, entry.now);
        for (const group of decision.effects.ledger) ledger.push(...ledgerRowsOf(entry.accountId, group));
        if (account.isDeleted) accounts.delete(entry.accountId);
      }
    }
  }
  return { ledgerHash: ledgerHash(ledger), ledger, accounts };
}

/** Proves two ledgers equal: SHA-256, hex, over the entries in their order; the amounts as whole units of 1e-8. */
export function ledgerHash(rows: Iterable<LedgerRow>): string {
  const hash = createHash('sha256');
  for (const { groupId, account, accountId, amount, kind, sourceId } of rows) {
    hash.update(`${groupId} ${account} ${accountId ?? '-'} ${amount} ${kind} ${sourceId}\n`);
  }
  return hash.digest('hex');
}

const ofEngine: ReadonlySet<string> = new Set(['fill', 'trigger', 'fund', 'expire', 'follow']);

/**
 * A crossing of a row that is closed by then does nothing. The engine no longer holds the row and does not find it,
 * while the replay still has it as closed.
 */
function isSameOutcome({ command, outcome }: RecordedCommand, now: RecordedCommand['outcome']): boolean {
  if (!ofEngine.has(command.kind)) return outcome === now;
  return (outcome === 'accepted') === (now === 'accepted');
}

const draftOf = (
  { positions, orders, ...account }: StoredAccount,
  named: ConstructorParameters<typeof Draft>[1],
): Draft =>
  new Draft(
    {
      ...account,
      positions: new Map(positions.map((position) => [position.id, position])),
      orders: new Map(orders.map((order) => [order.id, order])),
    },
    named,
  );

/**
 * A change from outside the engine gives the account a higher version than the log's.
 * @throws ReplayDiverged when the account is in a state that the log does not lead to.
 */
function assertSame({ wallet }: Account, { wallet: read }: StoredAccount): void {
  if (read.version > wallet.version) return;
  const isSame =
    read.version === wallet.version &&
    read.available === wallet.available &&
    read.margin === wallet.margin &&
    read.orderMargin === wallet.orderMargin;
  if (!isSame) throw new ReplayDiverged(`account ${read.accountId} was read in another state`);
}

function marketContextOf(
  { now, priceTolerance, quotes, bookOf, ids }: RecordedCommand,
  pair: (symbol: string) => TradingPair | undefined,
): MarketContext {
  const unusedIds = ids.values();
  return {
    now,
    priceTolerance,
    market: { pair, quote: (symbol) => quotes.get(symbol), book: (symbol) => bookOf.get(symbol) },
    newId: () => {
      const { value, done } = unusedIds.next();
      if (done) throw new ReplayDiverged('the decision draws more ids than it drew');
      return value;
    },
  };
}
