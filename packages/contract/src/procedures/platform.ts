/** How the platform is, for admins, and what they can do about it. Each act wants a reason and is in the audit log. */
import { z } from 'zod';
import { symbol } from '../columns.ts';
import { sources } from '../topics.ts';
import { reason } from './arguments.ts';
import { procedure } from './procedure.ts';
import { heldPrice } from './staff.ts';

const time = z.string();

/** The figures of `/health` for operators, with names, and the invariants one by one. */
export const getPlatform = procedure({
  name: 'get_platform',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject({}),
  result: z.object({
    feeds: z.array(
      z.object({
        source: z.enum(sources),
        state: z.enum(['live', 'simulated', 'replay', 'stale', 'down', 'idle']),
        symbols: z.number().int(),
        /** Of its symbols, whose price is stale. */
        stale_symbols: z.number().int(),
        last_tick_at: time.nullable(),
        /** By 2 s, the last minute, oldest first: thirty figures. */
        ticks: z.array(z.number().int()),
        /** What is wrong, in words; null while nothing is. */
        trouble: z.string().nullable(),
      }),
    ),
    engine: z.object({
      state: z.enum(['trading', 'halted']),
      /** Why and since when it is halted; `by` is the admin, null for the engine itself. */
      halt: z.object({ reason: z.string(), at: time, by: z.string().nullable() }).nullable(),
      queued: z.number().int(),
      open_positions: z.number().int(),
      waiting_orders: z.number().int(),
      /** Batches and commands committed since the start of this process. */
      batches: z.number().int(),
      commands: z.number().int(),
    }),
    invariants: z.array(
      z.object({
        number: z.number().int(),
        name: z.string(),
        ok: z.boolean(),
        /** The first offenders, or how many rows prove it. */
        detail: z.string(),
      }),
    ),
    /** When the last pass above the checkpoint, and the last one over everything, ended; null before the first. */
    checked_at: time.nullable(),
    full_checked_at: time.nullable(),
    /** Whether prices of any symbol are simulated: only those take a shock. */
    simulated: z.boolean(),
    at: time,
  }),
});

/** Nothing is opened, closed or filled until it is resumed, over a restart too. */
export const haltTrading = procedure({
  name: 'halt_trading',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_reason: reason }),
  result: z.object({ halted: z.boolean(), at: time }),
});

/** After a violation only once a full pass finds the books whole. */
export const resumeTrading = procedure({
  name: 'resume_trading',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_reason: reason }),
  result: z.object({ halted: z.boolean(), at: time }),
});

/** A106: the price that is held back is dropped; the next absurd one is held anew. */
export const rejectPrice = procedure({
  name: 'reject_price',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_symbol: symbol, p_reason: reason, p_price: heldPrice }),
  result: z.object({ symbol, price: z.number() }),
});
