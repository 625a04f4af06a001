/**
 * The state of the server for admins, and the actions on it. Each action needs a reason and is written to the audit
 * log.
 */
import { z } from 'zod';
import { symbol } from '../columns.ts';
import { sources } from '../topics.ts';
import { reason } from './arguments.ts';
import { command, query } from './procedure.ts';
import { heldPrice } from './staff/actions.ts';

const time = z.string();

/** The figures of `/health` for operators, with names, and each invariant. */
export const getPlatform = query('get_platform', {
  roles: ['admin'],
  result: z.object({
    feeds: z.array(
      z.object({
        source: z.enum(sources),
        state: z.enum(['live', 'simulated', 'replay', 'stale', 'down', 'idle']),
        symbols: z.number().int(),
        /** Its symbols with a stale price. */
        stale_symbols: z.number().int(),
        last_tick_at: time.nullable(),
        /** Per 2 s of the last minute, oldest first: thirty figures. */
        ticks: z.array(z.number().int()),
        /** A description of the problem; null without one. */
        trouble: z.string().nullable(),
      }),
    ),
    engine: z.object({
      state: z.enum(['trading', 'halted']),
      /** The reason and the start of the halt; `by` is the admin, null for the engine itself. */
      halt: z.object({ reason: z.string(), at: time, by: z.string().nullable() }).nullable(),
      queued: z.number().int(),
      open_positions: z.number().int(),
      waiting_orders: z.number().int(),
      /** Batches and commands committed since the start of the process, or of each process of a cluster. */
      batches: z.number().int(),
      commands: z.number().int(),
    }),
    invariants: z.array(
      z.object({
        number: z.number().int(),
        name: z.string(),
        ok: z.boolean(),
        /** The first violating rows, or their number. */
        detail: z.string(),
      }),
    ),
    /** When the last incremental pass and the last full pass ended; null before the first. */
    checked_at: time.nullable(),
    full_checked_at: time.nullable(),
    /** Of the scheduled backups; null where the server has no folder for them. */
    backup: z.object({ last_at: time.nullable(), trouble: z.string().nullable() }).nullable(),
    /** Those of a cluster, the one that answers first; null where the server is alone. */
    processes: z
      .array(
        z.object({
          id: z.string(),
          /** Name of its machine. */
          name: z.string(),
          roles: z.array(z.string()),
          /** `market`, `ledger` and `chores`: those that it holds. */
          duties: z.array(z.string()),
          version: z.string(),
          started_at: time,
          /** Slots of accounts, of 256. */
          slots: z.number().int(),
          queued: z.number().int(),
          sockets: z.number().int(),
          /** Nothing has come from it for five seconds; its figures are older. */
          silent: z.boolean(),
        }),
      )
      .nullable(),
    /** Whether any symbol has simulated prices: only those accept a shock. */
    simulated: z.boolean(),
    at: time,
  }),
});

/** Nothing opens, closes or fills until trading resumes; a halt survives a restart. */
export const haltTrading = command('halt_trading', {
  roles: ['admin'],
  args: z.strictObject({ p_reason: reason }),
  result: z.object({ halted: z.boolean(), at: time }),
});

/** After a violation it succeeds only if a full pass finds the ledger consistent. */
export const resumeTrading = command('resume_trading', {
  roles: ['admin'],
  args: z.strictObject({ p_reason: reason }),
  result: z.object({ halted: z.boolean(), at: time }),
});

/** Drops the held price; the next absurd one is held again (A106). */
export const rejectPrice = command('reject_price', {
  roles: ['admin'],
  args: z.strictObject({ p_symbol: symbol, p_reason: reason, p_price: heldPrice }),
  result: z.object({ symbol, price: z.number() }),
});
