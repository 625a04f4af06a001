/**
 * The coach's rules as data: what each looks at, its threshold and its sentence. Invariants: a rule speaks only of facts that
 * are on the sheet; a sentence has a figure only where it names a fact or a threshold; the same sheet gives the same findings.
 */

import { asPercent, type Percent, UNIT } from '../money.ts';
import { minuteMs } from '../time.ts';
import type { FactName, FactSheet } from './trade-facts.ts';

/** What a trader has set for themselves; null is no rule of their own. */
export interface OwnRules {
  /** The share of equity that one trade may risk, in per cent. */
  readonly riskShareMax: Percent | null;
  /** Rules and warnings that are not looked at. */
  readonly off: readonly CoachRuleId[];
}

export interface Worth {
  readonly name: 'net result' | 'missed after the close' | 'costs';
  readonly of: (sheet: FactSheet) => bigint;
}

export interface CoachRule {
  readonly id: RuleId;
  readonly kind: 'habit to lose' | 'habit to keep';
  readonly name: string;
  /** `{fact}` stands for a fact, `{threshold}` for the threshold. */
  readonly sentence: string;
  /** In the unit of what it is compared with; null where the rule compares facts with each other. */
  readonly threshold: ((own: OwnRules) => bigint | null) | null;
  readonly thresholdUnit: 'percent' | 'r' | 'ms' | null;
  /** All must be on the sheet. */
  readonly needs: readonly FactName[];
  readonly holds: (sheet: FactSheet, threshold: bigint) => boolean;
  /** What it was worth in a trade; below zero it cost that much. */
  readonly worth: Worth;
  /** Trades with it in a week, below which the week says nothing of it. */
  readonly tradesMin: number;
}

export const ruleIds = [
  'no_stop',
  'stop_moved_away',
  'soon_after_loss',
  'over_own_risk',
  'gave_back',
  'closed_early',
  'costly',
  'liquidated',
  'loss_within_plan',
  'let_it_run',
] as const;
export type RuleId = (typeof ruleIds)[number];

/** Of the warnings before an order (`warnings.ts`). */
export const warningIds = [
  'order_over_own_risk',
  'order_moves_alike',
  'order_near_liquidation',
  'order_near_loss_limit',
  'order_last_trade',
  'order_in_cool_down',
] as const;
export type WarningId = (typeof warningIds)[number];

/** What a trader switches on and off, and what has a lesson. */
export const coachRuleIds = [...ruleIds, ...warningIds] as const;
export type CoachRuleId = (typeof coachRuleIds)[number];

/** A fact as a whole number; 0 where it is absent, which `needs` rules out. */
const value = ({ facts }: FactSheet, name: FactName): bigint => BigInt(facts[name]?.value ?? 0);

/** An order that waited for its price closes a trade as its trader had planned. */
const isClosedByHand = ({ closeReason, closedBy }: FactSheet): boolean =>
  closeReason === 'manual' && (closedBy === null || closedBy === 'MARKET');

const percent = (whole: number) => () => asPercent(BigInt(whole) * UNIT);
const r = (tenths: number) => () => (BigInt(tenths) * UNIT) / 10n;
const ms = (length: number) => () => BigInt(length);
const tradesMin = 3;

const netResult: Worth = { name: 'net result', of: (sheet) => value(sheet, 'net') };
const missed: Worth = { name: 'missed after the close', of: (sheet) => -value(sheet, 'missedResult') };
const costs: Worth = { name: 'costs', of: (sheet) => -value(sheet, 'costs') };

/** Of a rule that is worth the result of its trades. */
const ofNetResult = { worth: netResult, tradesMin } as const;

