/**
 * The news feed: candidate headlines on the markets and the calendar, and the ten that are shown. Every quarter of an hour
 * adds one or two, drawn from the seed and the quarter; jumps and publications are added at their own time.
 * Invariants: ten items, no two with the same text; each figure is one that the market or the calendar showed by the item's
 * time; while no newer item comes and no price contradicts one, the ten stay the same. A jump stays whatever follows: it tells
 * of its hour.
 * Known limitation: until its quarter of an hour is over, a jump has the time of the reading.
 */
import type { NewsItem } from '@fulcrum/contract';
import { dayMs, hourMs, isMarketOpen, minuteMs } from '@fulcrum/domain';
import { formatIndicator, listPublications, type Publication } from './calendar.ts';
import { type Draw, pick, shuffle } from './draws.ts';
import { type ContentInput, type FollowedMarket, quarterMs, usualDayPct } from './followed-markets.ts';
import {
  getCategory,
  getCloseAt,
  jumpPhrases,
  marketTemplates,
  publicationPhrases,
  toFacts,
} from './templates.ts';
import { fillTemplate, formatWhen } from './wording.ts';

interface Draft extends Omit<NewsItem, 'id' | 'at'> {
  /** Ms since the epoch, a whole minute. */
  readonly at: number;
  readonly template: string;
  /** With the template it names the item. */
  readonly about: string;
}

const usualSpanMs = 12 * hourMs;
/** Over a weekend, the last session of shares is so far away. */
const longestSpanMs = 80 * hourMs;
const twiceShare = 0.45;
const minutesPerItem = 5;

/** The headline with that number of the quarter of an hour after `at`, about one of `trading`. */
function toMarketDraft(draw: Draw, trading: readonly FollowedMarket[], at: number, index: number): Draft[] {
  const [category] = shuffle(draw, [...new Set(trading.map(getCategory))], String, at, index);
  const peers = trading.filter((market) => getCategory(market) === category);
  const [market] = shuffle(draw, peers, ({ pair }) => pair.symbol, at, index);
  if (!category || !market) return [];
  for (const template of shuffle(draw, marketTemplates, ({ name }) => name, at, index)) {
    const facts = template.read({ market, peers, at });
    if (!facts) continue;
    // No other template instead: nobody saw that headline at its time.
    if (!facts.holds) return [];
    const minute = 1 + Math.floor((index + draw('minute', at, index)) * minutesPerItem);
    const headline = fillTemplate(pick(draw, template.phrases, 'phrase', at, index), facts);
    const about = `${facts.symbol} ${at} ${index}`;
    const { symbol } = facts;
    return [{ at: at + minute * minuteMs, category, headline, symbol, template: template.name, about }];
  }
  return [];
}

/** The last twelve hours, and before them as far as the last session of each category. */
function listMarketDrafts(draw: Draw, { now, markets }: ContentInput): Draft[] {
  const known = markets.filter(({ quarters, daySnapshots }) => quarters.size + daySnapshots.length > 0);
  const missing = new Set<string>(known.map(getCategory));
  const drafts: Draft[] = [];
  for (let at = now - (now % quarterMs); at > now - longestSpanMs; at -= quarterMs) {
    const isOld = at <= now - usualSpanMs;
    if (isOld && missing.size === 0) break;
    const candidates = isOld ? known.filter((market) => missing.has(getCategory(market))) : known;
    // Whatever hours the simulation uses, no headline is about shares on a Sunday.
    const trading = candidates.filter(({ pair }) => isMarketOpen(pair.tradingHours, at - 1));
    const count = draw('count', at) < twiceShare ? 2 : 1;
    for (let index = 0; index < count; index += 1)
      for (const draft of toMarketDraft(draw, trading, at, index)) {
        if (draft.at > now) continue;
        missing.delete(draft.category);
        drafts.push(draft);
      }
  }
  return drafts;
}

/** Of each hour the price furthest from the hour's first one, if that is as far as on a usual day. */
function listJumpDrafts(draw: Draw, market: FollowedMarket, now: number): Draft[] {
  const { pair, quarters, running } = market;
  const minute = now - (now % minuteMs);
  const hours = Array.from(
    { length: usualSpanMs / hourMs },
    (_, back) => now - (now % hourMs) - back * hourMs,
  );
  return hours.flatMap((hour) => {
    const first = getCloseAt(market, hour);
    if (first === null) return [];
    const prices = [0, 1, 2, 3].flatMap((index) => {
      const start = hour + index * quarterMs;
      const bar = running?.start === start ? running : quarters.get(start);
      const at = Math.min(start + quarterMs, minute);
      return bar
        ? [bar.high, bar.low].map((price) => ({ at, price, percent: (price / first - 1) * 100 }))
        : [];
    });
    const [furthest] = prices.sort((left, right) => Math.abs(right.percent) - Math.abs(left.percent));
    if (!furthest || Math.abs(furthest.percent) < usualDayPct[pair.type]) return [];
    const { at, price, percent } = furthest;
    const { symbol } = pair;
    const phrase = pick(draw, jumpPhrases, 'jump', symbol, hour);
    const headline = fillTemplate(phrase, toFacts(market, price, percent));
    const category = getCategory(market);
    return [{ at, category, headline, symbol, template: 'jump', about: `${symbol} ${hour}` }];
  });
}

