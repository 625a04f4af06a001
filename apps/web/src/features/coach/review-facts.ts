/** Which facts of a review stand in which group, and their names on the screen. A fact that is not on the sheet has no line. */
import type { TradeReview } from '@fulcrum/contract';
import { type FactName, followMsOf } from '@fulcrum/domain';

export type Fact = TradeReview['facts'][number];

interface Line {
  readonly fact: FactName;
  readonly label: string;
  /** Stands beside it, as what it belongs to. */
  readonly beside?: FactName;
}

export const groups: readonly { readonly title: string; readonly lines: readonly Line[] }[] = [
  {
    title: 'Result',
    lines: [
      { fact: 'net', label: 'Net result', beside: 'r' },
      { fact: 'costs', label: 'Costs', beside: 'costShare' },
      { fact: 'risk', label: 'At risk with the first stop', beside: 'riskShare' },
    ],
  },
  {
    title: 'Prices',
    lines: [
      { fact: 'entryPrice', label: 'Entry' },
      { fact: 'exitPrice', label: 'Exit' },
      { fact: 'firstStop', label: 'First stop loss' },
      { fact: 'lastStop', label: 'Stop loss at the end' },
    ],
  },
  {
    title: 'On the way',
    lines: [
      { fact: 'worstResult', label: 'Worst (MAE)', beside: 'worstPrice' },
      { fact: 'bestResult', label: 'Best (MFE)', beside: 'bestPrice' },
      { fact: 'captured', label: 'Booked of the best' },
      { fact: 'missedResult', label: 'Missed after the close', beside: 'missedPrice' },
    ],
  },
  {
    title: 'Time',
    lines: [
      { fact: 'held', label: 'Held' },
      { fact: 'sinceLoss', label: 'Opened after the last loss', beside: 'lossBefore' },
    ],
  },
];

/** The lines of each group whose fact is on the sheet; groups without one are left out. */
export function shownGroups({ facts }: Pick<TradeReview, 'facts'>) {
  const onSheet = new Map(facts.map((fact) => [fact.name, fact]));
  return groups.flatMap(({ title, lines }) => {
    const shown = lines.flatMap(({ fact: name, label, beside }) => {
      const fact = onSheet.get(name);
      return fact ? [{ label, fact, beside: (beside && onSheet.get(beside)) ?? null }] : [];
    });
    return shown.length === 0 ? [] : [{ title, lines: shown }];
  });
}

/** When the time after the trade is over, ms since the epoch; null without its length. */
export function finalAt({ facts, closed_at }: Pick<TradeReview, 'facts' | 'closed_at'>): number | null {
  const held = facts.find(({ name }) => name === 'held')?.value;
  if (held === undefined) return null;
  const closedAt = Date.parse(closed_at);
  return closedAt + followMsOf({ openedAt: closedAt - held, closedAt });
}
