/**
 * Headlines about the calendar: upcoming events, published figures, and how a market moved after them. Invariant: they repeat
 * the figures of the calendar in its own format, never before publication; a published event is never announced as upcoming.
 */
import { dayMs, minuteMs } from '@fulcrum/domain';
import { formatIndicatorFigure, type Publication } from './calendar.ts';
import type { Draft } from './drafts.ts';
import type { Draws } from './draws.ts';
import type { FollowedMarket } from './followed-markets.ts';
import { changeOver } from './price-history.ts';
import { formatClock, formatPercent, formatWeekday, getMarketName, isFlat, midSentence } from './wording.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `phrases` by the publication, so that two series of one hour do not read alike. */
function phrase(
  draws: Draws,
  { indicator, at }: Publication,
  what: string,
  phrases: readonly string[],
): string {
  return capital(draws.pick(phrases, what, indicator.id, at) ?? '');
}

function verdict(actual: number, forecast: number, text: string): string {
  if (actual === forecast) return `in line with the forecast of ${text}`;
  return `${actual > forecast ? 'above' : 'below'} the forecast of ${text}`;
}

/** Null: no event with a figure was published. */
export function toReleaseDraft(draws: Draws, publication: Publication): Draft | null {
  const { indicator, at, figures } = publication;
  if (!figures) return null;
  const { spoken, id, kind } = indicator;
  const text = (value: number) => formatIndicatorFigure(indicator, value);
  const { actual, forecast, previous } = figures;
  const against = verdict(actual, forecast, text(forecast));
  const headlines = {
    policy: () => policyPhrases(spoken, figures, text),
    change: () => {
      if (actual === 0) return [`${spoken} showed no change, ${against}`];
      const verb = actual > 0 ? 'rose' : 'fell';
      const size = text(actual).replace(/^[+\u2212]/, '');
      return [
        `${spoken} ${verb} ${size}, ${against}`,
        `${spoken} ${verb} ${size} after ${text(previous)} before, forecast ${text(forecast)}`,
        `${text(actual)}: ${spoken} ${against}`,
      ];
    },
    other: () => [
      `${spoken} came in at ${text(actual)}, ${against}`,
      `${spoken} at ${text(actual)} after ${text(previous)}, ${against}`,
      `${spoken}: ${text(actual)}, ${against}`,
      `${spoken} ${actual === previous ? 'unchanged at' : actual > previous ? 'up to' : 'down to'} ${text(actual)}, forecast was ${text(forecast)}`,
    ],
  };
  const phrases = (kind === 'policy' || kind === 'change' ? headlines[kind] : headlines.other)();
  return {
    at: at + minuteMs,
    category: 'economy',
    headline: phrase(draws, publication, 'release', phrases),
    symbol: null,
    angle: 'release',
    about: id,
    stated: [],
  };
}

function policyPhrases(
  bank: string,
  { actual, forecast, previous }: NonNullable<Publication['figures']>,
  text: (value: number) => string,
): readonly string[] {
  const expected = actual === forecast ? 'as expected' : `against forecasts of ${text(forecast)}`;
  if (actual === previous) {
    return [
      `${bank} keeps its rate at ${text(actual)}, ${expected}`,
      `${bank} leaves its rate unchanged at ${text(actual)}, ${expected}`,
    ];
  }
  const verb = actual > previous ? 'raises' : 'lowers';
  return [`${bank} ${verb} its rate to ${text(actual)} from ${text(previous)}, ${expected}`];
}

const previewLeadMinutes = { least: 15, more: 60 } as const;

/** Some time before it is out. */
export function toPreviewDraft(draws: Draws, publication: Publication, now: number): Draft | null {
  const { indicator, at } = publication;
  if (indicator.impact === 'low') return null;
  const lead =
    previewLeadMinutes.least + Math.floor(draws.unit('lead', indicator.id, at) * previewLeadMinutes.more);
  return { ...toOutlookDraft(draws, publication, at - lead * minuteMs, now), angle: 'preview' };
}

