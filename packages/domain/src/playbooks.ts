/**
 * Playbooks: a setup of a trader by name, with criteria that a trade of it meets or not, and what their trades have earned. Invariant:
 * a trade counts for a criterion only where it was answered, so a criterion that was added later has no trades of before.
 */
import { isBlank, toStorable } from './journal.ts';
import type { Money } from './money.ts';
import { type ClosedTrade, TradeTally } from './performance.ts';
import { zoneOf } from './zones.ts';

export const playbookLimits = {
  /** Playbooks of one account. */
  playbooks: 50,
  nameChars: 60,
  criteria: 12,
  criterionChars: 120,
} as const;

const { playbooks, nameChars, criteria: criteriaMax, criterionChars } = playbookLimits;
/** The user's texts. */
export const playbookFaults = {
  name: `A playbook needs a name of at most ${nameChars} characters.`,
  criteria: `A playbook has at most ${criteriaMax} different criteria of 1 to ${criterionChars} characters each.`,
  full: `You have ${playbooks} playbooks in this account. Delete one first.`,
  answers: `A criterion is either met or not met, and a trade answers at most ${criteriaMax}.`,
  position: 'Only a position of your own can have a playbook.',
} as const;

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ');

/** A typed playbook; `criteria` has one on each line. */
export function parsePlaybook(typed: { readonly name: string; readonly criteria: string }) {
  const name = oneLine(toStorable(typed.name));
  const lines = toStorable(typed.criteria).split('\n').map(oneLine);
  const criteria = [...new Set(lines.filter((line) => !isBlank(line)))];
  const isTooLong = criteria.some((one) => one.length > criterionChars);
  return {
    name,
    criteria,
    faults: {
      name: isBlank(name) || name.length > nameChars ? playbookFaults.name : null,
      criteria: isTooLong || criteria.length > criteriaMax ? playbookFaults.criteria : null,
    },
  };
}

/** Trades below which an average says little. */
export const playbookTradesMin = 10;

/** A closed trade of a playbook, with the criteria that it met and those that it did not. */
export interface PlaybookTrade {
  readonly trade: ClosedTrade;
  readonly met: readonly string[];
  readonly unmet: readonly string[];
}

/** What a trade brings on average; null without any. */
export interface Expectancy {
  readonly trades: number;
  /** USDT, after fees and funding. */
  readonly net: Money | null;
  /** In multiples of the first risk, 1e-8, of the trades that had one. */
  readonly r: bigint | null;
  readonly rTrades: number;
}

export interface PlaybookResult {
  readonly all: Expectancy;
  /** In the order of the playbook. */
  readonly criteria: readonly {
    readonly criterion: string;
    readonly met: Expectancy;
    readonly unmet: Expectancy;
  }[];
}

function expectancyOf(trades: readonly PlaybookTrade[]): Expectancy {
  const tally = new TradeTally(zoneOf('UTC'));
  for (const { trade } of trades) tally.add(trade);
  const { trades: count, expectancy, averageR, rTrades } = tally.figures();
  return { trades: count, net: expectancy, r: averageR, rTrades };
}

export const playbookResultOf = (
  criteria: readonly string[],
  trades: readonly PlaybookTrade[],
): PlaybookResult => ({
  all: expectancyOf(trades),
  criteria: criteria.map((criterion) => ({
    criterion,
    met: expectancyOf(trades.filter(({ met }) => met.includes(criterion))),
    unmet: expectancyOf(trades.filter(({ unmet }) => unmet.includes(criterion))),
  })),
});
