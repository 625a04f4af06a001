/** Figures of all users: the cards of the overview, and the days of the metrics page. */
import { z } from 'zod';
import { dateTime } from '../arguments.ts';
import { query } from '../procedure.ts';

const time = z.string();

/** A value and the value of a month ago. */
const compared = z.object({
  value: z.number(),
  /** Percent of the previous month's value; null where that was zero. */
  change_pct: z.number().nullable(),
  /** By UTC day, the last thirty, oldest first. */
  days: z.array(z.number()),
});

/** Computed figures, never constants (ADMIN-04 to ADMIN-12, A74, A75). */
export const getAdminOverview = query('get_admin_overview', {
  roles: ['admin'],
  result: z.object({
    total_users: compared,
    /** Σ entry × size of all positions, USDT. */
    trading_volume: compared,
    /** Open support chats. */
    active_sessions: compared,
    /** Σ balances, USDT. */
    total_balance: compared,
    /** Users with a live session that was used within the last five minutes. */
    signed_in_now: z.number().int(),
    /** Of support chats that closed within the last thirty days; null without one. */
    average_session_s: z.number().nullable(),
    /** Hour (UTC, 0 to 23) in which most of them began. */
    peak_hour: z.number().int().nullable(),
    sessions_measured: z.number().int(),
    at: time,
  }),
});

const figures = {
  volume: z.number(),
  /** Distinct users in the day, or in the whole range. */
  active_traders: z.number().int(),
  /** Losses and fees of traders minus their gains; USDT. */
  house_pnl: z.number(),
  liquidations: z.number().int(),
  /** Lines of the traders' histories. */
  transactions: z.number().int(),
  deposits: z.number(),
  withdrawals: z.number(),
};

const totalsMetrics = z.object({
  /** Oldest first, without days that have no events. At most 3,700. */
  days: z.array(
    z.object({
      /** `YYYY-MM-DD`, UTC. */
      day: z.string(),
      ...figures,
    }),
  ),
  totals: z.object(figures),
  at: time,
});
export type TotalsMetrics = z.infer<typeof totalsMetrics>;

/** Figures of all users by UTC day; null is no bound (METR-01 to METR-03). */
export const getHouseMetrics = query('get_house_metrics', {
  roles: ['admin'],
  args: z.strictObject({ p_from: dateTime, p_to: dateTime }),
  result: totalsMetrics,
});
