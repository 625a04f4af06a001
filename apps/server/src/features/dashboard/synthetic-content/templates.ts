/**
 * The templates of headlines about markets. Each reads the bars that were over at an instant, and returns nothing where it has
 * no figure, so a headline stays true; `holds` compares it with the present price as well. The verb states the direction: figures of a move have no sign. `fillTemplate` states
 * the syntax of the phrases.
 */
import { dayMs, hourMs } from '@fulcrum/domain';
import { type FollowedMarket, followedSymbols, quarterMs, usualDayPct } from './followed-markets.ts';
import { formatPercent, formatPrice, getMarketName, percentDecimals } from './wording.ts';

export interface Subject {
  readonly market: FollowedMarket;
  /** The markets of its category that trade, itself included. */
  readonly peers: readonly FollowedMarket[];
  /** The end of a quarter of an hour, ms since the epoch. */
  readonly at: number;
}

export interface Facts {
  /** The market that a reader is led to. */
  readonly symbol: string;
  readonly isUp: boolean;
  /** False when the present price contradicts it: a move has been reversed, or the price has left what was stated. */
  readonly holds: boolean;
  readonly values: Readonly<Record<string, string>>;
}

export const getCategory = ({ pair: { type } }: FollowedMarket) =>
  type === 'crypto' ? 'crypto' : type === 'stock' ? 'stocks' : 'market';
/** What the followed markets of one category are called together. */
const groupNames = { crypto: 'large tokens', stocks: 'large US shares', market: 'followed markets' } as const;

/** The close of the quarter that ended at `instant`. */
export const getCloseAt = ({ quarters }: FollowedMarket, instant: number): number | null =>
  quarters.get(instant - quarterMs)?.close ?? null;

/** Change over the `spanMs` before `at`, in per cent. */
export function getChange(market: FollowedMarket, at: number, spanMs: number): number | null {
  const [price, before] = [getCloseAt(market, at), getCloseAt(market, at - spanMs)];
  return price === null || before === null ? null : (price / before - 1) * 100;
}

/** Whether it reads as zero. */
const isFlat = (percent: number, { pair }: FollowedMarket): boolean =>
  Math.abs(percent) < 0.5 / 10 ** percentDecimals(pair);

/** Whether the present price is between two others, or less than `leewayPct` outside. */
const isBetween = ({ price }: FollowedMarket, low: number, high: number, leewayPct: number): boolean =>
  price === null || (price >= low * (1 - leewayPct / 100) && price <= high * (1 + leewayPct / 100));

export function toFacts(market: FollowedMarket, price: number, percent: number, leewayPct = 0) {
  const { pair } = market;
  const isUp = percent > 0;
  const before = price / (1 + percent / 100);
  return {
    symbol: pair.symbol,
    isUp,
    holds: isUp ? isBetween(market, before, Infinity, leewayPct) : isBetween(market, 0, before, leewayPct),
    values: {
      name: getMarketName(pair),
      price: formatPrice(price, pair),
      size: formatPercent(percent, pair),
    },
  };
}

/** The move over `spanMs`. */
function readMove({ market, at }: Subject, spanMs: number, leewayPct = 0): Facts | null {
  const [percent, price] = [getChange(market, at, spanMs), getCloseAt(market, at)];
  if (percent === null || price === null || isFlat(percent, market)) return null;
  return toFacts(market, price, percent, leewayPct);
}

/** Usual swings reverse the small move of an hour again and again: that takes a usual day's move. */
const readHour = (subject: Subject): Facts | null =>
  readMove(subject, hourMs, usualDayPct[subject.market.pair.type]);

/** An hour whose move reads as zero. */
function readQuietHour({ market, at }: Subject): Facts | null {
  const [percent, price] = [getChange(market, at, hourMs), getCloseAt(market, at)];
  if (percent === null || price === null || !isFlat(percent, market)) return null;
  const holds = isBetween(market, price, price, usualDayPct[market.pair.type]);
  return { ...toFacts(market, price, percent), holds };
}

function readRange(subject: Subject): Facts | null {
  const { market, at } = subject;
  const day = readMove(subject, dayMs);
  if (!day) return null;
  const bars = [...market.quarters].flatMap(([start, bar]) => (start >= at - dayMs && start < at ? bar : []));
  const [low, high] = [Math.min(...bars.map((bar) => bar.low)), Math.max(...bars.map((bar) => bar.high))];
  const { pair } = market;
  return {
    ...day,
    holds: isBetween(market, low, high, usualDayPct[pair.type]),
    values: { ...day.values, low: formatPrice(low, pair), high: formatPrice(high, pair) },
  };
}

