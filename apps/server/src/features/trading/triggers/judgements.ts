/** Decides by exact arithmetic, at the marks of an instant, whether the challenge of an account is to be judged by the engine. */
import {
  type ChallengeStep,
  type ClosingMark,
  endWaitsForPricesMs,
  type JudgeCommand,
  judgeChallenge,
  type MarkState,
  type Quote,
} from '@fulcrum/domain';
import type { EquityColumns } from './equity-columns.ts';
import { type Holding, markUnjudged, noteEquity, type QuoteOf, type Row } from './equity-row.ts';

/** The kind tells it from a trigger of the index. */
interface JudgeTrigger {
  readonly kind: 'judge';
  /** The account. */
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
}

/** An account whose challenge may be decided, with everything that the decision reads. */
export interface Judgement {
  readonly trigger: JudgeTrigger;
  readonly command: JudgeCommand;
}

/** Null: nothing is decided, or a judgement is on its way. `midnight`: of which the day ends, and which is judged. */
export function judge(
  columns: EquityColumns,
  row: Row,
  at: number,
  quoteOf: QuoteOf,
  midnight: number | null = null,
): Judgement | null {
  if (row.awaits !== 'nothing') return null;
  columns.reckonPeak(row);
  const passed = passedInTime(columns, row, midnight ?? at, quoteOf);
  if (passed) return send(row, passed);
  if (row.isPriced && waitsForPrices(row, at, quoteOf)) {
    columns.mute(row);
    row.waitsSince = at;
  }
  if (!row.isPriced && row.positions.length > 0) return null;
  noteEquity(row, columns.standingOf(row, quoteOf).equity);
  const { step } = row;
  const endsDay = midnight !== null;
  const command = toJudgeCommand({ columns, step, held: row, at: midnight ?? at, quoteOf, endsDay });
  if (command) return send(row, command);
  if (row.isPriced) row.isUnjudged = false;
  columns.rebase(row);
  return null;
}

/** Of who was not judged before the deadline: once, as the account was then, at the last accepted prices. */
function passedInTime(columns: EquityColumns, row: Row, at: number, quoteOf: QuoteOf): JudgeCommand | null {
  const { deadline } = row.state;
  if (!row.isUnjudged || deadline === null || at < deadline) return null;
  if (row.positions.some(({ symbol }) => !quoteOf(symbol))) return null;
  row.isUnjudged = false;
  if (row.changedAt >= deadline) return null;
  const instant = { at: deadline - 1, ...columns.standingOf(row, quoteOf) };
  if (judgeChallenge(row.step, row.state, instant)?.outcome !== 'passed') return null;
  return toJudgeCommand({ columns, step: row.step, held: row, at: instant.at, quoteOf, endsDay: false });
}

/** At its deadline, for a minute. */
function waitsForPrices({ state, seats }: Row, at: number, quoteOf: QuoteOf): boolean {
  const { deadline } = state;
  if (deadline === null || at < deadline || at >= deadline + endWaitsForPricesMs) return false;
  return [...seats.keys()].some(({ symbol }) => isSilent(quoteOf(symbol)));
}

/** Null while nothing is owed, or another judgement is on its way. */
export function judgeOwed(row: Row): Judgement | null {
  const { owed } = row;
  if (!owed || row.awaits !== 'nothing') return null;
  row.owed = null;
  return send(row, owed);
}

function send(row: Row, command: JudgeCommand): Judgement {
  const { accountId, positions } = row;
  row.awaits = 'decision';
  if (row.committed) row.unsure = command;
  // It may not be committed.
  markUnjudged(row, command.at);
  return {
    trigger: { kind: 'judge', id: accountId, accountId, symbol: positions[0]?.symbol ?? '' },
    command,
  };
}

interface JudgeTerms {
  readonly columns: EquityColumns;
  readonly step: ChallengeStep;
  readonly held: Holding;
  readonly at: number;
  readonly quoteOf: QuoteOf;
  readonly endsDay: boolean;
}

/** Null where nothing is decided. */
export function toJudgeCommand({
  columns,
  step,
  held,
  at,
  quoteOf,
  endsDay,
}: JudgeTerms): JudgeCommand | null {
  const { state, positions } = held;
  if (!judgeChallenge(step, state, { at, ...columns.standingOf(held, quoteOf) }, endsDay)) return null;
  const marks: Record<string, ClosingMark> = {};
  for (const symbol of new Set(positions.map((position) => position.symbol))) {
    const quote = quoteOf(symbol);
    const price = columns.priceOf(symbol) ?? quote?.price;
    const source = quote?.source;
    if (price !== undefined)
      marks[symbol] = { price, state: markStateOf(quote), ...(source !== undefined && { source }) };
  }
  return { kind: 'judge', at, marks, step, state, endsDay };
}

/** An open market without a price that may trade. */
export const isSilent = (quote: Quote | undefined): boolean => !quote || (quote.marketOpen && quote.stale);

function markStateOf(quote: Quote | undefined): MarkState {
  if (quote?.held) return 'held';
  if (quote?.marketOpen === false) return 'shut';
  return quote?.stale === false ? 'live' : 'old';
}
