/**
 * Computes the verdict of a step again from the ledger, the executions and the marks of its row, without the code of the domain. Only a peak is
 * taken as it is stored: it is of prices that no row has; a test that knows all ticks passes them.
 */
import { dayMs as day } from '@fulcrum/domain';
import { expect } from 'vitest';
import type { Queryable } from '../../src/platform/database/index.ts';
import { nearest, over, ratio, times, wholeAbove } from '../simulation/arithmetic.ts';
import { pnlOf } from '../simulation/formulas.ts';

/** Whole units of 1e-8. */
function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const amount = BigInt(whole + fraction.padEnd(8, '0'));
  return text.startsWith('-') ? -amount : amount;
}
const partOf = (base: bigint, pct: string | number): bigint =>
  nearest(over(times(ratio(base), ratio(units(String(pct)))), ratio(10_000_000_000n)));
const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greatest = (of: readonly bigint[]): bigint => of.reduce((a, b) => (a > b ? a : b));

interface Step {
  readonly targetPct: string;
  readonly dailyLoss: { pct: string; of: string; from: string; countsOpen: boolean; checked: string } | null;
  readonly maxLoss: { pct: string; mode: string; lockPct: string | null };
  readonly consistencyPct: string | null;
  readonly daysMin: number;
  readonly daysMax: number | null;
}
interface Verdict {
  readonly outcome: string;
  readonly rule: string | null;
  readonly decidedAt: Date;
  readonly marks: Readonly<Record<string, { price: string }>>;
  readonly arithmetic: {
    readonly dayBegins: number;
    readonly maxLoss: { from: string };
    readonly dailyLoss: { from: string } | null;
  };
  readonly step: Step;
  readonly initial: string;
  readonly began: Date;
  readonly ends: Date;
}
interface Closed {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly rules: 'standard' | 'as-specified';
  readonly entry: string;
  readonly size: string;
  readonly leverage: number;
  readonly close: string;
  /** What the close moved, fee included. */
  readonly moved: string;
}

export interface KnownTicks {
  /** The highest equity of all ticks, USDT. */
  readonly peak?: string;
  /** The prices of everything that was open when the verdict fell, at each tick before it since the last change of the account. */
  readonly earlier?: readonly Readonly<Record<string, string>>[];
}

