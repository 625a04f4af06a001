/**
 * The recap of a week in words, as the journal has it. Pure; every figure is a count or a sum of the trades' facts, so the same trades
 * give the same recap.
 */
import { utcDate } from '../bars.ts';
import { asMoney, formatFixed, MONEY_DECIMALS } from '../money.ts';
import { dayMs, weekMs } from '../time.ts';
import type { Habit, Habits } from './findings.ts';
import { lessons } from './lessons.ts';
import { coachRules } from './rules.ts';
import type { FactSheet } from './trade-facts.ts';

/** Trades of a week below which there is none. */
export const recapTradesMin = 5;
export const recapTag = 'Weekly recap';

export interface Recap {
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  /** One line, for a notification. */
  readonly summary: string;
}

const usdt = (units: bigint): string => `${formatFixed(units, MONEY_DECIMALS)} USDT`;
const tradeCount = (trades: number): string => (trades === 1 ? '1 trade' : `${trades} trades`);
const netOf = ({ facts }: FactSheet): bigint => BigInt(facts.net?.value ?? 0);
const magnitude = (units: bigint): bigint => (units < 0n ? -units : units);

function habitLines(title: string, habits: readonly Habit[]): readonly string[] {
  if (habits.length === 0) return [];
  const lines = habits.map(({ rule: id, worth, trades }) => {
    const rule = coachRules.find((one) => one.id === id);
    return `- ${rule?.name}: ${usdt(worth)} in ${tradeCount(trades.length)} (${rule?.worth.name}). ${lessons[id].title}.`;
  });
  return [`## ${title}`, '', ...lines, ''];
}

function symbolLines(sheets: readonly FactSheet[]): readonly string[] {
  const sums = new Map<string, { trades: number; net: bigint }>();
  for (const sheet of sheets) {
    const sum = sums.get(sheet.symbol) ?? { trades: 0, net: 0n };
    sums.set(sheet.symbol, { trades: sum.trades + 1, net: sum.net + netOf(sheet) });
  }
  const largestFirst = [...sums].sort(
    ([one, a], [other, b]) => Number(magnitude(b.net) - magnitude(a.net)) || (one < other ? -1 : 1),
  );
  return [
    '## By symbol',
    '',
    ...largestFirst
      .slice(0, 5)
      .map(([symbol, { trades, net }]) => `- ${symbol}: ${tradeCount(trades)}, ${usdt(net)}`),
    '',
  ];
}

/** `from`: the start of the week, ms since the epoch. Null for fewer than `recapTradesMin` trades. */
export function recapOf(from: number, sheets: readonly FactSheet[], habits: Habits): Recap | null {
  if (sheets.length < recapTradesMin) return null;
  const net = asMoney(sheets.reduce((sum, sheet) => sum + netOf(sheet), 0n));
  const counted = `${tradeCount(sheets.length)} closed, net result ${usdt(net)}`;
  const found = [
    ...habitLines('Costliest habits', habits.costliest),
    ...habitLines('Best habits', habits.best),
  ];
  return {
    title: `Recap of the week from ${utcDate(from)} to ${utcDate(from + weekMs - dayMs)}`,
    content: [
      `${counted}, after fees and funding.`,
      '',
      ...(found.length > 0 ? found : ['No habit was found in enough trades to speak of.', '']),
      ...symbolLines(sheets),
      'Written by the rules of the coach. Delete it if you like; My rules in the review of the week stops the next ones.',
    ].join('\n'),
    summary: `Your week: ${counted}. The recap is in your journal.`,
  };
}
