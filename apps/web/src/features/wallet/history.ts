/**
 * The wallet's history: completed deposits, withdrawals, trading fees (A07) and funding (A113) merged with one derived entry per
 * closed position (RULE-28 to RULE-32, A11). Amounts carry the sign of the balance change, so that their sum is the
 * balance. Sums are exact (1e-8 USDT as bigint); the server's binary fractions are not added up.
 */
import { divideRounded, ownPayments, parseDecimal, type TransactionType, toNumber } from '@fulcrum/domain';
import type { Position, Transaction, Wallet } from '../../shared/supabase/index.ts';

export interface HistoryEntry {
  readonly id: string;
  /** ISO 8601 UTC; null is not known. */
  readonly at: string | null;
  readonly type: TransactionType;
  /** USDT, signed. */
  readonly amount: number;
  readonly status: 'completed';
  readonly description: string;
  /** Of a closed position: its side, size and prices. */
  readonly trade: Pick<Position, 'symbol' | 'side' | 'size' | 'entryPrice' | 'closePrice'> | null;
  /** Staff `made` the entry, or `adjusted` its position (A09); null: neither. */
  readonly staff: 'made' | 'adjusted' | null;
}

/** Entries without a staff mark: the start balance, and the trader's own reset. */
const withoutStaff: ReadonlySet<string> = new Set([ownPayments.start, ownPayments.reset]);

const plainDescriptions = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  fee: 'Trading fee',
  funding: 'Funding',
  financing: 'Financing',
} as const;

/** What the account pays and receives without anybody's doing. */
const automatic: ReadonlySet<TransactionType> = new Set(['fee', 'funding', 'financing']);

function fromTransaction(transaction: Transaction): HistoryEntry | null {
  const { type, status } = transaction;
  // The stored entry of a closed position is left out, because the position itself represents it (A11).
  if (status !== 'completed' || type === 'position_closed') return null;
  return {
    id: transaction.id,
    at: transaction.completedAt ?? transaction.createdAt,
    type,
    amount: transaction.amount,
    status,
    description: transaction.description ?? plainDescriptions[type],
    trade: null,
    staff: automatic.has(type) || withoutStaff.has(transaction.description ?? '') ? null : 'made',
  };
}

const fromPosition = (position: Position): HistoryEntry => ({
  id: position.id,
  at: position.closedAt,
  type: 'position_closed',
  amount: position.realizedPnl ?? 0,
  status: 'completed',
  description: `Closed ${position.symbol} position`,
  trade: position,
  staff: position.editedAt === null ? null : 'adjusted',
});

/** 1e-8 units of a cent. */
const cent = 1_000_000n;
/** As displayed: two decimals, half away from zero. */
const inCents = (units: bigint): bigint => divideRounded(units, cent, 'half-away-from-zero') * cent;

const toInstant = (entry: HistoryEntry): number => (entry.at === null ? 0 : Date.parse(entry.at));

/** A reset closes positions and then restores the balance, all in one instant. */
const isPayment = ({ type }: HistoryEntry): boolean => type === 'deposit' || type === 'withdrawal';

/**
 * Newest first (WALL-08). Of one instant the payment is the latest and so listed first; the rest has a stable order.
 */
export function mergeHistory(
  transactions: readonly Transaction[],
  closed: readonly Position[],
): readonly HistoryEntry[] {
  const entries = [
    ...transactions.map(fromTransaction).filter((entry) => entry !== null),
    ...closed.filter((position) => position.status === 'closed').map(fromPosition),
  ];
  return entries.sort(
    (a, b) =>
      toInstant(b) - toInstant(a) || Number(isPayment(b)) - Number(isPayment(a)) || b.id.localeCompare(a.id),
  );
}

/** The loaded history: lists of at most their limit, newest first. */
export interface KnownHistory {
  readonly transactions: readonly Transaction[];
  readonly transactionsLimit: number;
  readonly closed: readonly Position[];
  readonly closedLimit: number;
}

/**
 * The start of the complete history (ms since the epoch), -Infinity when nothing is missing: a list as long as its
 * limit may lack older rows.
 */
export function getCompleteSince(known: KnownHistory): number {
  const lastOf = (isFull: boolean, iso: string | null | undefined): number =>
    isFull && iso ? Date.parse(iso) : Number.NEGATIVE_INFINITY;
  const { transactions, closed } = known;
  return Math.max(
    lastOf(transactions.length >= known.transactionsLimit, transactions.at(-1)?.createdAt),
    lastOf(closed.length >= known.closedLimit, closed.at(-1)?.closedAt),
  );
}

export interface HistorySums {
  readonly payments: number;
  readonly closedPositions: number;
  readonly fees: number;
  /** Of net positions (A113), with financing. */
  readonly funding: number;
  readonly total: number;
}

/** The footer's sums, in whole cents that add up as displayed; `total` is the balance when the history is complete. */
export function sumHistory(entries: readonly HistoryEntry[]): HistorySums {
  let [payments, closedPositions, fees, funding] = [0n, 0n, 0n, 0n];
  for (const { type, amount } of entries) {
    if (type === 'position_closed') closedPositions += parseDecimal(amount);
    else if (type === 'fee') fees += parseDecimal(amount);
    else if (automatic.has(type)) funding += parseDecimal(amount);
    else payments += parseDecimal(amount);
  }
  const total = inCents(payments + closedPositions + fees + funding);
  return {
    payments: toNumber(inCents(payments)),
    closedPositions: toNumber(total - inCents(payments) - inCents(fees) - inCents(funding)),
    fees: toNumber(inCents(fees)),
    funding: toNumber(inCents(funding)),
    total: toNumber(total),
  };
}

export interface BalanceSplit {
  readonly available: number;
  readonly inPositions: number;
  readonly reserved: number;
}

/**
 * The parts of a balance in whole cents, which add up to it as displayed. The part that is neither available nor
 * margin of a position is reserved by orders.
 */
export function splitBalance(wallet: Wallet, open: readonly Position[]): BalanceSplit {
  const available = parseDecimal(wallet.availableBalance);
  const locked = parseDecimal(wallet.balance) - available;
  const margins = open.reduce((sum, position) => sum + parseDecimal(position.margin), 0n);
  // Wallet and positions arrive one after the other; never show more than is locked.
  const inPositions = margins < locked ? margins : locked;
  const total = inCents(parseDecimal(wallet.balance));
  const reserved = inCents(locked - inPositions);
  return {
    available: toNumber(inCents(available)),
    inPositions: toNumber(total - inCents(available) - reserved),
    reserved: toNumber(reserved),
  };
}

/** A balance that applies from `at` (ms since the epoch) on. */
export interface BalanceStep {
  readonly at: number;
  readonly balance: number;
}

/**
 * The balance from `from` to `to` (ms since the epoch) as steps, oldest first, calculated back from today's balance.
 * `entries` are newest first and reach back to `from` at least. The value at `from` includes the entry of that
 * instant: a curve that starts with the first payment starts at its balance, not at zero.
 */
export function getBalanceSteps(
  entries: readonly HistoryEntry[],
  balance: number,
  from: number,
  to: number,
): readonly BalanceStep[] {
  const steps: BalanceStep[] = [{ at: to, balance }];
  let running = parseDecimal(balance);
  for (const entry of entries) {
    const at = toInstant(entry);
    if (at <= from) break;
    steps.push({ at: Math.min(at, to), balance: toNumber(running) });
    running -= parseDecimal(entry.amount);
  }
  steps.push({ at: from, balance: toNumber(running) });
  return steps.reverse();
}