/** Of a `standard` or `as-specified` account. With `earlier` also that none of those ticks decided. */
export async function auditVerdict(
  db: Queryable,
  accountId: string,
  { peak, earlier = [] }: KnownTicks = {},
): Promise<void> {
  const one = async <Row>(text: string): Promise<Row[]> =>
    (await db.query<Row & object>(text, [accountId])).rows;
  const [verdict] = await one<Verdict>(
    `select v.outcome, v.rule, v.decided_at as "decidedAt", v.marks, v.arithmetic, p.rules -> 'steps' -> (v.step - 1) as step,
            a.start_balance::text as initial, a.created_at as began, p.ends_at as ends
     from app.program_verdicts v join app.trading_accounts a on a.id = v.account_id join app.programs p on p.id = v.program_id
     where v.account_id = $1`,
  );
  if (!verdict) throw new Error('no verdict');
  const { step, marks, decidedAt } = verdict;
  const initial = units(verdict.initial);
  // An account ends with its verdict, so everything that the close-out moved is of positions with this reason.
  const closed = await one<Closed>(
    `select p.symbol, p.side, p.rules, p.leverage, p.close_price::text as close, o.price::text as entry, o.size::text as size,
            (select sum(l.amount) from app.ledger_entries l where l.user_id = p.user_id and l.source_id = p.id
               and l.kind in ('close', 'fee') and l.created_at = p.closed_at and l.account like 'user:%')::text as moved
     from app.positions p
     join app.executions o on o.position_id = p.id and o.realized_pnl is null
     where p.user_id = $1 and p.close_reason = 'program_end'`,
  );
  for (const { symbol, close } of closed) expect(units(close)).toBe(units(marks[symbol]?.price ?? '0'));
  const [total] = await one<{ sum: string }>(
    `select sum(amount)::text as sum from app.ledger_entries where user_id = $1 and account like 'user:%'`,
  );
  const balance = closed.reduce((sum, { moved }) => sum - units(moved), units(total?.sum ?? '0'));
  const equityAt = (priceOf: (symbol: string) => string | undefined): bigint =>
    closed.reduce((sum, { symbol, side, rules, entry, size, leverage }) => {
      const terms = { side, entry: units(entry), size: units(size), leverage };
      const value = times(ratio(terms.entry), ratio(terms.size));
      const margin = nearest(over(value, ratio(100_000_000n * BigInt(leverage))));
      const pnl = pnlOf(rules, terms, units(priceOf(symbol) ?? entry));
      return sum + (pnl < -margin ? -margin : pnl);
    }, balance);
  const equity = equityAt((symbol) => marks[symbol]?.price);

  const entries = await one<{ at: Date; amount: string }>(
    `select created_at as at, amount::text as amount from app.ledger_entries where user_id = $1 and account like 'user:%'`,
  );
  const balanceBefore = (instant: number): bigint =>
    entries.reduce((sum, { at, amount }) => (at.getTime() < instant ? sum + units(amount) : sum), 0n);
  // A verdict of the midnight that ends a day is of that day.
  const endsDay = decidedAt.getTime() % day === 0 && verdict.arithmetic.dayBegins < decidedAt.getTime();
  const judgedAt = decidedAt.getTime() - Number(endsDay);
  const midnights: number[] = [];
  for (let at = (Math.floor(verdict.began.getTime() / day) + 1) * day; at <= judgedAt; at += day)
    midnights.push(at);
  const ends = [initial, ...midnights.map(balanceBefore)];
  const highestDayEnd = greatest(ends);
  const bestDay = greatest([
    0n,
    ...ends.slice(1).map((end, n) => end - (ends[n] ?? end)),
    balance - (ends.at(-1) ?? 0n),
  ]);
  const openings = await one<{ at: Date }>(
    'select created_at as at from app.executions where user_id = $1 and realized_pnl is null',
  );
  // What was opened later on that day, before the decision, counts too.
  const openedOn = new Set(openings.map(({ at }) => Math.floor(at.getTime() / day)));
  const tradingDays = [...openedOn].filter((on) => on * day <= judgedAt).length;

  const from = {
    static: initial,
    trailing_day: highestDayEnd,
    trailing_intraday: units(peak ?? verdict.arithmetic.maxLoss.from),
  }[step.maxLoss.mode] as bigint;
  const { lockPct } = step.maxLoss;
  const trailed = from - partOf(initial, step.maxLoss.pct);
  const maxFloor = lockPct === null ? trailed : lesser(trailed, initial + partOf(initial, lockPct));
  const rule = step.dailyLoss;
  const dayFrom =
    rule?.from === 'equity' ? units(verdict.arithmetic.dailyLoss?.from ?? '0') : (ends.at(-1) ?? initial);
  const dayFloor = rule ? dayFrom - partOf(rule.of === 'initial' ? initial : dayFrom, rule.pct) : null;
  const dayBroken = rule !== null && dayFloor !== null && (rule.countsOpen ? equity : balance) <= dayFloor;
  const maxBroken = equity <= maxFloor;
  const deadline = Math.min(
    step.daysMax === null ? Number.POSITIVE_INFINITY : verdict.began.getTime() + step.daysMax * day,
    verdict.ends.getTime(),
  );
  const shared =
    step.consistencyPct === null
      ? 0n
      : wholeAbove(
          over(times(ratio(bestDay), ratio(10_000_000_000n)), ratio(units(String(step.consistencyPct)))),
        );
  const needed = greatest([partOf(initial, step.targetPct), shared]);
  const isPassed = lesser(balance, equity) - initial >= needed && tradingDays >= step.daysMin;
  const broken =
    dayBroken && !(maxBroken && maxFloor > (dayFloor ?? 0n))
      ? 'daily_loss'
      : maxBroken
        ? 'max_loss'
        : decidedAt.getTime() >= deadline
          ? 'time_limit'
          : null;
  for (const prices of earlier) {
    const before = equityAt((symbol) => prices[symbol]);
    expect(before > maxFloor && (dayFloor === null || before > dayFloor)).toBe(true);
  }
  const text = (of: bigint): string => {
    const digits = String(of < 0n ? -of : of).padStart(9, '0');
    const exact = `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '');
    return of < 0n ? `-${exact}` : exact;
  };
  expect([verdict.outcome, verdict.rule]).toEqual(
    broken === null ? [isPassed ? 'passed' : 'undecided', null] : ['failed', broken],
  );
  expect(verdict.arithmetic).toMatchObject({
    ...{ balance: text(balance), equity: text(equity), bestDay: text(bestDay), profitNeeded: text(needed) },
    ...{ tradingDays, maxLoss: { from: text(from), floor: text(maxFloor) } },
    dailyLoss: dayFloor === null ? null : { from: text(dayFrom), floor: text(dayFloor) },
  });
}
