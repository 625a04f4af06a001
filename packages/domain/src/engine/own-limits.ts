/**
 * Enforces the limits that traders set for their own account. Invariant: they keep an account from opening, and never from closing, reducing,
 * protecting or cancelling.
 *
 * The loss of a day is its first equity, plus what was paid in since (out: minus), less the equity now. So it has booked and open results, fees and
 * funding, at the marks of the decision.
 *
 * Known limitations: a decision is judged by the account before it, so a reverse that closes with a loss opens before the cool-down begins; the day of
 * an account that was read before the day began (its clock and that of the database differ) has no trades and no loss until it is read again; a loss
 * that staff correct counts as corrected from the next batch of the account on.
 */
import { asMoney } from '../money.ts';
import { coolDownUntil, dailyLossLimit, dailyLossOf, type OwnDay, ownLimitsAt } from '../own-limits.ts';
import { dayMs, utcDayStart } from '../time.ts';
import type { Command, Context } from './commands.ts';
import type { Effects, Execution } from './effects.ts';
import { equityOf } from './equity.ts';
import type { Account, Refusal } from './types.ts';

/** Why the account opens nothing now by its owner's limits, or null. */
export function ownLimitRefusal(
  account: Account,
  command: Command,
  { market, now }: Pick<Context, 'market' | 'now'>,
): Refusal | null {
  const { own } = account;
  if (!own) return null;
  const limits = ownLimitsAt(own, now);
  const cooling = coolDownUntil(limits, own.day, now);
  if (cooling !== null) return { code: 'own_limit_reached', limit: 'cool_down', until: cooling };
  const start = utcDayStart(now);
  if (own.day.start !== start) return null;
  const until = start + dayMs;
  const { tradesMax } = limits;
  if (tradesMax !== null && own.day.trades >= tradesMax && !isPartlyFilled(account, command))
    return { code: 'own_limit_reached', limit: 'trades', max: tradesMax, until };
  const max = dailyLossLimit(limits, own.day.equity);
  if (max === null) return null;
  const loss = dailyLossOf(own.day, equityOf(account.wallet, account.openPositions(), market));
  return loss > 0n && loss >= max ? { code: 'own_limit_reached', limit: 'loss', max, loss, until } : null;
}

/** The rest of an order belongs to the trade that it began. */
const isPartlyFilled = (account: Account, command: Command): boolean =>
  command.kind === 'fill' && (account.order(command.orderId)?.filledSize ?? 0n) > 0n;

const opens = ({ realizedPnl, flippedFrom }: Execution): boolean =>
  realizedPnl === null || flippedFrom !== null;

/** The day after a decision at `now`. One of another day is left as it is, and read again. */
export function nextOwnDay(
  day: OwnDay,
  { executions, orders, positions, ledger }: Pick<Effects, 'executions' | 'orders' | 'positions' | 'ledger'>,
  now: number,
): OwnDay {
  if (day.start !== utcDayStart(now)) return day;
  const begunBefore = new Set(
    orders.flatMap(({ before, after }) => (before !== null && before.filledSize > 0n ? [after.id] : [])),
  );
  const begun = executions.filter(opens).map(({ id, orderId }) => orderId ?? id);
  const trades = new Set(begun.filter((id) => !begunBefore.has(id))).size;
  const isLoss = positions.some(({ before, after }) => {
    const { closing, fees, funding } = after;
    return closing !== null && !before?.closing && closing.realizedPnl - fees + funding < 0n;
  });
  const paid = ledger
    .filter(({ kind }) => kind === 'deposit' || kind === 'withdrawal')
    .flatMap(({ entries }) => entries)
    .reduce((sum, { account, amount }) => (account === 'user:cash' ? sum + amount : sum), 0n);
  return {
    ...day,
    trades: day.trades + trades,
    lastLossAt: isLoss ? now : day.lastLossAt,
    paid: asMoney(day.paid + paid),
  };
}
