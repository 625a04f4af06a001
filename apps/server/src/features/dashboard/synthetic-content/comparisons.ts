/** Angles that compare markets at an instant; they return nothing where one of the markets is unknown. */
import { dayMs, hourMs } from '@fulcrum/domain';
import type { StatedFigure } from './drafts.ts';
import type { FollowedMarket } from './followed-markets.ts';
import { changeOver, priceAt } from './price-history.ts';
import {
  formatFigure,
  formatPercent,
  formatSignedPercent,
  getMarketName,
  isFlat,
  midSentence,
} from './wording.ts';

export interface Comparison {
  readonly angle: string;
  /** The market that a reader is led to; null: none in particular. */
  readonly symbol: string | null;
  readonly phrases: readonly string[];
  readonly stated: readonly StatedFigure[];
}

/** What the markets of one category are called together. */
const groupNames = {
  crypto: 'large tokens',
  stocks: 'large US shares',
  market: 'followed markets',
} as const;
export type Group = keyof typeof groupNames;

const marketsMin = 4;

function moves(markets: readonly FollowedMarket[], at: number, spanMs: number) {
  return markets
    .flatMap((market) => {
      const percent = changeOver(market.history, at, spanMs);
      return percent === null ? [] : [{ market, percent }];
    })
    .sort((left, right) => right.percent - left.percent);
}

function breadth(
  markets: readonly FollowedMarket[],
  group: Group,
  at: number,
  spanMs: number,
): Comparison | null {
  const all = moves(markets, at, spanMs);
  if (all.length < marketsMin) return null;
  const higher = all.filter(({ percent }) => percent > 0).length;
  const span = spanMs === hourMs ? 'an hour' : 'a day';
  const name = groupNames[group];
  return {
    angle: `breadth of ${span}`,
    symbol: null,
    stated: [],
    phrases: [
      `${higher} of ${all.length} ${name} stand higher than ${span} ago`,
      higher * 2 > all.length
        ? `Most ${name} above their prices of ${span} ago, ${higher} of ${all.length}`
        : `${all.length - higher} of ${all.length} ${name} no higher than ${span} ago`,
    ],
  };
}

function leader(markets: readonly FollowedMarket[], group: Group, at: number): Comparison | null {
  const all = moves(markets, at, dayMs);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || all.length < marketsMin) return null;
  const [best, worst] = [getMarketName(first.market.pair), getMarketName(last.market.pair)];
  const [up, down] = [first, last].map(({ market, percent }) => formatSignedPercent(percent, market.pair));
  return {
    angle: 'leader',
    symbol: first.market.pair.symbol,
    stated: [stateDay(first.market, at, first.percent), stateDay(last.market, at, last.percent)],
    phrases: [
      `${best} leads ${groupNames[group]} over 24 hours at ${up}, ${midSentence(worst)} trails at ${down}`,
      `Strongest and weakest of ${groupNames[group]} in 24 hours: ${midSentence(best)} ${up}, ${midSentence(worst)} ${down}`,
    ],
  };
}

const stateDay = ({ pair }: FollowedMarket, at: number, value: number): StatedFigure => ({
  is: 'change',
  symbol: pair.symbol,
  at,
  spanMs: dayMs,
  value,
});

function pairOff(markets: readonly FollowedMarket[], at: number, choice: number): Comparison | null {
  const all = moves(markets, at, dayMs);
  const ahead = all[Math.floor(choice * (all.length - 1))];
  const behind = all[Math.floor(choice * (all.length - 1)) + 1];
  if (!ahead || !behind) return null;
  const [first, second] = [ahead, behind].map(({ market, percent }) => ({
    name: getMarketName(market.pair),
    percent: formatSignedPercent(percent, market.pair),
  }));
  if (!first || !second || first.percent === second.percent) return null;
  return {
    angle: 'pair',
    symbol: ahead.market.pair.symbol,
    stated: [stateDay(ahead.market, at, ahead.percent), stateDay(behind.market, at, behind.percent)],
    phrases: [
      `${first.name} ahead of ${midSentence(second.name)} over 24 hours, ${first.percent} to ${second.percent}`,
      `${second.name} lags ${midSentence(first.name)} over 24 hours, ${second.percent} against ${first.percent}`,
    ],
  };
}

