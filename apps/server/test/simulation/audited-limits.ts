/**
 * The auditor's rules of what an account may open besides those of every account: the locked ones of a class, a contest or a challenge, and
 * those that its owner has set. Own formulas on whole lists; nothing here changes an account but `changeOwn`.
 */
import { dayMs, minuteMs, over, ratio, times, wholeBelow } from './arithmetic.ts';
import { worthOf } from './audited-sides.ts';
import type {
  AuditedAccount,
  AuditedFill,
  AuditedOrder,
  AuditedOwn,
  AuditedOwnLimits,
} from './ledger-book.ts';

const midnightBefore = (at: number): number => at - (at % dayMs);
const mostPositions = 2_000;

/** Why nothing of the symbol is opened now by what others have locked. */
export function lockedFaults({ terms: { limits } }: AuditedAccount, symbol: string, at: number): string[] {
  if (!limits) return [];
  const faults: string[] = [];
  const { setBy, symbols, opensFrom, opensUntil } = limits;
  if (opensFrom !== null && at < opensFrom) faults.push(`${setBy}_not_begun`);
  if (opensUntil !== null && at >= opensUntil) faults.push(`${setBy}_over`);
  if (symbols !== null && !symbols.includes(symbol)) faults.push('symbol_not_allowed');
  return faults;
}

/** Why the account opens no further position. */
export function fullFaults({ positions, terms: { limits } }: AuditedAccount): string[] {
  const open = positions.filter(({ closing }) => closing === null).length;
  return open >= Math.min(limits?.positionsMax ?? mostPositions, mostPositions) ? ['too_many_open'] : [];
}

const doneAfterEnd: ReadonlySet<string> = new Set(['close_out', 'fund', 'expire', 'restrict', 'delete']);

/** A contest that has ended leaves nothing but what ends the account. */
export const isAfterContest = ({ terms: { limits } }: AuditedAccount, kind: string, at: number): boolean =>
  limits?.setBy === 'contest' &&
  limits.opensUntil !== null &&
  at >= limits.opensUntil &&
  !doneAfterEnd.has(kind);

/** Nothing after the end of a contest costs anything. */
export const costsUntil = ({ terms: { limits } }: AuditedAccount, at: number): number =>
  limits?.setBy === 'contest' ? Math.min(at, limits.opensUntil ?? at) : at;

/** The stop loss from which R is computed: of a contest only that of the opening. */
export const retainsFirstStop = ({ terms: { limits } }: AuditedAccount): boolean =>
  limits?.setBy === 'contest';

// The owner's own limits

const ownAt = ({ limits, waiting }: AuditedOwn, at: number): AuditedOwnLimits =>
  waiting && at >= waiting.from ? waiting.limits : limits;

const tightest = <Figure extends bigint | number>(a: Figure | null, b: Figure | null): Figure | null =>
  a === null ? b : b === null || a < b ? a : b;

/** What is tighter holds at once, what is looser tomorrow. */
export function changeOwn(account: AuditedAccount, requested: AuditedOwnLimits, at: number): void {
  const none = { dailyLoss: null, dailyLossPercent: null, tradesMax: null, coolDownMinutes: null };
  const held = account.own ? ownAt(account.own, at) : none;
  const longest = Math.max(held.coolDownMinutes ?? 0, requested.coolDownMinutes ?? 0);
  const limits = {
    dailyLoss: tightest(held.dailyLoss, requested.dailyLoss),
    dailyLossPercent: tightest(held.dailyLossPercent, requested.dailyLossPercent),
    tradesMax: tightest(held.tradesMax, requested.tradesMax),
    coolDownMinutes: longest === 0 ? null : longest,
  };
  const isLooser = (Object.keys(limits) as (keyof AuditedOwnLimits)[]).some(
    (limit) => limits[limit] !== requested[limit],
  );
  account.own = {
    limits,
    waiting: isLooser ? { limits: requested, from: midnightBefore(at) + dayMs } : null,
  };
}

/** A tick that opened, or added to, something: the whole order is one trade, of the day of its first fill. */
function tradesOn(account: AuditedAccount, from: number): number {
  const trades = new Set<AuditedOrder | AuditedFill>();
  for (const fill of account.fills) {
    if (fill.at < from || (fill.pnl !== null && fill.flippedFrom === null)) continue;
    const isOfBefore = fill.by && account.fills.some(({ by, at }) => by === fill.by && at < from);
    if (!isOfBefore) trades.add(fill.by ?? fill);
  }
  return trades.size;
}

/** Where the loss of the day is counted from: an equity, and when it was seen. */
function firstEquityOf({ snapshots, fills }: AuditedAccount, from: number, at: number) {
  const settled = from + 2 * minuteMs;
  const [early] = snapshots.filter((seen) => seen.at >= from && seen.at < settled);
  const isOfBefore = early && !fills.some((fill) => fill.at >= from && fill.at <= early.at);
  if (early && isOfBefore && at >= settled) return early;
  return snapshots.findLast((seen) => seen.at < from) ?? snapshots.find((seen) => seen.at >= from) ?? null;
}

/** Why nothing is opened now by the owner's own limits. Of the account before the command; `order`: the one that it fills. */
export function ownFaults(
  account: AuditedAccount,
  at: number,
  markOf: (symbol: string) => bigint | undefined,
  order: AuditedOrder | null,
): string[] {
  if (!account.own) return [];
  const { dailyLoss, dailyLossPercent, tradesMax, coolDownMinutes } = ownAt(account.own, at);
  const from = midnightBefore(at);
  const reached = ['own_limit_reached'];
  const losses = account.positions.flatMap(({ closing, uncorrected, fees, funding }) => {
    // What staff correct counts from the next batch on.
    const counted = uncorrected ?? closing;
    return counted && counted.at > at - dayMs && counted.pnl - fees + funding < 0n ? [counted.at] : [];
  });
  if (coolDownMinutes !== null && losses.some((lost) => at < lost + coolDownMinutes * minuteMs))
    return reached;
  if (tradesMax !== null && !(order && order.filled > 0n) && tradesOn(account, from) >= tradesMax)
    return reached;
  const first = firstEquityOf(account, from, at);
  const share =
    dailyLossPercent === null
      ? null
      : wholeBelow(over(times(ratio(first?.equity ?? 0n), ratio(dailyLossPercent)), ratio(10_000_000_000n)));
  const most = tightest(dailyLoss, share);
  if (most === null) return [];
  let loss = (first?.equity ?? 0n) - account.balance - worthOf(account.positions, markOf);
  for (const paid of account.payments) if (first && paid.at > first.at) loss += paid.amount;
  return loss > 0n && loss >= most ? reached : [];
}
