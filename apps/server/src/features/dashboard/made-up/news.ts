/**
 * The news feed: what there is to tell of the markets and the calendar, and the ten that are told. Every quarter of an hour tells
 * one thing or two, drawn from the seed and the quarter, of the bars that were over by then; jumps and releases come on top
 * at their own minutes.
 * Invariants: ten items, no two of the same words, nothing that does not hold at the prices of now; while nothing newer comes
 * and everything holds, the ten stay the same.
 */
import type { NewsItem } from '@fulcrum/contract';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { angles, onTheDay } from './angles.ts';
import { type Publication, publications } from './calendar.ts';
import { comparisons, type Group } from './comparisons.ts';
import { type Category, type Draft, idOf } from './drafts.ts';
import type { Draws } from './draws.ts';
import { outlookOf, previewOf, reactionTo, recapOf, releaseOf } from './economy-news.ts';
import { type Followed, type Reading, tradesAt } from './followed.ts';
import type { Jump } from './jumps.ts';
import { chooseTen } from './ten.ts';
import { nameOf, percentText, priceText, within } from './wording.ts';

const quarterMs = 15 * minuteMs;
/** The items of a quarter come within this many of its minutes each, one after the other. */
const minutesPerItem = 5;
const perQuarter = 2;
const twiceShare = 0.45;
const usualSpanMs = 12 * hourMs;
/** Over a weekend, the last session of shares is so far away. */
const longestSpanMs = 80 * hourMs;
const releasesBackMs = 7 * dayMs;
const outlookAheadMs = 3 * dayMs;
const outlooksMax = 12;
const recapsBackMs = 4 * dayMs;
const weights: Readonly<Record<Category, number>> = { crypto: 30, stocks: 27, market: 27, economy: 16 };
const comparedShare = 0.22;

const groupOf = ({ pair: { type } }: Followed): Group =>
  type === 'crypto' ? 'crypto' : type === 'stock' ? 'stocks' : 'market';

/** The ten as they were chosen, newest first, with what they state. */
export function tenDrafts(draws: Draws, reading: Reading): Draft[] {
  const { now } = reading;
  const writer = createWriter(draws, reading);
  const fixed = [...jumpDrafts(draws, reading), ...writer.calendarDrafts()];
  const drafts = [...fixed];
  const newest = now - (now % quarterMs);
  for (let quarter = newest; quarter > newest - usualSpanMs; quarter -= quarterMs) {
    drafts.push(...writer.quarterDrafts(quarter, null));
  }
  for (const category of ['stocks', 'market', 'crypto'] as const) {
    const isTold = () => drafts.some((draft) => draft.category === category && draft.at <= now);
    for (let quarter = newest; !isTold() && quarter > newest - longestSpanMs; quarter -= quarterMs) {
      drafts.push(...writer.quarterDrafts(quarter, category));
    }
  }
  return chooseTen(
    drafts.filter(({ at, holds }) => at <= now && (holds?.() ?? true)),
    now,
  );
}

/** DASH-33. */
export function tenNews(draws: Draws, reading: Reading): NewsItem[] {
  return tenDrafts(draws, reading).map((draft) => ({
    id: idOf(draft),
    at: new Date(draft.at).toISOString(),
    category: draft.category,
    headline: draft.headline,
    symbol: draft.symbol,
  }));
}

