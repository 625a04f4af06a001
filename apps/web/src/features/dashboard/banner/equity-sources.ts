/**
 * The banner's live figures, outside React: equity now, and what of it today made. Both come from the same wallet, positions and
 * prices as on the trading screen.
 */
import { asMoney, parseDecimal, resultSince, returnSince, type Standing, toNumber } from '@fulcrum/domain';
import { useMemo } from 'react';
import { followEquity, followTotalPnl, useOpenPositions, useWallet } from '../../../shared/account/index.ts';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import { usePriceStream } from '../../market/index.ts';

const dayMs = 86_400_000;

/** The account at the start of a day, as the server tells it. */
export interface DayStart {
  /** ISO 8601, 00:00 UTC. */
  readonly since: string;
  readonly equity: number;
  readonly net_deposits: number;
}

/** A point of the curve, USDT. */
export interface CurveStanding {
  readonly equity: number;
  /** Equity less what was paid in. */
  readonly result: number;
}

/** Null while the equity is, and once that day is over: yesterday's result is not today's. */
function followDay(
  equity: LiveSource,
  day: DayStart,
  now: () => number,
  figure: (equityNow: ReturnType<typeof asMoney>, then: Standing) => number | null,
): LiveSource {
  const then: Standing = {
    equity: asMoney(parseDecimal(day.equity)),
    netDeposits: asMoney(parseDecimal(day.net_deposits)),
  };
  const ends = Date.parse(day.since) + dayMs;
  return {
    subscribe: equity.subscribe,
    get: () => {
      const present = equity.get();
      if (present == null || now() >= ends) return null;
      return figure(asMoney(parseDecimal(present)), then);
    },
  };
}

/** USDT. */
export const followResult = (equity: LiveSource, day: DayStart, now = Date.now): LiveSource =>
  followDay(equity, day, now, (present, then) => toNumber(resultSince(present, then)));

/** Per cent. */
export const followReturn = (equity: LiveSource, day: DayStart, now = Date.now): LiveSource =>
  followDay(equity, day, now, (present, then) => {
    const share = returnSince(present, then);
    return share === null ? null : toNumber(share);
  });

/** What trading made of the account since the curve's first point: its last figure, moved on by the equity of now. USDT. */
export const followCurve = (equity: LiveSource, first: CurveStanding, last: CurveStanding): LiveSource => {
  const then: Standing = {
    equity: asMoney(parseDecimal(last.equity) - parseDecimal(last.result) + parseDecimal(first.result)),
    netDeposits: asMoney(0n),
  };
  return {
    subscribe: equity.subscribe,
    get: () => {
      const present = equity.get();
      return present == null ? null : toNumber(resultSince(asMoney(parseDecimal(present)), then));
    },
  };
};

/** Null until wallet and positions are there. */
export function useEquitySources() {
  const stream = usePriceStream();
  const { data: positions } = useOpenPositions();
  const { data: wallet } = useWallet();
  const balance = wallet === undefined ? undefined : (wallet?.balance ?? 0);
  return useMemo(() => {
    if (!positions || balance === undefined) return null;
    return {
      equity: followEquity(stream, positions, balance),
      unrealized: followTotalPnl(stream, positions),
    };
  }, [stream, positions, balance]);
}