/** The strongest and the weakest of its category, where the day of both is known and they went apart. */
function readLeader({ market, peers, at }: Subject): Facts | null {
  const ranked = peers
    .filter(({ pair }) => followedSymbols.includes(pair.symbol))
    .map((peer) => ({ peer, percent: getChange(peer, at, dayMs) ?? 0 }))
    .filter(({ peer, percent }) => !isFlat(percent, peer))
    .sort((left, right) => right.percent - left.percent);
  const [first, last] = [ranked[0], ranked.at(-1)];
  if (!first || !last || first.percent < 0 || last.percent > 0) return null;
  const leader = toFacts(first.peer, getCloseAt(first.peer, at) ?? 0, first.percent);
  const loser = toFacts(last.peer, getCloseAt(last.peer, at) ?? 0, last.percent);
  const { name, size } = loser.values;
  const trailing = { last: name, loss: size, group: groupNames[getCategory(market)] };
  return { ...leader, holds: leader.holds && loser.holds, values: { ...leader.values, ...trailing } };
}

/** What the provider of a polled market stated about its day in the quarter that ended at `at`. */
function readDayFigures({ market, at }: Subject): Facts | null {
  const seen = market.daySnapshots.find((one) => one.at >= at - quarterMs && one.at < at);
  return seen && !isFlat(seen.dayPercent, market) ? toFacts(market, seen.price, seen.dayPercent) : null;
}

interface Template {
  readonly name: string;
  readonly read: (subject: Subject) => Facts | null;
  readonly phrases: readonly string[];
}

export const marketTemplates: readonly Template[] = [
  {
    name: 'hour',
    read: readHour,
    phrases: [
      '{name} [adds|gives up] {size} in an hour to {price}',
      '{name} [gains|slips] {size} over the past hour, at {price}',
      '{name} at {price}, {size} [above|below] an hour ago',
    ],
  },
  {
    name: 'quiet',
    read: readQuietHour,
    phrases: ['{name} little changed over the past hour at {price}', 'Quiet hour for {name} at {price}'],
  },
  {
    name: 'day',
    read: (subject) => readMove(subject, dayMs),
    phrases: [
      '{name} [up|down] {size} over 24 hours at {price}',
      '{name} trades at {price}, {size} [above|below] this time yesterday',
      '24 hours [add|cost] {name} {size}, last at {price}',
    ],
  },
  {
    name: 'since midnight',
    read: (subject) => readMove(subject, subject.at % dayMs),
    phrases: [
      '{name} {size} [higher|lower] since 00:00 UTC at {price}',
      'Since 00:00 UTC: {name} [up|down] {size} to {price}',
    ],
  },
  {
    name: 'range',
    read: readRange,
    phrases: ['{name} between {low} and {high} in 24 hours', '24-hour range of {name}: {low} to {high}'],
  },
  {
    name: 'leader',
    read: readLeader,
    phrases: [
      '{name} leads {group} over 24 hours, up {size}; {last} trails, down {loss}',
      'Strongest and weakest of {group} in 24 hours: {name} up {size}, {last} down {loss}',
    ],
  },
  {
    name: 'day figures',
    read: readDayFigures,
    phrases: [
      '{name} [up|down] {size} on the day at {price}',
      '{name} at {price}, a [gain|loss] of {size} on the day',
    ],
  },
];

export const jumpPhrases: readonly string[] = [
  '{name} [jumps|drops] {size} within the hour to {price}',
  'Sharp move: {name} [up|down] {size} within the hour to {price}',
];

export const publicationPhrases = {
  release: [
    '{name} at {actual}, {verdict} the forecast of {forecast}',
    '{name}: {actual} after {previous}, {verdict} the forecast of {forecast}',
  ],
  upcoming: [
    '{name} due {when}, forecast {forecast}',
    'Next up {when}: {name}, {forecast} expected after {previous}',
    'Calendar: {name} {when}, {previous} last time',
  ],
  speech: ['On the calendar {when}: {name}', 'Still to come: {name} {when}'],
} as const;