const publicationsBackMs = 14 * dayMs;
const leadMsMin = 15 * minuteMs;
const leadMsMax = 30 * hourMs;
const regionNames: Readonly<Record<string, string>> = {
  ...{ US: 'US', EU: 'Euro-area', DE: 'German', GB: 'UK', CH: 'Swiss', JP: 'Japanese' },
  ...{ CN: 'Chinese', AU: 'Australian', CA: 'Canadian', NZ: 'New Zealand' },
};

/** An event before it is out, or its figures a minute after: in the calendar's own format, and never before it is out. */
function toPublicationDraft(draw: Draw, { indicator, at, figures }: Publication, now: number): Draft[] {
  const { id, country, title, kind, impact } = indicator;
  const isOut = at <= now;
  if (isOut ? !figures : impact === 'low') return [];
  const lead = Math.floor((leadMsMin + draw('lead', id, at) * (leadMsMax - leadMsMin)) / minuteMs);
  const writtenAt = isOut ? at + minuteMs : at - lead * minuteMs;
  const template = isOut ? 'release' : figures ? 'upcoming' : 'speech';
  const { actual, forecast, previous } = figures ?? { actual: 0, forecast: 0, previous: 0 };
  const values = {
    name: kind === 'policy' || kind === 'speech' ? title : `${regionNames[country]} ${title}`,
    when: formatWhen(at, writtenAt),
    actual: formatIndicator(indicator, actual),
    forecast: formatIndicator(indicator, forecast),
    previous: formatIndicator(indicator, previous),
    verdict: actual === forecast ? 'in line with' : actual > forecast ? 'above' : 'below',
  };
  const phrase = pick(draw, publicationPhrases[template], template, id, at);
  const headline = fillTemplate(phrase, { values, isUp: actual > previous });
  return [{ at: writtenAt, category: 'economy', headline, symbol: null, template, about: `${id} ${at}` }];
}

const itemsMax = 10;
const categoryMax = 5;
const sameMax = 2;
const jumpsMax = 3;
const jumpAgeMsMax = 3 * hourMs;

/** The ten, newest first: recent jumps, the newest of each category, the newest with few of a kind, and any others. */
function chooseTen(drafts: readonly Draft[], now: number): Draft[] {
  const newest = [...drafts].sort((left, right) => right.at - left.at);
  const chosen: Draft[] = [];
  const count = (is: (one: Draft) => boolean): number => chosen.filter(is).length;
  const passes: readonly ((draft: Draft) => boolean)[] = [
    ({ template, at }) => template === 'jump' && at > now - jumpAgeMsMax && chosen.length < jumpsMax,
    ({ category }) => count((one) => one.category === category) === 0,
    ({ category, symbol, template }) =>
      count((one) => one.category === category) < categoryMax &&
      (symbol === null || count((one) => one.symbol === symbol) < sameMax) &&
      count((one) => one.template === template) < sameMax,
    () => true,
  ];
  for (const fits of passes)
    for (const draft of newest)
      if (chosen.length < itemsMax && fits(draft) && !chosen.some((one) => one.headline === draft.headline))
        chosen.push(draft);
  return chosen.sort((left, right) => right.at - left.at);
}

/** The ten simulated items of the news feed (DASH-33, DASH-34). */
export function getTenNews(draw: Draw, input: ContentInput): NewsItem[] {
  const { now, markets } = input;
  const publications = listPublications(draw, now - publicationsBackMs, now + leadMsMax);
  const drafts = [
    ...markets.flatMap((market) => listJumpDrafts(draw, market, now)),
    ...publications.flatMap((publication) => toPublicationDraft(draw, publication, now)),
    ...listMarketDrafts(draw, input),
  ];
  const past = drafts.filter(({ at }) => at <= now);
  return chooseTen(past, now).map(({ at, category, headline, symbol, template, about }) => {
    return { id: `${template} ${about}`, at: new Date(at).toISOString(), category, headline, symbol };
  });
}
