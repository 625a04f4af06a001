/**
 * The performance of an account, from its ledger, its closed positions and its equity snapshots. Amounts in USDT
 * after fees, per cents as numbers of per cent. A figure without a meaning yet (no trades, no losses) is null and
 * never 0.
 */
import { sides } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { query, traderReads } from './procedure.ts';

const instant = z.string();
const sum = z.number();

/** A closed position, or a closed part of one, is a trade. */
const tradeRef = z.object({ id, symbol: z.string(), net_pnl: sum, closed_at: instant });

export const performance = z.object({
  /** The requested range; null is no bound. */
  from: instant.nullable(),
  to: instant.nullable(),
  time_zone: z.string(),
  /** Closed in the range. */
  trades: z.number().int(),
  wins: z.number().int(),
  losses: z.number().int(),
  /** A result of exactly 0 after fees. */
  break_even: z.number().int(),
  gross_pnl: sum,
  fees: sum,
  /** Of net positions: received above 0, paid below. In the net result, as fees are. */
  funding: sum,
  net_pnl: sum,
  /** Wins of all trades. */
  win_rate: z.number().nullable(),
  /** Sum of the wins; sum of the losses as a positive number. */
  gross_profit: sum,
  gross_loss: sum,
  /** `gross_profit / gross_loss`; null without a loss. */
  profit_factor: z.number().nullable(),
  /** Net result of a trade on average. */
  expectancy: z.number().nullable(),
  average_win: z.number().nullable(),
  /** Negative. */
  average_loss: z.number().nullable(),
  /** Net result over what the first stop loss put at risk, on average of those that had one. */
  average_r: z.number().nullable(),
  r_trades: z.number().int(),
  average_holding_s: z.number().nullable(),
  median_holding_s: z.number().nullable(),
  best: tradeRef.nullable(),
  worst: tradeRef.nullable(),
  /**
   * The deepest fall of the result from its highest point, and when; both positive. `percent` is that of the
   * account's unit value, which may be another fall (packages/domain/src/equity-curve.ts). Deposits and withdrawals
   * do not count. Null while nothing fell.
   */
  max_drawdown: z.object({ amount: sum, percent: z.number(), from: instant, to: instant }).nullable(),
  /** Oldest first, at most 400, including the extremes. */
  curve: z.array(
    z.object({
      at: instant,
      equity: sum,
      /** Equity less net deposits since the start of the range: the result of trading. */
      result: sum,
      /** The unit value below its highest so far, in per cent; 0 to -100. */
      drawdown: z.number(),
    }),
  ),
  /** The largest absolute result first; at most 50, `others` sums up the rest. */
  by_symbol: z.array(
    z.object({ symbol: z.string(), trades: z.number().int(), wins: z.number().int(), net_pnl: sum }),
  ),
  others: z.object({ symbols: z.number().int(), trades: z.number().int(), net_pnl: sum }).nullable(),
  /** Long, then short; a side without a trade is there, too. */
  by_side: z.array(
    z.object({
      side: z.enum(sides),
      trades: z.number().int(),
      wins: z.number().int(),
      /** Wins of its trades; null without any. */
      win_rate: z.number().nullable(),
      net_pnl: sum,
    }),
  ),
  /** By the day of the close in `time_zone`, oldest first, at most the latest 366 with a trade. */
  by_day: z.array(z.object({ /** `YYYY-MM-DD`. */ day: z.string(), trades: z.number().int(), net_pnl: sum })),
  /** 24 of them, by the hour of the close in `time_zone`. */
  by_hour: z.array(z.object({ hour: z.number().int(), trades: z.number().int(), net_pnl: sum })),
  /**
   * Of an account with net positions, from the executions and the funding of the range:
   * `gross - spread - impact - latency - fees + funding = net`. `gross` is what the fills would have realized at the middle of the
   * market, `net` what they have. Costs of what is still open are in it, its result is not. Null for other accounts.
   */
  costs: z
    .object({
      fills: z.number().int(),
      gross: sum,
      spread: sum,
      impact: sum,
      latency: sum,
      fees: sum,
      funding: sum,
      net: sum,
    })
    .nullable(),
  /**
   * True when there were more trades (50,000) or equity snapshots (100,000) than the server reads; it reads the
   * latest ones.
   */
  truncated: z.boolean(),
});
export type Performance = z.infer<typeof performance>;

export const getPerformance = query('get_performance', {
  ...traderReads,
  args: z.strictObject({
    /** ISO 8601; of the close. `p_to` is not included. */
    p_from: z.iso.datetime({ offset: true }).nullish(),
    p_to: z.iso.datetime({ offset: true }).nullish(),
    /** IANA, such as `Europe/Berlin`; default UTC. */
    p_time_zone: z.string().min(1).max(64).nullish(),
  }),
  result: performance,
});

export const equityOverview = z.object({
  /** 00:00 UTC of today, the equity then, and the net deposits since (out: negative). */
  day: z.object({ since: instant, equity: sum, net_deposits: sum }),
  /**
   * The last 28 days, or the account's whole life if it is younger. Oldest first, at most 120; the last is as of now
   * at the current marks.
   */
  curve: z.array(z.object({ at: instant, equity: sum, /** As in `performance`. */ result: sum })),
});
export type EquityOverview = z.infer<typeof equityOverview>;

export const getEquityOverview = query('get_equity_overview', { ...traderReads, result: equityOverview });