interface Ratio {
  readonly group: Group;
  readonly of: string;
  readonly to: string;
  readonly decimals: number;
  readonly between: (first: number, second: number) => number;
  readonly phrases: (figure: string) => readonly string[];
}

const quotient = (first: number, second: number): number => first / second;
const ratios: readonly Ratio[] = [
  {
    group: 'market',
    of: 'XAUUSD',
    to: 'XAGUSD',
    decimals: 1,
    between: quotient,
    phrases: (text) => [`One ounce of gold buys ${text} ounces of silver`, `Gold-silver ratio at ${text}`],
  },
  {
    group: 'crypto',
    of: 'ETHUSDT',
    to: 'BTCUSDT',
    decimals: 5,
    between: quotient,
    phrases: (text) => [`One ether buys ${text} bitcoin`, `Ether at ${text} in bitcoin terms`],
  },
  {
    group: 'crypto',
    of: 'SOLUSDT',
    to: 'ETHUSDT',
    decimals: 4,
    between: quotient,
    phrases: (text) => [`Solana at ${text} in ether terms`],
  },
  {
    group: 'market',
    of: 'XAUUSD',
    to: 'WTIUSD',
    decimals: 1,
    between: quotient,
    phrases: (text) => [`One ounce of gold buys ${text} barrels of WTI crude`],
  },
];

function ratio(
  byId: ReadonlyMap<string, FollowedMarket>,
  group: Group,
  at: number,
  choice: number,
): Comparison | null {
  const offered = ratios.filter((one) => one.group === group);
  const chosen = offered[Math.floor(choice * offered.length)];
  if (!chosen) return null;
  const first = priceAt(byId.get(chosen.of)?.history ?? [], at);
  const second = priceAt(byId.get(chosen.to)?.history ?? [], at);
  if (first === null || second === null) return null;
  return {
    angle: `ratio ${chosen.of} ${chosen.to}`,
    symbol: chosen.of,
    phrases: chosen.phrases(formatFigure(chosen.between(first, second), chosen.decimals)),
    stated: [],
  };
}

/** How much a spread of two crudes is, whichever is dearer. */
function crudes(byId: ReadonlyMap<string, FollowedMarket>, group: Group, at: number): Comparison | null {
  const brent = priceAt(byId.get('BCOUSD')?.history ?? [], at);
  const wti = priceAt(byId.get('WTIUSD')?.history ?? [], at);
  if (group !== 'market' || brent === null || wti === null) return null;
  const gap = formatFigure(Math.abs(brent - wti), 2);
  return {
    angle: 'crudes',
    symbol: 'BCOUSD',
    stated: [],
    phrases: [
      `Brent crude ${gap} dollars ${brent >= wti ? 'above' : 'below'} WTI`,
      `Gap between the two crudes at ${gap} dollars a barrel`,
    ],
  };
}

/** @param choice in [0, 1), decides where several would do */
export function comparisons(
  markets: readonly FollowedMarket[],
  group: Group,
  at: number,
  choice: number,
): readonly (() => Comparison | null)[] {
  const byId = new Map(markets.map((market) => [market.pair.symbol, market]));
  return [
    () => leader(markets, group, at),
    () => breadth(markets, group, at, hourMs),
    () => breadth(markets, group, at, dayMs),
    () => pairOff(markets, at, choice),
    () => ratio(byId, group, at, choice),
    () => crudes(byId, group, at),
    () => middle(markets, group, at),
  ];
}

/** The market in the middle of the ranking: half of them did better. */
function middle(markets: readonly FollowedMarket[], group: Group, at: number): Comparison | null {
  const all = moves(markets, at, dayMs);
  const found = all[all.length >> 1];
  if (!found || all.length < marketsMin || isFlat(found.percent, found.market.pair)) return null;
  return {
    angle: 'middle',
    symbol: null,
    stated: [stateDay(found.market, at, found.percent)],
    phrases: [
      `The middle one of ${all.length} ${groupNames[group]} ${found.percent > 0 ? 'up' : 'down'} ${formatPercent(found.percent, found.market.pair)} in 24 hours`,
    ],
  };
}
