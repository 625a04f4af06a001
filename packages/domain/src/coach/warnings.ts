/**
 * Warnings before an order, as data: what each needs, its threshold, its sentence. They block nothing. Invariants: a sentence has a figure only
 * where it names a fact or a threshold; a rule whose facts are missing does not fire, and says what is missing; the same sheet gives the same warnings.
 */
import { asPercent, UNIT } from '../money.ts';
import { fillSentence, type Sentence, type ShownFact } from './findings.ts';
import type { OrderFactName, OrderSheet } from './order-facts.ts';
import { noOwnRules } from './own-rules.ts';
import type { OwnRules, WarningId } from './rules.ts';

interface WarningRule extends Sentence {
  readonly id: WarningId;
  readonly name: string;
  readonly needs: readonly OrderFactName[];
  /** In the unit of what it is compared with; null: the trader has set none. */
  readonly threshold: (own: OwnRules) => bigint | null;
  readonly holds: (value: (name: OrderFactName) => bigint, threshold: bigint) => boolean;
}

export const warningRules: readonly WarningRule[] = [
  {
    id: 'order_over_own_risk',
    name: 'More at risk than your own rule',
    sentence:
      'The order puts {risk} USDT at risk: the loss at its stop loss or, without one, its margin. That is {riskShare} of your equity; your own rule is {threshold}.',
    needs: ['risk', 'riskShare'],
    threshold: ({ riskShareMax }) => riskShareMax,
    thresholdUnit: 'percent',
    holds: (value, own) => value('riskShare') > own,
  },
  {
    id: 'order_moves_alike',
    name: 'Much in markets that move together',
    sentence:
      'With the open positions that move with it the order is {alikeValue} USDT, {alikeShare} of your equity; more than {threshold} is much.',
    needs: ['alikeValue', 'alikeShare'],
    threshold: () => asPercent(300n * UNIT),
    thresholdUnit: 'percent',
    holds: (value, much) => value('alikeShare') > much,
  },
  {
    id: 'order_near_liquidation',
    name: 'Liquidation within reach of a few hours',
    sentence:
      'Liquidation at {liquidationPrice} is {liquidationDistance} away, {ranges} the average range of an hour of the last day ({range}); less than {threshold} is near.',
    needs: ['liquidationPrice', 'liquidationDistance', 'range', 'ranges'],
    threshold: () => 5n * UNIT,
    thresholdUnit: 'times',
    holds: (value, near) => value('ranges') < near,
  },
  {
    id: 'order_near_loss_limit',
    name: 'Your own daily loss limit is near',
    sentence:
      'Your day is {dayLoss} USDT behind, {dayLossShare} of your own limit of {dayLossMax} USDT. From {threshold} on it is near; at the limit nothing opens.',
    needs: ['dayLoss', 'dayLossMax', 'dayLossShare'],
    threshold: () => asPercent(80n * UNIT),
    thresholdUnit: 'percent',
    holds: (value, near) => value('dayLossShare') >= near,
  },
  {
    id: 'order_last_trade',
    name: 'The last trade of your day',
    sentence:
      'This is trade {dayTrade} of the day, and your own limit is {dayTradesMax}. Beyond it nothing opens.',
    needs: ['dayTrade', 'dayTradesMax'],
    threshold: () => 0n,
    thresholdUnit: null,
    holds: (value) => value('dayTrade') >= value('dayTradesMax'),
  },
  {
    id: 'order_in_cool_down',
    name: 'Your own cool-down lasts',
    sentence: 'Your own cool-down after a loss lasts {coolDown} more. Until then nothing opens.',
    needs: ['coolDown'],
    threshold: () => 0n,
    thresholdUnit: null,
    holds: () => true,
  },
];

/** Why a fact is missing; the other facts are missing where there is nothing to warn of. */
const missing: Partial<Record<OrderFactName, string>> = {
  riskShare: 'your equity is not known while a position has no price',
  alikeShare: 'your equity is not known while a position has no price',
  range: 'this market has fewer than 24 whole hours of prices so far',
};
/** Why a fact is missing that is there else. */
const unreadable: Partial<Record<OrderFactName, string>> = {
  range: 'the prices of the last hours could not be read',
  dayLoss: 'the day under your own limits could not be read',
  dayTrade: 'the day under your own limits could not be read',
  coolDown: 'the day under your own limits could not be read',
};
const noOwnRule = 'you have set no limit in My rules';
const unreadOwnRule = 'your own rules could not be read';

export interface Warnings {
  readonly found: readonly { readonly rule: WarningId; readonly sentence: string }[];
  /** The rules that could not be checked, with the reason as the end of a sentence. */
  readonly unchecked: readonly { readonly rule: WarningId; readonly reason: string }[];
}

/** In the order of the rules. `own` is null where the own rules could not be read: then none counts as switched off. */
export function warningsOf({ facts, unread }: OrderSheet, own: OwnRules | null): Warnings {
  const found: Warnings['found'][number][] = [];
  const unchecked: Warnings['unchecked'][number][] = [];
  const value = (name: OrderFactName): bigint => BigInt((facts[name] as ShownFact).value);
  for (const rule of warningRules) {
    const { id, needs } = rule;
    if (own?.off.includes(id)) continue;
    const threshold = rule.threshold(own ?? noOwnRules);
    const lacks = needs.find((name) => facts[name] === undefined);
    if (threshold === null) unchecked.push({ rule: id, reason: own === null ? unreadOwnRule : noOwnRule });
    else if (lacks === undefined) {
      if (rule.holds(value, threshold))
        found.push({ rule: id, sentence: fillSentence(rule, facts, threshold) });
    } else {
      const reason = (unread.includes(lacks) ? unreadable : missing)[lacks];
      if (reason !== undefined) unchecked.push({ rule: id, reason });
    }
  }
  return { found, unchecked };
}
