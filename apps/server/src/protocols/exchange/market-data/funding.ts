/**
 * What holding a position costs, as funding rates: what a long position pays at a due instant. A short one receives as much of crypto's
 * funding; of the daily financing of other markets it receives less, which one rate cannot say. Past rates are computed as they were
 * charged: the domain's table of base rates is dated.
 */
import {
  formatFixed,
  hourMs,
  nextDueInstant,
  type TimeCostKind,
  timeCostInterval,
  timeCostKindOf,
  timeCostKinds,
  timeCostRate,
} from '@fulcrum/domain';
import type { ListedContract } from '../symbols.ts';
import { marketsBegin } from './exchange-info.ts';

const rateText = (kind: TimeCostKind, dueAt: number): string => formatFixed(timeCostRate(kind, dueAt), 8);

/** What is due next: `now` in ms since the epoch. */
export function nextFunding({ pair }: ListedContract, now: number) {
  const kind = timeCostKindOf(pair.type);
  const nextFundingTime = nextDueInstant(kind, now);
  const rate = rateText(kind, nextFundingTime);
  return { lastFundingRate: rate, interestRate: rate, nextFundingTime };
}

export function toFundingInfo(contract: ListedContract, now: number) {
  const { lastFundingRate } = nextFunding(contract, now);
  return {
    symbol: contract.id,
    adjustedFundingRateCap: lastFundingRate,
    adjustedFundingRateFloor: lastFundingRate,
    fundingIntervalHours: timeCostInterval(timeCostKindOf(contract.pair.type)) / hourMs,
    disclaimer: false as const,
  };
}

interface FundingQuery {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit: number;
}

/** With a beginning the oldest from it on, else the newest; the oldest first. */
export function fundingHistory(
  contracts: readonly ListedContract[],
  { startTime, endTime = Number.POSITIVE_INFINITY, limit }: FundingQuery,
  now: number,
) {
  const to = Math.min(endTime, now);
  const isNewest = startTime === undefined;
  const instants = timeCostKinds
    .flatMap((kind) => {
      const of = contracts.filter(({ pair }) => timeCostKindOf(pair.type) === kind);
      return of.length === 0
        ? []
        : dueInstants(kind, { startTime, to, limit }).map((at) => ({ kind, at, of }));
    })
    .sort((left, right) => (isNewest ? right.at - left.at : left.at - right.at));
  const rows = [];
  for (const { kind, at, of } of instants) {
    if (rows.length >= limit) break;
    const fundingRate = rateText(kind, at);
    for (const { id } of of.slice(0, limit - rows.length))
      rows.push({ symbol: id, fundingRate, fundingTime: at, markPrice: '' as const });
  }
  return isNewest ? rows.reverse() : rows;
}

/** At most `limit` up to `to`, the first ones after a beginning, else the last ones. */
function dueInstants(
  kind: TimeCostKind,
  {
    startTime,
    to,
    limit,
  }: { readonly startTime: number | undefined; readonly to: number; readonly limit: number },
): number[] {
  const every = timeCostInterval(kind);
  const from = Math.max(startTime ?? to - limit * every + 1, marketsBegin);
  const first = nextDueInstant(kind, from - 1);
  const count = Math.min(limit, Math.floor((to - first) / every) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * every);
}
