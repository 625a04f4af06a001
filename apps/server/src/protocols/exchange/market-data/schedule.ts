/**
 * The sessions of markets that shut, as Binance publishes those of stocks: a week from yesterday's midnight (UTC) on, in
 * sessions that follow one another. Each timetable of a market has a name, which is the `underlyingType` of its symbols.
 */
import { dayMs, type MarketType, nextClosing, nextOpening, weekMs } from '@fulcrum/domain';
import type { ListedContract, Listing } from '../symbols.ts';

const names: Readonly<Record<MarketType, string>> = {
  crypto: 'COIN',
  stock: 'EQUITY',
  forex: 'FOREX',
  commodity: 'COMMODITY',
  index: 'INDEX',
};

/** By the name of the timetable: the market's own for the commonest one, with a number for the others. */
export function contractsByTimetable({ all }: Listing): ReadonlyMap<string, readonly ListedContract[]> {
  const byMarket = Map.groupBy(all, ({ pair }) => pair.type);
  return new Map(
    [...byMarket].flatMap(([market, contracts]) =>
      [...Map.groupBy(contracts, ({ pair }) => pair.tradingHours).values()]
        .sort((left, right) => right.length - left.length)
        .map((same, index) => [index === 0 ? names[market] : `${names[market]}_${index + 1}`, same] as const),
    ),
  );
}

export interface Session {
  readonly startTime: number;
  readonly endTime: number;
  readonly type: 'REGULAR' | 'NO_TRADING';
}

/** `now` in ms since the epoch. */
export function sessionsOfWeek(tradingHours: string, now: number): Session[] {
  const from = (Math.floor(now / dayMs) - 1) * dayMs;
  const to = from + weekMs;
  const sessions: Session[] = [];
  for (let startTime = from; startTime < to; ) {
    const opening = nextOpening(tradingHours, startTime) ?? to;
    const isOpen = opening === startTime;
    const end = isOpen ? (nextClosing(tradingHours, startTime) ?? to) : opening;
    const endTime = Math.min(end, to);
    sessions.push({ startTime, endTime, type: isOpen ? 'REGULAR' : 'NO_TRADING' });
    startTime = endTime;
  }
  return sessions;
}
