/**
 * Runs a recorded tape through `decide` alone: no engine, no store, no clock. The same tape gives the same ledger, which
 * one hash proves. Invariant: a decision that comes out differently, or an account that is read in a state that the tape
 * does not lead to, ends the replay.
 */
import { type Account, type Context, decide, type TradingPair } from '@fulcrum/domain';
import { Draft } from './engine/draft.ts';
import { type LedgerRow, ledgerHash, ledgerRowsOf } from './engine/ledger-rows.ts';
import type { StoredAccount } from './engine/store.ts';
import type { TapedCommand, TapeEntry } from './engine/tape.ts';

export { type LedgerRow, ledgerHash, ledgerRowsOf };

export class ReplayDiverged extends Error {
  override readonly name = 'ReplayDiverged';
}

export interface Replayed {
  readonly ledgerHash: string;
  readonly ledger: readonly LedgerRow[];
  /** Of every account of the tape that was not removed. */
  readonly accounts: ReadonlyMap<string, Account>;
}

/** @throws ReplayDiverged */
export function replay(
  tape: Iterable<TapeEntry>,
  pair: (symbol: string) => TradingPair | undefined,
): Replayed {
  const accounts = new Map<string, Draft>();
  const named = { positions: new Map(), orders: new Map() };
  const ledger: LedgerRow[] = [];
  for (const entry of tape) {
    switch (entry.kind) {
      case 'tick':
        break;
      case 'read':
        for (const position of entry.positions) named.positions.set(position.id, position);
        for (const order of entry.orders) named.orders.set(order.id, order);
        for (const stored of entry.accounts) {
          const { userId } = stored.wallet;
          const known = accounts.get(userId);
          if (known) assertSame(known, stored);
          // As it was read: the order of its positions is that of the store.
          accounts.set(userId, draftOf(stored, named));
        }
        break;
      case 'command': {
        const account = accounts.get(entry.userId);
        if (!account) throw new ReplayDiverged(`account ${entry.userId} was never read`);
        const decision = decide(account, entry.command, contextOf(entry, pair));
        const outcome = decision.outcome === 'accepted' ? 'accepted' : decision.refusal.code;
        if (!isSameOutcome(entry, outcome))
          throw new ReplayDiverged(`${entry.command.kind} was ${entry.outcome}, now it is ${outcome}`);
        if (decision.outcome === 'refused') break;
        account.apply(decision.effects);
        for (const group of decision.effects.ledger) ledger.push(...ledgerRowsOf(entry.userId, group));
        if (account.isDeleted) accounts.delete(entry.userId);
      }
    }
  }
  return { ledgerHash: ledgerHash(ledger), ledger, accounts };
}

/**
 * A crossing of something that is over meanwhile does nothing: the engine, which no longer holds it, does not find it, while
 * the replay still knows that it is closed.
 */
function isSameOutcome({ command, outcome }: TapedCommand, now: TapedCommand['outcome']): boolean {
  if (command.kind !== 'fill' && command.kind !== 'trigger') return outcome === now;
  return (outcome === 'accepted') === (now === 'accepted');
}

const draftOf = (
  { wallet, restricted, positions, orders }: StoredAccount,
  named: ConstructorParameters<typeof Draft>[1],
): Draft =>
  new Draft(
    {
      wallet,
      restricted,
      positions: new Map(positions.map((position) => [position.id, position])),
      orders: new Map(orders.map((order) => [order.id, order])),
    },
    named,
  );

/**
 * What something outside of the engine has changed since is beyond the tape's version.
 * @throws ReplayDiverged when the account is in a state that the tape does not lead to.
 */
function assertSame({ wallet }: Account, { wallet: read }: StoredAccount): void {
  if (read.version > wallet.version) return;
  const isSame =
    read.version === wallet.version &&
    read.available === wallet.available &&
    read.margin === wallet.margin &&
    read.orderMargin === wallet.orderMargin;
  if (!isSame) throw new ReplayDiverged(`account ${read.userId} was read in another state`);
}

function contextOf(
  { now, rules, feeRate, priceTolerance, quotes, ids }: TapedCommand,
  pair: (symbol: string) => TradingPair | undefined,
): Context {
  const unused = ids.values();
  return {
    now,
    rules,
    feeRate,
    priceTolerance,
    market: { pair, quote: (symbol) => quotes.get(symbol) },
    newId: () => {
      const { value, done } = unused.next();
      if (done) throw new ReplayDiverged('the decision draws more ids than it drew');
      return value;
    },
  };
}
