/** An account of the equity book: what it holds, its challenge as far as this server has followed it, and what it waits for. */
import {
  type ChallengeState,
  type ChallengeStep,
  type JudgeCommand,
  type Money,
  type Position,
  type Quote,
  type Wallet,
  withEquity,
  withTradingDays,
} from '@fulcrum/domain';
import type { Holders } from './symbol-holders.ts';

export type QuoteOf = (symbol: string) => Quote | undefined;

export interface Holding {
  state: ChallengeState;
  /** Days with an opening, also ones that begin while the day of the state waits for prices. */
  tradedOn: readonly number[];
  wallet: Wallet;
  positions: readonly Position[];
  /** Of a day that ended while another judgement was on its way. */
  owed: JudgeCommand | null;
}

export interface Row extends Holding {
  readonly index: number;
  readonly accountId: string;
  readonly step: ChallengeStep;
  /** What the store has, while the row follows a decision that is not committed. */
  committed: Holding | null;
  /** A judgement of what is not committed. */
  unsure: JudgeCommand | null;
  /** Its seat in the holders of each symbol. */
  readonly seats: Map<Holders, number>;
  /** Whether the state is to be stored, at once or with the next peaks. */
  unstored: 'no' | 'soon' | 'now';
  /** A judgement that is on its way, or that the account is read again; until then nothing is judged. */
  awaits: 'nothing' | 'decision' | 'reading';
  /** False after a gap until each of its open markets trades: old prices make no peak, end no day and decide nothing. */
  isPriced: boolean;
  /** The first pass after the gap, or after the last one of more than a minute; null before it, and of a priced account. */
  waitsSince: number | null;
  /** Since `arm`, or a gap, it was not judged, so that it may have passed before its deadline: the next pass judges it. */
  isUnjudged: boolean;
  /** The last change of the account. */
  changedAt: number;
}

export function countOpening(row: Row, day: number): void {
  if (!row.tradedOn.includes(day)) row.tradedOn = [...row.tradedOn, day];
  row.state = withTradingDays(row.state, row.tradedOn);
}

export const isOver = ({ state: { deadline } }: Row, at: number): boolean =>
  deadline !== null && deadline <= at;

/** One whose deadline was before the last pass was judged then. */
export function markUnjudged(row: Row, passedAt: number): void {
  if (!isOver(row, passedAt)) row.isUnjudged = true;
}

export function noteEquity(row: Row, equity: Money): void {
  const seen = withEquity(row.state, equity);
  if (seen === row.state) return;
  row.state = seen;
  if (row.step.maxLoss.mode === 'trailing_intraday' && row.unstored === 'no') row.unstored = 'soon';
}
