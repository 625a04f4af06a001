/** Converts reviews to the contract: money, prices and shares as JSON numbers, instants as ISO 8601 UTC. */
import type { PeriodReview, TradeReview } from '@fulcrum/contract';
import {
  type Fact,
  type FactSheet,
  type Finding,
  factNames,
  type Habit,
  type Habits,
  hourMs,
  toNumber,
  type Zone,
} from '@fulcrum/domain';
import type { StoredTrade } from './trades.ts';

const isoOf = (at: number): string => new Date(at).toISOString();
const toNumberOf = (fact: Fact): number => (fact.unit === 'ms' ? fact.value : toNumber(fact.value));

export function toTradeReview(
  { id, symbol, side, closedAt, closeReason, facts }: FactSheet,
  findings: readonly Finding[],
  isFinal: boolean,
): TradeReview {
  return {
    position_id: id,
    ...{ symbol, side, closed_at: isoOf(closedAt), close_reason: closeReason, is_final: isFinal },
    facts: factNames.flatMap((name) => {
      const fact = facts[name];
      return fact ? [{ name, unit: fact.unit, value: toNumberOf(fact) }] : [];
    }),
    findings: [...findings],
  };
}

/** Trades that a habit lists. */
const listedMax = 50;

interface ReviewedPeriod {
  readonly range: { readonly from: number; readonly to: number };
  readonly zone: Zone;
  readonly reviewed: readonly { readonly sheet: FactSheet; readonly stored: StoredTrade }[];
  readonly habits: Habits;
  readonly pending: number;
  readonly truncated: boolean;
}

export function toPeriodReview(period: ReviewedPeriod): PeriodReview {
  const { range, zone, reviewed, habits, pending, truncated } = period;
  const sheets = new Map(reviewed.map(({ sheet }) => [sheet.id, sheet]));
  const habitOf = ({ rule, worth, trades }: Habit) => ({
    rule,
    worth: toNumber(worth),
    trades: trades.length,
    listed: trades.slice(0, listedMax).flatMap((trade) => {
      const sheet = sheets.get(trade.id);
      if (sheet === undefined) return [];
      const { symbol, side, closedAt } = sheet;
      return [
        { position_id: trade.id, symbol, side, closed_at: isoOf(closedAt), worth: toNumber(trade.worth) },
      ];
    }),
  });
  const groupBy = (keysOf: (one: (typeof reviewed)[number]) => readonly string[]) => {
    const sums = new Map<string, { trades: number; net: bigint }>();
    for (const one of reviewed) {
      for (const key of keysOf(one)) {
        const sum = sums.get(key) ?? { trades: 0, net: 0n };
        sums.set(key, sum);
        sum.trades += 1;
        sum.net += BigInt(one.sheet.facts.net?.value ?? 0);
      }
    }
    const groups = [...sums].map(([key, { trades, net }]) => ({ key, trades, net_pnl: toNumber(net) }));
    return groups.sort(
      (one, other) => Math.abs(other.net_pnl) - Math.abs(one.net_pnl) || (one.key < other.key ? -1 : 1),
    );
  };
  const hourOf = (at: number): string =>
    String(Math.floor((at + zone.offsetAt(at)) / hourMs) % 24).padStart(2, '0');
  return {
    from: isoOf(range.from),
    to: isoOf(range.to),
    trades: reviewed.length,
    costliest: habits.costliest.map(habitOf),
    best: habits.best.map(habitOf),
    too_few: habits.tooFew.map((one) => ({ ...one })),
    by_setup: groupBy(({ stored }) => stored.tags),
    by_symbol: groupBy(({ sheet }) => [sheet.symbol]),
    by_side: groupBy(({ sheet }) => [sheet.side]),
    by_hour: groupBy(({ sheet }) => [hourOf(sheet.closedAt)]),
    ...{ pending, truncated },
  };
}