/** Upcoming events, as seen at `writtenAt`. */
export function toOutlookDraft(
  draws: Draws,
  publication: Publication,
  writtenAt: number,
  now: number,
): Draft {
  const { indicator, at, figures } = publication;
  const { spoken, title, country, id, kind } = indicator;
  const isToday = new Date(writtenAt).getUTCDate() === new Date(at).getUTCDate() && at - writtenAt < dayMs;
  const when = isToday ? `at ${formatClock(at)}` : `on ${formatWeekday(at)}`;
  const phrases = !figures
    ? [
        `On the calendar ${when}: ${title} (${country})`,
        `${title} (${country}) ${when}`,
        `Still to come: ${title} (${country}) ${when}`,
      ]
    : kind === 'policy'
      ? [
          `${spoken} decides ${when}, ${formatIndicatorFigure(indicator, figures.forecast)} expected`,
          `Rate decision ahead: ${midSentence(spoken)} ${when}, now at ${formatIndicatorFigure(indicator, figures.previous)}`,
        ]
      : [
          `${spoken} due ${when}, forecast ${formatIndicatorFigure(indicator, figures.forecast)}`,
          `${spoken} due ${when}, ${formatIndicatorFigure(indicator, figures.previous)} last time`,
          `Forecasts see ${spoken} at ${formatIndicatorFigure(indicator, figures.forecast)} ${when}`,
          `Next up ${when}: ${spoken}, ${formatIndicatorFigure(indicator, figures.forecast)} after ${formatIndicatorFigure(indicator, figures.previous)}`,
          `Calendar: ${spoken} ${when}, forecasts of ${formatIndicatorFigure(indicator, figures.forecast)}`,
        ];
  return {
    at: writtenAt,
    category: 'economy',
    headline: phrase(draws, publication, `outlook ${writtenAt}`, phrases),
    symbol: null,
    angle: 'outlook',
    about: id,
    stated: [],
    holds: () => now < at,
  };
}

/** A repeated figure of the days before. */
export function toRecapDraft(draws: Draws, publication: Publication, writtenAt: number): Draft | null {
  const { indicator, at, figures } = publication;
  if (!figures || indicator.kind === 'policy') return null;
  const { spoken, id } = indicator;
  const [actual, forecast, previous] = [figures.actual, figures.forecast, figures.previous].map((value) =>
    formatIndicatorFigure(indicator, value),
  );
  const day = formatWeekday(at);
  const phrases = [
    `${spoken} on ${day}: ${actual} after ${previous}`,
    `${day}: ${spoken} ${actual}, forecast ${forecast}`,
    `${spoken} last at ${actual}, on ${day}`,
  ];
  return {
    at: writtenAt,
    category: 'economy',
    headline: phrase(draws, publication, `recap ${writtenAt}`, phrases),
    symbol: null,
    angle: 'recap',
    about: id,
    stated: [],
  };
}

/** Which market is looked at after a publication of that country. */
const reactingMarkets: Readonly<Record<string, readonly string[]>> = {
  US: ['SPX', 'XAUUSD', 'EUR/USD', 'BTCUSDT'],
  EU: ['EUR/USD'],
  DE: ['EUR/USD'],
  GB: ['GBP/USD', 'FTSE'],
  JP: ['USD/JPY', 'NIKKEI'],
  AU: ['AUD/USD'],
};
const quarterMs = 15 * minuteMs;

/** The price of a market a quarter of an hour after it: when, not why. */
export function toReactionDraft(
  draws: Draws,
  publication: Publication,
  markets: ReadonlyMap<string, FollowedMarket>,
): Draft | null {
  const { indicator, at } = publication;
  if (indicator.impact !== 'high' || at % quarterMs !== 0) return null;
  const symbol = draws.pick(reactingMarkets[indicator.country] ?? [], 'reaction', indicator.id, at) ?? '';
  const market = markets.get(symbol);
  const writtenAt = at + quarterMs;
  const change = market ? changeOver(market.history, writtenAt, quarterMs) : null;
  if (!market || change === null) return null;
  const { pair } = market;
  const name = getMarketName(pair);
  const after = `in the 15 minutes after ${midSentence(indicator.spoken)}`;
  return {
    at: writtenAt + 2 * minuteMs,
    category: pair.type === 'crypto' ? 'crypto' : 'market',
    headline: isFlat(change, pair)
      ? `${name} little changed ${after}`
      : `${name} ${formatPercent(change, pair)} ${change > 0 ? 'higher' : 'lower'} ${after}`,
    symbol,
    angle: 'reaction',
    about: symbol,
    stated: [{ is: 'change', symbol, at: writtenAt, spanMs: quarterMs, value: change }],
  };
}
