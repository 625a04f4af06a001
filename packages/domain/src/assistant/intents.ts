/**
 * What a question is about, by rules: topics of the user's own account, a period, or how something works. Pure. A question without a
 * known topic is a search; nothing is guessed.
 */
import { dayMs } from '../time.ts';
import type { Zone } from '../zones.ts';

/** Characters of a question. */
export const questionLengthMax = 500;

export const accountTopics = [
  'account',
  'margin',
  'risk',
  'positions',
  'liquidation',
  'result',
  'habits',
  'fees',
  'funding',
] as const;
export type AccountTopic = (typeof accountTopics)[number];

/** The first that match; a question about fees is not also one about the result. */
const patterns: readonly (readonly [AccountTopic, RegExp])[] = [
  ['liquidation', /\bliquidat\w*/],
  ['funding', /\b(funding|financing)\b/],
  ['fees', /\b(fees?|commissions?|trading costs?|costs? of trading|spread costs?)\b/],
  ['habits', /\b(habits?|mistakes?|improve|better at|do wrong|doing wrong|weakness(es)?|strengths?|coach)\b/],
  ['risk', /\b(risk\w*|at stake|exposure|could i lose|can i lose|might i lose)\b/],
  ['margin', /\b(margin)\b/],
  ['positions', /\b(positions?|open trades?|holdings?|holding|am i (long|short)|unrealized|unrealised)\b/],
  [
    'result',
    /\b(result\w*|performance|perform\w*|p ?& ?l|pnl|profits?|loss|losses|earn(ed)?|win rate|winning|lost|made|drawdown|how am i doing|how did i do|how have i done|did i (lose|make|gain|earn|win))\b/,
  ],
  [
    'account',
    /\b(balance|equity|funds|account|wallet|buying power|available|how much (money|usdt|cash)|money do i have)\b/,
  ],
];

const own = /\b(my|mine|me|i|i'm|i've|am i|have i|did i|do i have)\b/;
const general =
  /^(so |and |please )?(how (do|can|could|should|would|does|is|are|to)\b|where (do|can|is)|what (is|are|does|do) (an? |the )?(?!my\b)|what's (an? |the )?(?!my\b)|what happens|which|explain|define|why|when (do|does|is|are)|can i|may i|tutorial|help)/;
/** Of the own account although they begin like a general question. */
const ownAfterAll =
  /^(how (far|much|many|close|near|big|large)|how am i|how did i|how have i|how (is|are|was|were|do|does) my|what (is|are|was|were) my|what's my|which of my|which (trade|habit|position)|what (do|did|have) i\b|why (is|was|did) my)/;
/** A question of so few terms names its topic alone. */
const shortMax = 4;

export const questionPeriods = ['today', '7 days', '30 days', 'all time'] as const;
export type QuestionPeriod = (typeof questionPeriods)[number];

const periodPatterns: readonly (readonly [QuestionPeriod, RegExp])[] = [
  ['today', /\b(today|this morning|24 ?h(ours)?|last day|past day)\b/],
  ['7 days', /\b(week\w*|7 days|seven days)\b/],
  ['all time', /\b(all[ -]time|ever|overall|since the (start|beginning)|in total|altogether|so far|year)\b/],
];

export type QuestionIntent =
  | { readonly kind: 'account'; readonly topics: readonly AccountTopic[]; readonly period: QuestionPeriod }
  | { readonly kind: 'search' };

/** Topics of one answer. */
export const topicsMax = 3;

const normal = (question: string): string =>
  question.toLowerCase().normalize('NFKC').replaceAll('’', "'").replace(/\s+/g, ' ').trim();
const topicsIn = (text: string): readonly AccountTopic[] =>
  patterns.flatMap(([topic, pattern]) => (pattern.test(text) ? [topic] : []));
const periodIn = (text: string): QuestionPeriod | undefined =>
  periodPatterns.find(([, pattern]) => pattern.test(text))?.[0];

/** The intent of a question that is no order (`readOrderRequest`). */
export function intentOf(question: string): QuestionIntent {
  const text = normal(question);
  const topics = topicsIn(text);
  const isShort = text.split(' ').length <= shortMax;
  const isOwn = ownAfterAll.test(text)
    ? own.test(text) || isShort
    : !general.test(text) && (own.test(text) || isShort);
  if (topics.length === 0 || !isOwn) return { kind: 'search' };
  return { kind: 'account', topics: topics.slice(0, topicsMax), period: periodIn(text) ?? '30 days' };
}

/** What an answer about the own account was about. */
export interface QuestionSubject {
  readonly topics: readonly AccountTopic[];
  readonly period: QuestionPeriod;
  /** The pair that it was narrowed to; null: all. */
  readonly symbol: string | null;
}

const followUp =
  /^(?:and|also|or|so) (?:(?:what|how) about |for |in |on )?|^(?:(?:what|how) about|(?:the )?same for) /;

/**
 * "And ETH?", "what about today?": the subject before, with what the question states in its place. `named`: the symbol of the pair that it
 * names. Null for any other question, and for one that states neither topic, period nor pair.
 */
export function followUpOf(
  question: string,
  named: string | null,
  before: QuestionSubject,
): QuestionSubject | null {
  const text = normal(question);
  const lead = followUp.exec(text)?.[0];
  if (lead === undefined) return null;
  const rest = text.slice(lead.length);
  if (general.test(rest) && !ownAfterAll.test(rest)) return null;
  const topics = topicsIn(rest);
  const period = periodIn(rest);
  if (topics.length === 0 && period === undefined && named === null) return null;
  return {
    topics: topics.length === 0 ? before.topics : topics.slice(0, topicsMax),
    period: period ?? before.period,
    symbol: named ?? before.symbol,
  };
}

const periodDays = { '7 days': 7, '30 days': 30 } as const;

/** The first instant of a period, milliseconds since the epoch: today begins on the zone's clock; null without a bound. */
export function startOfPeriod(period: QuestionPeriod, now: number, zone: Zone): number | null {
  if (period === 'all time') return null;
  if (period !== 'today') return now - periodDays[period] * dayMs;
  const offset = zone.offsetAt(now);
  return Math.floor((now + offset) / dayMs) * dayMs - offset;
}