function createWriter(draws: Draws, { now, markets }: Reading) {
  const byId = new Map(markets.map((market) => [market.pair.symbol, market]));
  const groups: Readonly<Record<Group, readonly Followed[]>> = {
    crypto: markets.filter((market) => groupOf(market) === 'crypto'),
    stocks: markets.filter((market) => groupOf(market) === 'stocks'),
    market: markets.filter((market) => groupOf(market) === 'market'),
  };
  const calendar = publications(draws, now - releasesBackMs, now + outlookAheadMs + dayMs);

  function categoryOf(quarter: number, index: number): Category {
    let left = draws.unit('category', quarter, index) * 100;
    for (const [category, weight] of Object.entries(weights) as [Category, number][]) {
      left -= weight;
      if (left < 0) return category;
    }
    return 'economy';
  }

  /** While shares and currencies rest, there is crypto to tell of. */
  function busyCategoryOf(quarter: number, index: number): Category {
    const category = categoryOf(quarter, index);
    if (category === 'economy') return category;
    return groups[category].some(({ pair }) => tradesAt(pair, quarter - 1)) ? category : 'crypto';
  }

  function economyDraft(quarter: number, told: number, index: number): Draft | null {
    const isBack = draws.unit('back', quarter, index) < 0.4;
    const from: readonly Publication[] = isBack
      ? calendar.filter(({ at }) => at < quarter - usualSpanMs && at > quarter - recapsBackMs)
      : calendar
          .filter(
            ({ at, indicator }) => at > told && at < told + outlookAheadMs && indicator.impact !== 'low',
          )
          .slice(0, outlooksMax);
    const chosen = draws.pick(from, 'publication', quarter, index);
    if (!chosen) return null;
    return isBack ? recapOf(draws, chosen, told) : outlookOf(draws, chosen, told, now);
  }

  function marketDraft(group: Group, quarter: number, told: number, index: number): Draft | null {
    const trading = groups[group].filter(({ pair }) => tradesAt(pair, quarter - 1));
    const name = [group, quarter, index] as const;
    if (draws.unit('compared', ...name) < comparedShare) {
      const ways = comparisons(trading, group, quarter, draws.unit('choice', ...name));
      const way = draws.pick(ways, 'comparison', ...name);
      const compared = way ? way() : null;
      if (compared !== null) {
        const { symbol, stated, angle, phrases } = compared;
        const headline = draws.pick(phrases, 'words', ...name) ?? '';
        return { at: told, category: group, headline, symbol, angle, about: `${angle} ${group}`, stated };
      }
    }
    const market = draws.pick(trading, 'market', ...name);
    return market ? aboutOne(market, group, quarter, told, index) : null;
  }

  function aboutOne(
    market: Followed,
    group: Group,
    quarter: number,
    told: number,
    index: number,
  ): Draft | null {
    const { pair, tape } = market;
    const { symbol } = pair;
    const ways = tape.length === 0 ? [['on the day', onTheDay] as const] : Object.entries(angles);
    const order = ways
      .map(([angle, tell]) => ({ angle, tell, place: placeOf(angle, pair, quarter, index) }))
      .sort((left, right) => left.place - right.place);
    for (const { angle, tell } of order) {
      const found = tell(market, quarter);
      const headline = found && draws.pick(found.phrases, 'words', symbol, quarter, index);
      if (!found || !headline) continue;
      const price = lastPrice(market);
      const { holds, stated } = found;
      return {
        at: told,
        category: group,
        headline,
        symbol,
        angle,
        about: symbol,
        stated,
        ...(holds && { holds: () => price === null || holds(price) }),
      };
    }
    return null;
  }

  /** At the closing bell, the session is what is told. */
  function placeOf(angle: string, pair: Followed['pair'], quarter: number, index: number): number {
    if (angle === 'opened' && !tradesAt(pair, quarter)) return -1;
    return draws.unit('angle', angle, pair.symbol, quarter, index);
  }

  return {
    /** What the quarter of an hour after `quarter` tells; of one category only, or of all. */
    quarterDrafts(quarter: number, only: Category | null): Draft[] {
      const drafts: Draft[] = [];
      const count = draws.unit('count', quarter) < twiceShare ? perQuarter : 1;
      for (let index = 0; index < count; index += 1) {
        const category = only ?? busyCategoryOf(quarter, index);
        const minutes = 1 + Math.floor((index + draws.unit('minute', quarter, index)) * minutesPerItem);
        const told = quarter + minutes * minuteMs;
        const draft =
          category === 'economy'
            ? economyDraft(quarter, told, index)
            : marketDraft(category, quarter, told, index);
        if (draft) drafts.push(draft);
      }
      return drafts;
    },
    calendarDrafts(): Draft[] {
      return calendar.flatMap((publication) =>
        [
          publication.at <= now ? releaseOf(draws, publication) : null,
          publication.at > now ? previewOf(draws, publication, now) : null,
          publication.at > now - usualSpanMs ? reactionTo(draws, publication, byId) : null,
        ].filter((draft) => draft !== null),
      );
    },
  };
}

const lastPrice = ({ tape, sightings }: Followed): number | null =>
  tape.at(-1)?.close ?? sightings.at(-1)?.price ?? null;

const greatTimes = 2;

function jumpDrafts(draws: Draws, { markets }: Reading): Draft[] {
  return markets.flatMap((market) => {
    const { pair, jumps, jumpFrom } = market;
    const name = nameOf(pair);
    // Where only the simulation trades, a move has to be great to be written about.
    const isTold = ({ at, percent }: Jump): boolean =>
      tradesAt(pair, at - 1) || Math.abs(percent) >= greatTimes * jumpFrom;
    return jumps.filter(isTold).map(({ at, percent, price }): Draft => {
      const isUp = percent > 0;
      const size = percentText(percent, pair);
      const to = priceText(price, pair);
      const isGreat = Math.abs(percent) >= greatTimes * jumpFrom;
      const verb = isUp ? (isGreat ? 'surges' : 'jumps') : isGreat ? 'plunges' : 'drops';
      const phrases = [
        `${name} ${verb} ${size} within the hour to ${to}`,
        `${name} ${verb} ${size} in less than an hour, at ${to}`,
        `Sharp move: ${within(name)} ${isUp ? 'up' : 'down'} ${size} within the hour to ${to}`,
      ];
      const { symbol } = pair;
      return {
        at: at - (at % minuteMs),
        category: groupOf(market),
        headline: draws.pick(phrases, 'jump', symbol, at) ?? '',
        symbol,
        angle: 'jump',
        about: `${symbol} ${at}`,
        stated: [{ is: 'price', symbol, at, value: price }],
      };
    });
  });
}
