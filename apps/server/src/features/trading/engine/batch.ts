/**
 * Converts a decided batch for the store: the effects of all its decisions, one row per account, position and order.
 */
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
import { createAuditEntry } from '../audits.ts';
import type { AppliedCommand, DecidedBatch, Step } from './batch-decision.ts';
import type { Draft } from './draft.ts';
import { isCrossing } from './queue.ts';
import type { AuditEntry, Batch, NamedBook, Totals } from './store.ts';

/** Ledger kinds that cause an equity snapshot of the account (A108); a close shows in its position. */
const fundsKinds: ReadonlySet<LedgerKind> = new Set(['deposit', 'withdrawal', 'adjustment']);

export function batchOf({ id, at, priceNumber, market, applied, drafts, rows }: DecidedBatch): Batch {
  const steps = applied.flatMap(({ accountId, steps }) => steps.map((step) => ({ accountId, ...step })));
  const wallets = drafts.map((draft) => ({ before: draft.committed.wallet, after: draft.wallet }));
  const positions = drafts.flatMap((draft) => [...draft.changedPositions]);
  // A user is restricted and deleted by the main account, and the totals of the day are those of main accounts.
  const mains = new Set(drafts.filter((draft) => draft.isMain).map(({ wallet }) => wallet.accountId));
  const ledger = steps.flatMap(({ accountId, decision }) =>
    decision.effects.ledger.map((group) => ({ accountId, group })),
  );
  return {
    id,
    at,
    priceNumber,
    commands: applied.length,
    wallets,
    positions,
    orders: drafts.flatMap((draft) => [...draft.changedOrders]),
    executions: steps.flatMap(({ decision }) =>
      decision.effects.executions.map((execution) => ({ ...execution, at })),
    ),
    quotedBooks: quotedBooksOf(applied, drafts, market),
    leverages: drafts.flatMap((draft) =>
      [...draft.changedLeverages].map(([symbol, leverage]) => ({
        accountId: draft.wallet.accountId,
        symbol,
        leverage,
      })),
    ),
    ledger,
    transactions: steps.flatMap(({ decision: { effects } }) =>
      effects.transactions.map((transaction) => ({ wallet: effects.wallet, transaction })),
    ),
    notifications: steps.flatMap(({ accountId, decision }) =>
      decision.effects.notifications.map((notification) => ({
        accountId,
        notification,
        message: rows.notification(accountId, notification).message,
      })),
    ),
    equity: equityRows(applied, drafts, market),
    amended: lastOfEach(
      steps.flatMap(({ accountId, decision }) =>
        decision.effects.amended.map((amended) => ({ accountId, ...amended })),
      ),
    ),
    restrictions: drafts
      .filter((draft) => draft.isMain && draft.restricted !== draft.committed.restricted)
      .map(({ wallet, restricted }) => ({ accountId: wallet.accountId, restricted })),
    deletions: drafts
      .filter((draft) => draft.isMain && draft.isDeleted)
      .map(({ wallet }) => wallet.accountId),
    answers: applied.flatMap(({ waiting, answer }) =>
      !isCrossing(waiting) && waiting.key && answer ? [{ key: waiting.key, answer }] : [],
    ),
    audits: [...applied.flatMap(auditsOf), ...verdictAuditsOf(steps, drafts)],
    verdicts: steps.flatMap(({ accountId, command, decision: { effects } }) =>
      effects.verdict && command.kind === 'judge'
        ? [{ accountId, verdict: effects.verdict, marks: command.marks }]
        : [],
    ),
    totals: totalsOf(
      wallets.filter(({ after }) => mains.has(after.accountId)),
      positions.filter(({ after }) => mains.has(after.accountId)),
      ledger.filter(({ accountId }) => mains.has(accountId)),
    ),
  };
}

/** Of the market that the batch was decided on, whose books are still what they were. */
function quotedBooksOf(
  applied: readonly AppliedCommand[],
  drafts: readonly Draft[],
  market: MarketView,
): Batch['quotedBooks'] {
  const profileOf = new Map(drafts.map(({ wallet, terms }) => [wallet.accountId, terms.fillProfile]));
  const named = new Map<string, NamedBook>();
  for (const { accountId, steps } of applied) {
    const profile = profileOf.get(accountId) ?? 'exact';
    if (profile === 'exact') continue;
    for (const { symbol, quoteId } of steps.flatMap(({ decision }) => decision.effects.executions)) {
      const book = quoteId === null ? undefined : market.book?.(symbol, profile);
      if (book && book.source !== 'modelled') named.set(book.quoteId, { ...book, symbol });
    }
  }
  return [...named.values()];
}

/** A line that was corrected twice is written once, in its final state. */
const lastOfEach = (amended: Batch['amended']): Batch['amended'] => [
  ...new Map(amended.map((line) => [line.positionId, line])).values(),
];

function auditsOf({ waiting, steps: [{ command, decision }], answer }: AppliedCommand): AuditEntry[] {
  if (isCrossing(waiting) || answer === null) return [];
  const audit = createAuditEntry(waiting, command, decision, answer);
  return audit ? [audit] : [];
}

/** The audit entries of verdicts: the server is the actor, the trader the subject. */
const verdictAuditsOf = (
  steps: readonly (Step & { readonly accountId: string })[],
  drafts: readonly Draft[],
): AuditEntry[] =>
  steps.flatMap(({ accountId, decision: { effects } }) => {
    const subject = drafts.find(({ wallet }) => wallet.accountId === accountId);
    const challenge = subject?.terms.limits?.challenge;
    if (!effects.verdict || !subject || !challenge) return [];
    const { outcome, rule, figures } = effects.verdict;
    return [
      {
        ...{ actorId: null, onBehalfOf: null, subjectId: subject.committed.ownerId, authority: null },
        ...{ action: `challenge.${outcome === 'passed' ? 'pass' : 'fail'}` as const },
        ...{ objectId: challenge.programId, requestId: null, reason: null },
        detail: { account_id: accountId, rule, decided_at: new Date(figures.at).toISOString() },
      },
    ];
  });

const isClosing = ({ before, after }: PositionChange): boolean =>
  after.closing !== null && (before === null || before.closing === null);
const movesEquity = ({ decision: { effects } }: Step): boolean =>
  effects.positions.some(isClosing) || effects.ledger.some(({ kind }) => fundsKinds.has(kind));

function equityRows(
  applied: readonly AppliedCommand[],
  drafts: readonly Draft[],
  market: MarketView,
): Batch['equity'] {
  const moved = new Set(
    applied.filter(({ steps }) => steps.some(movesEquity)).map(({ accountId }) => accountId),
  );
  return drafts
    .filter((draft) => !draft.isDeleted && moved.has(draft.wallet.accountId))
    .map((draft) => ({
      accountId: draft.wallet.accountId,
      balance: balanceOf(draft.wallet),
      equity: equityOf(draft.wallet, draft.openPositions(), market),
    }));
}

/** The sums that a count over all rows of the tables would give. */
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
