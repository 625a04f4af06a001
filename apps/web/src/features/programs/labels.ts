/** What the terms of contests are called on the screen. */
import type { ContestPhase, ContestScore, ContestTieBreak, MarkState } from '@fulcrum/domain';
import type { BadgeTone } from '../../shared/ui/index.ts';
import type { Rank } from './queries.ts';

export const phaseLabels: Readonly<
  Record<ContestPhase, { readonly text: string; readonly tone: BadgeTone }>
> = {
  announced: { text: 'Announced', tone: 'neutral' },
  registration: { text: 'Registration open', tone: 'accent' },
  waiting: { text: 'Registration ended', tone: 'neutral' },
  trading: { text: 'Trading', tone: 'up' },
  ending: { text: 'Closing', tone: 'warn' },
  ended: { text: 'Ended', tone: 'neutral' },
  withdrawn: { text: 'Withdrawn', tone: 'warn' },
};

/** In which its terms can still change. */
export const phasesBeforeBegin: ReadonlySet<ContestPhase> = new Set(['announced', 'registration', 'waiting']);

export const scoreLabels: Readonly<Record<ContestScore, string>> = {
  return: 'Return',
  realized: 'Realized result',
  sharpe: 'Sharpe ratio of daily equity',
  drawdown: 'Return by drawdown',
  expectancy: 'Expectancy in R',
};

/** How a score is computed, in one sentence. */
export const scoreHints: Readonly<Record<ContestScore, string>> = {
  return: 'The change of the equity, in per cent of the start balance.',
  realized: 'What entrants closed themselves, and the losses of what the end closes.',
  sharpe: 'The mean of the daily returns by their deviation. The contest lasts at least 10 days.',
  drawdown: 'The return by the largest drawdown; one below 1 % counts as 1 %.',
  expectancy: 'The mean result of the trades that had a stop loss, in units of what it risked.',
};

export const tieBreakLabels: Readonly<Record<ContestTieBreak, string>> = {
  drawdown: 'smaller drawdown',
  trades: 'fewer trades',
  entry: 'earlier entry',
};

export const markStateLabels: Readonly<Record<MarkState, string>> = {
  live: 'Live price',
  old: 'Old price',
  shut: 'Market shut',
  held: 'Price held',
};

export const unrankedLabels: Readonly<Record<NonNullable<Rank['unranked']>, string>> = {
  too_few_trades: 'Too few trades',
  no_score: 'No score',
};

export const interventionLabels: Readonly<Record<string, string>> = {
  'price.shock': 'Price shock',
  'price.accept': 'Held price accepted',
  'price.reject': 'Held price rejected',
  'trading.halt': 'Trading halted',
  'trading.resume': 'Trading resumed',
};
