/**
 * The banner's live figures, outside React: present equity and the day's result. Both use the same wallet, positions
 * and prices as the trading screen.
 */
import {
  asMoney,
  dayMs,
  type EquityBaseline,
  parseDecimal,
  resultSince,
  returnSince,
  toNumber,
} from '@fulcrum/domain';
import { useMemo } from 'react';
import {
  createEquitySource,
  createTotalPnlSource,
  useOpenPositions,
  useWallet,
} from '../../../shared/account/index.ts';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import { usePriceStream } from '../../market/index.ts';

/** The account at the start of a day, as read from the server. */
export interface DayStart {
  /** ISO 8601, 00:00 UTC. */
  readonly since: string;
  readonly equity: number;
  readonly net_deposits: number;
}

/** A point of the curve, USDT. */
export interface CurveSample {
  readonly equity: number;
  /** Equity less deposits. */
  readonly result: number;
}

/** Null while the equity is, and once that day is over: yesterday's result is not today's. */
function followDay(
  equity: LiveSource,
  day: DayStart,
  now: () => number,
  figure: (equityNow: ReturnType<typeof asMoney>, baseline: EquityBaseline) => number | null,
): LiveSource {
  const baseline: EquityBaseline = {
    equity: asMoney(parseDecimal(day.equity)),
    netDeposits: asMoney(parseDecimal(day.net_deposits)),
  };
  const ends = Date.parse(day.since) + dayMs;
  return {
    subscribe: equity.subscribe,
    get: () => {
      const present = equity.get();
      if (present == null || now() >= ends) return null;
      return figure(asMoney(parseDecimal(present)), baseline);
    },
  };
}

/** USDT. */
export const followResult = (equity: LiveSource, day: DayStart, now = Date.now): LiveSource =>
  followDay(equity, day, now, (present, baseline) => toNumber(resultSince(present, baseline)));

/** Per cent. */
export const followReturn = (equity: LiveSource, day: DayStart, now = Date.now): LiveSource =>
  followDay(equity, day, now, (present, baseline) => {
    const share = returnSince(present, baseline);
    return share === null ? null : toNumber(share);
  });

/** The trading result since the curve's first point: its last figure, moved by the present equity. USDT. */
export const followCurve = (equity: LiveSource, first: CurveSample, last: CurveSample): LiveSource => {
  const baseline: EquityBaseline = {
    equity: asMoney(parseDecimal(last.equity) - parseDecimal(last.result) + parseDecimal(first.result)),
    netDeposits: asMoney(0n),
  };
  return {
    subscribe: equity.subscribe,
    get: () => {
      const present = equity.get();
      return present == null ? null : toNumber(resultSince(asMoney(parseDecimal(present)), baseline));
    },
  };
};

/** Null until wallet and positions are loaded. */
export function useEquitySources() {
  const stream = usePriceStream();
  const { data: positions } = useOpenPositions();
  const { data: wallet } = useWallet();
  const balance = wallet === undefined ? undefined : (wallet?.balance ?? 0);
  return useMemo(() => {
    if (!positions || balance === undefined) return null;
    return {
      equity: createEquitySource(stream, positions, balance),
      unrealized: createTotalPnlSource(stream, positions),
    };
  }, [stream, positions, balance]);
}
