/**
 * Headlines about the calendar: what is due, what came out, how a market went on after it. Invariant: they say the figures of
 * the calendar in its own words, never before they are out, and nothing is due that is out.
 */
import { hourMs, minuteMs } from '@fulcrum/domain';
import { figureText, type Publication } from './calendar.ts';
import type { Draft } from './drafts.ts';
import type { Draws } from './draws.ts';
import type { Followed } from './followed.ts';
import { changeOver } from './tape.ts';
import { clockText, isFlat, nameOf, percentText, weekdayText, within } from './wording.ts';

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

/** Null: nothing with a figure came out. */
export function releaseOf(draws: Draws, publication: Publication): Draft | null {
  const { indicator, at, figures } = publication;
  if (!figures) return null;
  const { spoken, id, kind } = indicator;
  const text = (value: number) => figureText(indicator, value);
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
export function previewOf(draws: Draws, publication: Publication, now: number): Draft | null {
  const { indicator, at } = publication;
  if (indicator.impact === 'low') return null;
  const lead =
    previewLeadMinutes.least + Math.floor(draws.unit('lead', indicator.id, at) * previewLeadMinutes.more);
  return { ...outlookOf(draws, publication, at - lead * minuteMs, now), angle: 'preview' };
}

/** What is still to come, as seen at `told`. */
export function outlookOf(draws: Draws, publication: Publication, told: number, now: number): Draft {
  const { indicator, at, figures } = publication;
  const { spoken, title, country, id, kind } = indicator;
  const isToday = new Date(told).getUTCDate() === new Date(at).getUTCDate() && at - told < 24 * hourMs;
  const when = isToday ? `at ${clockText(at)}` : `on ${weekdayText(at)}`;
  const phrases = !figures
    ? [
        `On the calendar ${when}: ${title} (${country})`,
        `${title} (${country}) ${when}`,
        `Still to come: ${title} (${country}) ${when}`,
      ]
    : kind === 'policy'
      ? [
          `${spoken} decides ${when}, ${figureText(indicator, figures.forecast)} expected`,
          `Rate decision ahead: ${within(spoken)} ${when}, now at ${figureText(indicator, figures.previous)}`,
        ]
      : [
          `${spoken} due ${when}, forecast ${figureText(indicator, figures.forecast)}`,
          `${spoken} due ${when}, ${figureText(indicator, figures.previous)} last time`,
          `Forecasts see ${spoken} at ${figureText(indicator, figures.forecast)} ${when}`,
          `Next up ${when}: ${spoken}, ${figureText(indicator, figures.forecast)} after ${figureText(indicator, figures.previous)}`,
          `Calendar: ${spoken} ${when}, forecasts of ${figureText(indicator, figures.forecast)}`,
        ];
  return {
    at: told,
    category: 'economy',
    headline: phrase(draws, publication, `outlook ${told}`, phrases),
    symbol: null,
    angle: 'outlook',
    about: id,
    stated: [],
    holds: () => now < at,
  };
}

/** A figure of the days before, told again. */
export function recapOf(draws: Draws, publication: Publication, told: number): Draft | null {
  const { indicator, at, figures } = publication;
  if (!figures || indicator.kind === 'policy') return null;
  const { spoken, id } = indicator;
  const [actual, forecast, previous] = [figures.actual, figures.forecast, figures.previous].map((value) =>
    figureText(indicator, value),
  );
  const day = weekdayText(at);
  const phrases = [
    `${spoken} on ${day}: ${actual} after ${previous}`,
    `${day}: ${spoken} ${actual}, forecast ${forecast}`,
    `${spoken} last at ${actual}, on ${day}`,
  ];
  return {
    at: told,
    category: 'economy',
    headline: phrase(draws, publication, `recap ${told}`, phrases),
    symbol: null,
    angle: 'recap',
    about: id,
    stated: [],
  };
}

/** Which market is looked at after a publication of that country. */
const listeners: Readonly<Record<string, readonly string[]>> = {
  US: ['SPX', 'XAUUSD', 'EUR/USD', 'BTCUSDT'],
  EU: ['EUR/USD'],
  DE: ['EUR/USD'],
  GB: ['GBP/USD', 'FTSE'],
  JP: ['USD/JPY', 'NIKKEI'],
  AU: ['AUD/USD'],
};
const quarterMs = 15 * minuteMs;

/** How a market stood a quarter of an hour after it: when, not why. */
export function reactionTo(
  draws: Draws,
  publication: Publication,
  markets: ReadonlyMap<string, Followed>,
): Draft | null {
  const { indicator, at } = publication;
  if (indicator.impact !== 'high' || at % quarterMs !== 0) return null;
  const symbol = draws.pick(listeners[indicator.country] ?? [], 'reaction', indicator.id, at) ?? '';
  const market = markets.get(symbol);
  const told = at + quarterMs;
  const change = market ? changeOver(market.tape, told, quarterMs) : null;
  if (!market || change === null) return null;
  const { pair } = market;
  const name = nameOf(pair);
  const after = `in the 15 minutes after ${within(indicator.spoken)}`;
  return {
    at: told + 2 * minuteMs,
    category: pair.type === 'crypto' ? 'crypto' : 'market',
    headline: isFlat(change, pair)
      ? `${name} little changed ${after}`
      : `${name} ${percentText(change, pair)} ${change > 0 ? 'higher' : 'lower'} ${after}`,
    symbol,
    angle: 'reaction',
    about: symbol,
    stated: [{ is: 'change', symbol, at: told, spanMs: quarterMs, value: change }],
  };
}
