/** What the rules find on fact sheets: of one trade, and the habits of many. Pure. */
import { asMoney, formatFixed, MONEY_DECIMALS, type Money, toDecimalString } from '../money.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';
import { type CoachRule, coachRules, type OwnRules, type RuleId } from './rules.ts';
import type { Fact, FactSheet } from './trade-facts.ts';

export interface Finding {
  readonly rule: RuleId;
  readonly sentence: string;
}

/** Of trades, and of orders: `times` in 1e-8, `count` in ones. */
export type ShownFact = Fact | { readonly unit: 'times' | 'count'; readonly value: bigint };

interface FoundRule {
  readonly rule: CoachRule;
  readonly threshold: bigint;
}

/** The rules that hold of a trade, in their order. */
const rulesOn = (sheet: FactSheet, own: OwnRules): readonly FoundRule[] =>
  coachRules.flatMap((rule) => {
    if (own.off.includes(rule.id)) return [];
    const threshold = rule.threshold === null ? 0n : rule.threshold(own);
    if (threshold === null || rule.needs.some((name) => sheet.facts[name] === undefined)) return [];
    return rule.holds(sheet, threshold) ? [{ rule, threshold }] : [];
  });

/** The findings of a trade, in the order of the rules. */
export const findingsOf = (sheet: FactSheet, own: OwnRules): readonly Finding[] =>
  rulesOn(sheet, own).map(({ rule, threshold }) => ({
    rule: rule.id,
    sentence: fillSentence(rule, sheet.facts, threshold),
  }));

const placeholder = /\{(\w+)\}/g;

export interface Sentence {
  /** `{fact}` stands for a fact, `{threshold}` for the threshold. */
  readonly sentence: string;
  readonly thresholdUnit: ShownFact['unit'] | null;
}

/** @throws Error when a fact of the sentence is absent. */
export function fillSentence(
  { sentence, thresholdUnit }: Sentence,
  facts: Readonly<Record<string, ShownFact | undefined>>,
  threshold: bigint,
): string {
  return sentence.replaceAll(placeholder, (_, name: string) => {
    if (name === 'threshold' && thresholdUnit !== null)
      return factText(
        thresholdUnit === 'ms'
          ? { unit: 'ms', value: Number(threshold) }
          : { unit: thresholdUnit, value: threshold },
      );
    const fact = facts[name];
    if (fact === undefined) throw new Error(`no fact ${name} for a sentence`);
    return factText(fact);
  });
}

/** As sentences show it: money and shares with two decimals, prices as they are, R with two decimals, times in whole units. */
export function factText(fact: ShownFact): string {
  switch (fact.unit) {
    case 'money':
      return formatFixed(fact.value, MONEY_DECIMALS);
    case 'price':
      return toDecimalString(fact.value);
    case 'percent':
      return `${formatFixed(fact.value, 2)} %`;
    case 'r':
      return `${formatFixed(fact.value, 2)} R`;
    case 'count':
      return `${fact.value}`;
    case 'times':
      return `${formatFixed(fact.value, 2)} times`;
    case 'ms':
      return durationText(fact.value);
  }
}

/** Rounded down: "9 min" is less than ten. */
function durationText(ms: number): string {
  if (ms < minuteMs) return `${Math.floor(ms / 1000)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  return ms < dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} d`;
}

/** A habit of a period: the trades in which a rule found it. */
export interface Habit {
  readonly rule: RuleId;
  /** Sum of what it was worth in these trades, as the rule says. */
  readonly worth: Money;
  /** The dearest first for a habit to lose, else the best, each with what the habit was worth in it. */
  readonly trades: readonly { readonly id: string; readonly worth: Money }[];
}

export interface Habits {
  /** Habits to lose that cost something, the dearest first. */
  readonly costliest: readonly Habit[];
  /** Habits to keep, the largest sum first. */
  readonly best: readonly Habit[];
  /** Found too seldom to speak of: how many trades there are, and how many it takes. */
  readonly tooFew: readonly { readonly rule: RuleId; readonly trades: number; readonly needed: number }[];
}

const listedMax = 3;

/** A trade with two habits counts for both, so the sums of habits do not add up to the period. */
export function habitsOf(sheets: readonly FactSheet[], own: OwnRules): Habits {
  const found = new Map<RuleId, { readonly id: string; readonly worth: Money }[]>();
  for (const sheet of sheets) {
    for (const { rule } of rulesOn(sheet, own)) {
      const trades = found.get(rule.id) ?? [];
      found.set(rule.id, trades);
      trades.push({ id: sheet.id, worth: asMoney(rule.worth.of(sheet)) });
    }
  }
  const habits = (kind: CoachRule['kind']): Habit[] => {
    const order = kind === 'habit to lose' ? 1n : -1n;
    return coachRules
      .filter((rule) => rule.kind === kind && (found.get(rule.id)?.length ?? 0) >= rule.tradesMin)
      .map(({ id }) => {
        const trades = (found.get(id) ?? []).toSorted((one, other) =>
          compare(order * one.worth, order * other.worth),
        );
        return {
          rule: id,
          worth: asMoney(trades.reduce((sum, { worth }) => sum + worth, 0n)),
          trades,
        };
      })
      .sort((one, other) => compare(order * one.worth, order * other.worth));
  };
  return {
    costliest: habits('habit to lose')
      .filter(({ worth }) => worth < 0n)
      .slice(0, listedMax),
    best: habits('habit to keep').slice(0, listedMax),
    tooFew: coachRules.flatMap(({ id, tradesMin }) => {
      const trades = found.get(id)?.length ?? 0;
      return trades > 0 && trades < tradesMin ? [{ rule: id, trades, needed: tradesMin }] : [];
    }),
  };
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);
