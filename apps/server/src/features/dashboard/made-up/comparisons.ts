/** The ways to tell how markets stand to each other, at an instant; nothing where one of them is not known. */
import { dayMs, hourMs } from '@fulcrum/domain';
import type { Stated } from './drafts.ts';
import type { Followed } from './followed.ts';
import { changeOver, priceAt } from './tape.ts';
import { figure, isFlat, nameOf, percentText, signedPercentText, within } from './wording.ts';

export interface Compared {
  readonly angle: string;
  /** The market that a reader is led to; null: none in particular. */
  readonly symbol: string | null;
  readonly phrases: readonly string[];
  readonly stated: readonly Stated[];
}

/** What the markets of one category are called together. */
const groupNames = {
  crypto: 'large tokens',
  stocks: 'large US shares',
  market: 'followed markets',
} as const;
export type Group = keyof typeof groupNames;

const leastMarkets = 4;

function moves(markets: readonly Followed[], at: number, spanMs: number) {
  return markets
    .flatMap((market) => {
      const percent = changeOver(market.tape, at, spanMs);
      return percent === null ? [] : [{ market, percent }];
    })
    .sort((left, right) => right.percent - left.percent);
}

function breadth(markets: readonly Followed[], group: Group, at: number, spanMs: number): Compared | null {
  const all = moves(markets, at, spanMs);
  if (all.length < leastMarkets) return null;
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

function leader(markets: readonly Followed[], group: Group, at: number): Compared | null {
  const all = moves(markets, at, dayMs);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || all.length < leastMarkets) return null;
  const [best, worst] = [nameOf(first.market.pair), nameOf(last.market.pair)];
  const [up, down] = [first, last].map(({ market, percent }) => signedPercentText(percent, market.pair));
  return {
    angle: 'leader',
    symbol: first.market.pair.symbol,
    stated: [stateDay(first.market, at, first.percent), stateDay(last.market, at, last.percent)],
    phrases: [
      `${best} leads ${groupNames[group]} over 24 hours at ${up}, ${within(worst)} trails at ${down}`,
      `Strongest and weakest of ${groupNames[group]} in 24 hours: ${within(best)} ${up}, ${within(worst)} ${down}`,
    ],
  };
}

const stateDay = ({ pair }: Followed, at: number, value: number): Stated => ({
  is: 'change',
  symbol: pair.symbol,
  at,
  spanMs: dayMs,
  value,
});

function pairOff(markets: readonly Followed[], at: number, choice: number): Compared | null {
  const all = moves(markets, at, dayMs);
  const ahead = all[Math.floor(choice * (all.length - 1))];
  const behind = all[Math.floor(choice * (all.length - 1)) + 1];
  if (!ahead || !behind) return null;
  const [first, second] = [ahead, behind].map(({ market, percent }) => ({
    name: nameOf(market.pair),
    percent: signedPercentText(percent, market.pair),
  }));
  if (!first || !second || first.percent === second.percent) return null;
  return {
    angle: 'pair',
    symbol: ahead.market.pair.symbol,
    stated: [stateDay(ahead.market, at, ahead.percent), stateDay(behind.market, at, behind.percent)],
    phrases: [
      `${first.name} ahead of ${within(second.name)} over 24 hours, ${first.percent} to ${second.percent}`,
      `${second.name} lags ${within(first.name)} over 24 hours, ${second.percent} against ${first.percent}`,
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
  byId: ReadonlyMap<string, Followed>,
  group: Group,
  at: number,
  choice: number,
): Compared | null {
  const offered = ratios.filter((one) => one.group === group);
  const chosen = offered[Math.floor(choice * offered.length)];
  if (!chosen) return null;
  const first = priceAt(byId.get(chosen.of)?.tape ?? [], at);
  const second = priceAt(byId.get(chosen.to)?.tape ?? [], at);
  if (first === null || second === null) return null;
  return {
    angle: `ratio ${chosen.of} ${chosen.to}`,
    symbol: chosen.of,
    phrases: chosen.phrases(figure(chosen.between(first, second), chosen.decimals)),
    stated: [],
  };
}

/** How much a spread of two crudes is, whichever is dearer. */
function crudes(byId: ReadonlyMap<string, Followed>, group: Group, at: number): Compared | null {
  const brent = priceAt(byId.get('BCOUSD')?.tape ?? [], at);
  const wti = priceAt(byId.get('WTIUSD')?.tape ?? [], at);
  if (group !== 'market' || brent === null || wti === null) return null;
  const gap = figure(Math.abs(brent - wti), 2);
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
  markets: readonly Followed[],
  group: Group,
  at: number,
  choice: number,
): readonly (() => Compared | null)[] {
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
function middle(markets: readonly Followed[], group: Group, at: number): Compared | null {
  const all = moves(markets, at, dayMs);
  const found = all[all.length >> 1];
  if (!found || all.length < leastMarkets || isFlat(found.percent, found.market.pair)) return null;
  return {
    angle: 'middle',
    symbol: null,
    stated: [stateDay(found.market, at, found.percent)],
    phrases: [
      `The middle one of ${all.length} ${groupNames[group]} ${found.percent > 0 ? 'up' : 'down'} ${percentText(found.percent, found.market.pair)} in 24 hours`,
    ],
  };
}