export const coachRules: readonly CoachRule[] = [
  {
    id: 'no_stop',
    kind: 'habit to lose',
    name: 'No stop loss',
    sentence: 'The trade had no stop loss from its opening to its end, and it ended at {net} USDT.',
    threshold: null,
    thresholdUnit: null,
    needs: ['net'],
    holds: ({ facts, hadStopOrder }) =>
      facts.firstStop === undefined && facts.lastStop === undefined && !hadStopOrder,
    ...ofNetResult,
  },
  {
    id: 'stop_moved_away',
    kind: 'habit to lose',
    name: 'Stop loss moved away',
    sentence: 'The stop loss moved from {firstStop} to {lastStop}, away from the entry at {entryPrice}.',
    threshold: null,
    thresholdUnit: null,
    needs: ['firstStop', 'lastStop', 'entryPrice'],
    holds: (sheet) =>
      sheet.side === 'BUY'
        ? value(sheet, 'lastStop') < value(sheet, 'firstStop')
        : value(sheet, 'lastStop') > value(sheet, 'firstStop'),
    ...ofNetResult,
  },
  {
    id: 'soon_after_loss',
    kind: 'habit to lose',
    name: 'Opened soon after a loss',
    sentence:
      'The trade opened {sinceLoss} after a trade that ended at {lossBefore} USDT; less than {threshold} is soon.',
    threshold: ms(10 * minuteMs),
    thresholdUnit: 'ms',
    needs: ['sinceLoss', 'lossBefore'],
    holds: (sheet, soon) => value(sheet, 'sinceLoss') < soon,
    ...ofNetResult,
  },
  {
    id: 'over_own_risk',
    kind: 'habit to lose',
    name: 'More at risk than your own rule',
    sentence:
      'The first stop loss risked {risk} USDT, {riskShare} of the equity; your own rule is {threshold}.',
    threshold: ({ riskShareMax }) => riskShareMax,
    thresholdUnit: 'percent',
    needs: ['risk', 'riskShare'],
    holds: (sheet, own) => value(sheet, 'riskShare') > own,
    ...ofNetResult,
  },
  {
    id: 'gave_back',
    kind: 'habit to lose',
    name: 'A profit that became a loss',
    sentence:
      'At {bestPrice} the trade was {bestResult} USDT ahead, at least {threshold} of its risk of {risk} USDT; it ended at {net} USDT.',
    threshold: percent(100),
    thresholdUnit: 'percent',
    needs: ['bestPrice', 'bestResult', 'risk', 'net'],
    holds: (sheet, share) =>
      value(sheet, 'net') < 0n && value(sheet, 'bestResult') * 100n * UNIT >= value(sheet, 'risk') * share,
    ...ofNetResult,
  },
  {
    id: 'closed_early',
    kind: 'habit to lose',
    name: 'Closed early',
    sentence:
      'Closed by hand at {exitPrice} with {net} USDT; prices then reached {missedPrice}, which was worth {missedResult} USDT more.',
    threshold: percent(100),
    thresholdUnit: 'percent',
    needs: ['net', 'exitPrice', 'missedPrice', 'missedResult'],
    holds: (sheet, share) =>
      isClosedByHand(sheet) &&
      value(sheet, 'net') > 0n &&
      value(sheet, 'missedResult') * 100n * UNIT >= value(sheet, 'net') * share,
    worth: missed,
    tradesMin,
  },
  {
    id: 'costly',
    kind: 'habit to lose',
    name: 'Costs took much of the profit',
    sentence:
      'Costs of {costs} USDT were {costShare} of what the trade earned before them; {threshold} is much.',
    threshold: percent(25),
    thresholdUnit: 'percent',
    needs: ['costs', 'costShare'],
    holds: (sheet, share) => value(sheet, 'costShare') >= share,
    worth: costs,
    tradesMin,
  },
  {
    id: 'liquidated',
    kind: 'habit to lose',
    name: 'Liquidated',
    sentence: 'The trade ended by liquidation at {exitPrice} and its result is {net} USDT.',
    threshold: null,
    thresholdUnit: null,
    needs: ['exitPrice', 'net'],
    holds: ({ closeReason }) => closeReason === 'liquidation',
    worth: netResult,
    // One is enough to speak of.
    tradesMin: 1,
  },
  {
    id: 'loss_within_plan',
    kind: 'habit to keep',
    name: 'A loss as planned',
    sentence:
      'The trade ended at {net} USDT, which is {r} of what the first stop loss put at risk; down to {threshold} is as planned.',
    threshold: r(-11),
    thresholdUnit: 'r',
    needs: ['net', 'r'],
    holds: (sheet, floor) =>
      sheet.closeReason === 'stop_loss' && value(sheet, 'net') < 0n && value(sheet, 'r') >= floor,
    ...ofNetResult,
  },
  {
    id: 'let_it_run',
    kind: 'habit to keep',
    name: 'A profit that ran',
    sentence:
      'The trade earned {net} USDT, {r} for what was at risk; {threshold} or more is a profit that ran.',
    threshold: r(20),
    thresholdUnit: 'r',
    needs: ['net', 'r'],
    holds: (sheet, least) => value(sheet, 'r') >= least,
    ...ofNetResult,
  },
];
