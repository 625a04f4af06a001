/** Figures of the house: the cards of the overview, and the days of the metrics page. */
import { z } from 'zod';
import { moment } from '../arguments.ts';
import { procedure } from '../procedure.ts';

const time = z.string();

/** A value with what it was a month ago. */
const compared = z.object({
  value: z.number(),
  /** Percent of what the month before had; null where that was nothing. */
  change_pct: z.number().nullable(),
  /** By UTC day, the last thirty, oldest first. */
  days: z.array(z.number()),
});

/** ADMIN-04 to ADMIN-12, A74, A75: computed, never a constant. */
export const getAdminOverview = procedure({
  name: 'get_admin_overview',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject({}),
  result: z.object({
    total_users: compared,
    /** Σ entry × size of all positions, USDT. */
    trading_volume: compared,
    /** Open support chats. */
    active_sessions: compared,
    /** Σ balances, USDT. */
    total_balance: compared,
    /** People with a live session that was used within the last five minutes. */
    signed_in_now: z.number().int(),
    /** Of support chats that were closed within the last thirty days; null where there is none. */
    average_session_s: z.number().nullable(),
    /** Hour (UTC, 0 to 23) in which most of them began. */
    peak_hour: z.number().int().nullable(),
    sessions_measured: z.number().int(),
    at: time,
  }),
});

const houseMetrics = z.object({
  /** Oldest first; days on which nothing happened are left out. At most 3,700. */
  days: z.array(
    z.object({
      /** `YYYY-MM-DD`, UTC. */
      day: z.string(),
      volume: z.number(),
      active_traders: z.number().int(),
      /** What traders lost and paid in fees, minus what they won; USDT. */
      house_pnl: z.number(),
      liquidations: z.number().int(),
      /** Lines of the traders' histories. */
      transactions: z.number().int(),
      deposits: z.number(),
      withdrawals: z.number(),
    }),
  ),
  totals: z.object({
    volume: z.number(),
    /** Different people in the whole range. */
    active_traders: z.number().int(),
    house_pnl: z.number(),
    liquidations: z.number().int(),
    transactions: z.number().int(),
    deposits: z.number(),
    withdrawals: z.number(),
  }),
  at: time,
});
export type HouseMetrics = z.infer<typeof houseMetrics>;

/** METR-01 to METR-03: figures of the house by UTC day; null is without an end. */
export const getHouseMetrics = procedure({
  name: 'get_house_metrics',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject({ p_from: moment, p_to: moment }),
  result: houseMetrics,
});
