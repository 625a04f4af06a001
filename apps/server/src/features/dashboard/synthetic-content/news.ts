/**
 * The news feed: candidate headlines on the markets and the calendar, and the ten that are shown. Every quarter of an hour
 * adds one or two, drawn from the seed and the quarter, from bars that were over by then; jumps and releases are added at
 * their own minutes.
 * Invariants: ten items, no two with the same text, none that contradicts the present prices; while no newer item comes and
 * all hold, the ten stay the same.
 */
import type { NewsItem } from '@fulcrum/contract';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { angles, onTheDay } from './angles.ts';
import { listPublications, type Publication } from './calendar.ts';
import { chooseTen } from './choose-ten.ts';
import { comparisons, type Group } from './comparisons.ts';
import { type Category, type Draft, idOf } from './drafts.ts';
import type { Draws } from './draws.ts';
import {
  toOutlookDraft,
  toPreviewDraft,
  toReactionDraft,
  toRecapDraft,
  toReleaseDraft,
} from './economy-news.ts';
import { type FollowedMarket, type MarketSnapshot, tradesAt } from './followed-markets.ts';
import type { Jump } from './jumps.ts';
import { formatPercent, formatPrice, getMarketName, midSentence } from './wording.ts';

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

const groupOf = ({ pair: { type } }: FollowedMarket): Group =>
  type === 'crypto' ? 'crypto' : type === 'stock' ? 'stocks' : 'market';

/** The ten as they were chosen, newest first, with what they state. */
export function tenDrafts(draws: Draws, snapshot: MarketSnapshot): Draft[] {
  const { now } = snapshot;
  const writer = createWriter(draws, snapshot);
  const fixed = [...jumpDrafts(draws, snapshot), ...writer.calendarDrafts()];
  const drafts = [...fixed];
  const newest = now - (now % quarterMs);
  for (let quarter = newest; quarter > newest - usualSpanMs; quarter -= quarterMs) {
    drafts.push(...writer.quarterDrafts(quarter, null));
  }
  for (const category of ['stocks', 'market', 'crypto'] as const) {
    const isReported = () => drafts.some((draft) => draft.category === category && draft.at <= now);
    for (let quarter = newest; !isReported() && quarter > newest - longestSpanMs; quarter -= quarterMs) {
      drafts.push(...writer.quarterDrafts(quarter, category));
    }
  }
  return chooseTen(
    drafts.filter(({ at, holds }) => at <= now && (holds?.() ?? true)),
    now,
  );
}

/** The ten simulated items of the news feed (DASH-33). */
export function tenNews(draws: Draws, snapshot: MarketSnapshot): NewsItem[] {
  return tenDrafts(draws, snapshot).map((draft) => ({
    id: idOf(draft),
    at: new Date(draft.at).toISOString(),
    category: draft.category,
    headline: draft.headline,
    symbol: draft.symbol,
  }));
}

