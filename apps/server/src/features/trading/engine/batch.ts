/** A decided batch as the store takes it: the effects of all its decisions, one row per account, position and order. */
import {
  asMoney,
  balanceOf,
  equityOf,
  type LedgerEntry,
  type LedgerKind,
  type MarketView,
  orderValue,
  type PositionChange,
} from '@fulcrum/domain';
import { auditOf } from '../audits.ts';
import { messageOf } from '../notices.ts';
import type { DecidedBatch, Done, Step } from './decider.ts';
import type { Draft } from './draft.ts';
import { isCrossing } from './queue.ts';
import type { Batch, Totals, WrittenAudit } from './store.ts';

/** Ledger kinds after which an account's equity is kept (A108); a close shows in its position. */
const fundsKinds: ReadonlySet<LedgerKind> = new Set(['deposit', 'withdrawal', 'adjustment']);

export function batchOf({ id, at, market, done, drafts }: DecidedBatch): Batch {
  const steps = done.flatMap(({ userId, steps }) => steps.map((step) => ({ userId, ...step })));
  const wallets = drafts.map((draft) => ({ before: draft.committed.wallet, after: draft.wallet }));
  const positions = drafts.flatMap((draft) => [...draft.changedPositions]);
  const ledger = steps.flatMap(({ userId, decision }) =>
    decision.effects.ledger.map((group) => ({ userId, group })),
  );
  return {
    id,
    at,
    commands: done.length,
    wallets,
    positions,
    orders: drafts.flatMap((draft) => [...draft.changedOrders]),
    ledger,
    transactions: steps.flatMap(({ decision: { effects } }) =>
      effects.transactions.map((transaction) => ({ wallet: effects.wallet, transaction })),
    ),
    notifications: steps.flatMap(({ userId, decision }) =>
      decision.effects.notifications.map((notification) => ({
        userId,
        notification,
        message: messageOf(notification),
      })),
    ),
    equity: equityRows(done, drafts, market),
    amended: lastOfEach(
      steps.flatMap(({ userId, decision }) =>
        decision.effects.amended.map((amended) => ({ userId, ...amended })),
      ),
    ),
    restrictions: drafts
      .filter((draft) => draft.restricted !== draft.committed.restricted)
      .map(({ wallet, restricted }) => ({ userId: wallet.userId, restricted })),
    deletions: drafts.filter(({ isDeleted }) => isDeleted).map(({ wallet }) => wallet.userId),
    answers: done.flatMap(({ waiting, answer }) =>
      !isCrossing(waiting) && waiting.key && answer ? [{ key: waiting.key, answer }] : [],
    ),
    audits: done.flatMap(auditsOf),
    totals: totalsOf(wallets, positions, ledger),
  };
}

/** A line that was corrected twice is written once, as it was left. */
const lastOfEach = (amended: Batch['amended']): Batch['amended'] => [
  ...new Map(amended.map((line) => [line.positionId, line])).values(),
];

function auditsOf({ waiting, steps: [{ command, decision }], answer }: Done): WrittenAudit[] {
  if (isCrossing(waiting) || answer === null) return [];
  const audit = auditOf(waiting, command, decision, answer);
  return audit ? [audit] : [];
}

const isClosing = ({ before, after }: PositionChange): boolean =>
  after.closing !== null && (before === null || before.closing === null);
const movesEquity = ({ decision: { effects } }: Step): boolean =>
  effects.positions.some(isClosing) || effects.ledger.some(({ kind }) => fundsKinds.has(kind));

function equityRows(done: readonly Done[], drafts: readonly Draft[], market: MarketView): Batch['equity'] {
  const moved = new Set(done.filter(({ steps }) => steps.some(movesEquity)).map(({ userId }) => userId));
  return drafts
    .filter((draft) => !draft.isDeleted && moved.has(draft.wallet.userId))
    .map((draft) => ({
      userId: draft.wallet.userId,
      balance: balanceOf(draft.wallet),
      equity: equityOf(draft.wallet, draft.openPositions(), market),
    }));
}

/** Sums over the rows of the tables, as those who count all of them get them. */
function totalsOf(
  wallets: Batch['wallets'],
  positions: readonly PositionChange[],
  ledger: Batch['ledger'],
): Totals {
  let [volume, realizedPnl, deposits, withdrawals, fees, balance] = [0n, 0n, 0n, 0n, 0n, 0n];
  let [opened, closed] = [0, 0];
  for (const change of positions) {
    const { before, after } = change;
    volume += orderValue(after.entryPrice, after.size);
    if (before) volume -= orderValue(before.entryPrice, before.size);
    else opened += 1;
    if (isClosing(change)) closed += 1;
    realizedPnl += (after.closing?.realizedPnl ?? 0n) - (before?.closing?.realizedPnl ?? 0n);
  }
  for (const { group } of ledger) {
    for (const { account, amount } of group.entries) {
      if (account === 'house:fees') fees += amount;
      if (!isOwn(account)) continue;
      if (group.kind === 'deposit') deposits += amount;
      if (group.kind === 'withdrawal') withdrawals += amount;
    }
  }
  for (const { before, after } of wallets) balance += balanceOf(after) - balanceOf(before);
  return {
    volume: asMoney(volume),
    opened,
    closed,
    realizedPnl: asMoney(realizedPnl),
    deposits: asMoney(deposits),
    withdrawals: asMoney(withdrawals),
    fees: asMoney(fees),
    balance: asMoney(balance),
  };
}

const isOwn = (account: LedgerEntry['account']): boolean => account.startsWith('user:');