function createWriter(draws: Draws, { now, markets }: MarketSnapshot) {
  const byId = new Map(markets.map((market) => [market.pair.symbol, market]));
  const groups: Readonly<Record<Group, readonly FollowedMarket[]>> = {
    crypto: markets.filter((market) => groupOf(market) === 'crypto'),
    stocks: markets.filter((market) => groupOf(market) === 'stocks'),
    market: markets.filter((market) => groupOf(market) === 'market'),
  };
  const calendar = listPublications(draws, now - releasesBackMs, now + outlookAheadMs + dayMs);

  function categoryOf(quarter: number, index: number): Category {
    let left = draws.unit('category', quarter, index) * 100;
    for (const [category, weight] of Object.entries(weights) as [Category, number][]) {
      left -= weight;
      if (left < 0) return category;
    }
    return 'economy';
  }

  /** While shares and currencies are closed, crypto has headlines. */
  function busyCategoryOf(quarter: number, index: number): Category {
    const category = categoryOf(quarter, index);
    if (category === 'economy') return category;
    return groups[category].some(({ pair }) => tradesAt(pair, quarter - 1)) ? category : 'crypto';
  }

  function economyDraft(quarter: number, writtenAt: number, index: number): Draft | null {
    const isRecap = draws.unit('back', quarter, index) < 0.4;
    const from: readonly Publication[] = isRecap
      ? calendar.filter(({ at }) => at < quarter - usualSpanMs && at > quarter - recapsBackMs)
      : calendar
          .filter(
            ({ at, indicator }) =>
              at > writtenAt && at < writtenAt + outlookAheadMs && indicator.impact !== 'low',
          )
          .slice(0, outlooksMax);
    const chosen = draws.pick(from, 'publication', quarter, index);
    if (!chosen) return null;
    return isRecap ? toRecapDraft(draws, chosen, writtenAt) : toOutlookDraft(draws, chosen, writtenAt, now);
  }

  function marketDraft(group: Group, quarter: number, writtenAt: number, index: number): Draft | null {
    const trading = groups[group].filter(({ pair }) => tradesAt(pair, quarter - 1));
    const name = [group, quarter, index] as const;
    if (draws.unit('compared', ...name) < comparedShare) {
      const candidates = comparisons(trading, group, quarter, draws.unit('choice', ...name));
      const candidate = draws.pick(candidates, 'comparison', ...name);
      const compared = candidate ? candidate() : null;
      if (compared !== null) {
        const { symbol, stated, angle, phrases } = compared;
        const headline = draws.pick(phrases, 'words', ...name) ?? '';
        return {
          at: writtenAt,
          category: group,
          headline,
          symbol,
          angle,
          about: `${angle} ${group}`,
          stated,
        };
      }
    }
    const market = draws.pick(trading, 'market', ...name);
    return market ? aboutOne(market, group, quarter, writtenAt, index) : null;
  }

  function aboutOne(
    market: FollowedMarket,
    group: Group,
    quarter: number,
    writtenAt: number,
    index: number,
  ): Draft | null {
    const { pair, history } = market;
    const { symbol } = pair;
    const candidates = history.length === 0 ? [['on the day', onTheDay] as const] : Object.entries(angles);
    const order = candidates
      .map(([angle, tell]) => ({ angle, tell, place: getRank(angle, pair, quarter, index) }))
      .sort((left, right) => left.place - right.place);
    for (const { angle, tell } of order) {
      const found = tell(market, quarter);
      const headline = found && draws.pick(found.phrases, 'words', symbol, quarter, index);
      if (!found || !headline) continue;
      const price = lastPrice(market);
      const { holds, stated } = found;
      return {
        at: writtenAt,
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

  /** At the closing bell, the headline is about the session. */
  function getRank(angle: string, pair: FollowedMarket['pair'], quarter: number, index: number): number {
    if (angle === 'opened' && !tradesAt(pair, quarter)) return -1;
    return draws.unit('angle', angle, pair.symbol, quarter, index);
  }

  return {
    /** The headlines of the quarter of an hour after `quarter`; of one category only, or of all. */
    quarterDrafts(quarter: number, only: Category | null): Draft[] {
      const drafts: Draft[] = [];
      const count = draws.unit('count', quarter) < twiceShare ? perQuarter : 1;
      for (let index = 0; index < count; index += 1) {
        const category = only ?? busyCategoryOf(quarter, index);
        const minutes = 1 + Math.floor((index + draws.unit('minute', quarter, index)) * minutesPerItem);
        const writtenAt = quarter + minutes * minuteMs;
        const draft =
          category === 'economy'
            ? economyDraft(quarter, writtenAt, index)
            : marketDraft(category, quarter, writtenAt, index);
        if (draft) drafts.push(draft);
      }
      return drafts;
    },
    calendarDrafts(): Draft[] {
      return calendar.flatMap((publication) =>
        [
          publication.at <= now ? toReleaseDraft(draws, publication) : null,
          publication.at > now ? toPreviewDraft(draws, publication, now) : null,
          publication.at > now - usualSpanMs ? toReactionDraft(draws, publication, byId) : null,
        ].filter((draft) => draft !== null),
      );
    },
  };
}

const lastPrice = ({ history, daySnapshots }: FollowedMarket): number | null =>
  history.at(-1)?.close ?? daySnapshots.at(-1)?.price ?? null;

const greatTimes = 2;

function jumpDrafts(draws: Draws, { markets }: MarketSnapshot): Draft[] {
  return markets.flatMap((market) => {
    const { pair, jumps, jumpThreshold: jumpFrom } = market;
    const name = getMarketName(pair);
    // Where only the simulation trades, a move has to be great to be written about.
    const isReported = ({ at, percent }: Jump): boolean =>
      tradesAt(pair, at - 1) || Math.abs(percent) >= greatTimes * jumpFrom;
    return jumps.filter(isReported).map(({ at, percent, price }): Draft => {
      const isUp = percent > 0;
      const size = formatPercent(percent, pair);
      const to = formatPrice(price, pair);
      const isGreat = Math.abs(percent) >= greatTimes * jumpFrom;
      const verb = isUp ? (isGreat ? 'surges' : 'jumps') : isGreat ? 'plunges' : 'drops';
      const phrases = [
        `${name} ${verb} ${size} within the hour to ${to}`,
        `${name} ${verb} ${size} in less than an hour, at ${to}`,
        `Sharp move: ${midSentence(name)} ${isUp ? 'up' : 'down'} ${size} within the hour to ${to}`,
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
