/**
 * Realtime topics. A topic that matches no entry cannot be joined. `postgres_changes` may be asked for on any topic;
 * each of its rows is then admitted by the table's own select policy.
 */
import { z } from 'zod';
import type { Role } from './roles.ts';

export interface Topic {
  /** As documented; `{symbol}` and `{id}` are placeholders. */
  readonly name: string;
  readonly pattern: RegExp;
  readonly join: readonly Role[];
  /**
   * `own`: the placeholder must be the caller's id. `conversation`: the placeholder is a chat session, which must be a
   * trader's own; support and admins take part in all.
   */
  readonly scope: 'public' | 'own' | 'conversation';
  /** Roles that may announce themselves, as what, and under their own user id; whoever joins sees who is there. */
  readonly presence?: { readonly track: readonly Role[]; readonly payload: z.ZodType };
  /** Roles that may send broadcasts to the others on the topic. Absent, or while acting as somebody else: refused. */
  readonly broadcast?: { readonly send: readonly Role[]; readonly event: RegExp };
}

const everyone = ['anon', 'trader', 'manager', 'support', 'admin'] as const;

/** All symbols in one frame a second; broadcast event `tick`. */
export const prices: Topic = { name: 'prices', pattern: /^prices$/, join: everyone, scope: 'public' };
/** One symbol, up to four frames a second, conflated; broadcast event `tick`. */
export const pricesOfSymbol: Topic = {
  name: 'prices:{symbol}',
  pattern: /^prices:(?<symbol>[A-Z0-9/]{1,32})$/,
  join: ['trader', 'manager', 'support', 'admin'],
  scope: 'public',
};
/** Broadcast of the server alone to a manager: a trader came, went, was edited or deleted; it says no more, the lists do. */
export const tradersChanged = 'traders_changed';
/**
 * A user's own account: `postgres_changes` on positions and wallets; broadcasts between the devices of one person, and
 * `traders_changed` to a manager.
 */
export const user: Topic = {
  name: 'user:{id}',
  pattern: /^user:(?<id>[0-9a-f-]{36})$/,
  join: ['trader', 'manager', 'support', 'admin'],
  scope: 'own',
  broadcast: { send: ['trader', 'manager', 'support', 'admin'], event: /^[a-z][a-z_]{0,31}$/ },
};
/** Which agents are there. */
export const supportPresence: Topic = {
  name: 'presence:support',
  pattern: /^presence:support$/,
  join: ['trader', 'manager', 'support', 'admin'],
  scope: 'public',
  presence: {
    track: ['support'],
    payload: z.strictObject({ status: z.enum(['available', 'busy', 'offline']) }),
  },
};
/** One conversation: who has it open, and who is typing (event `typing`, said again at least every 3 s). */
export const chat: Topic = {
  name: 'chat:{session_id}',
  // One spelling of each id: PostgreSQL would take others, under which nobody would hear that the conversation is gone.
  pattern: /^chat:(?<session>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/,
  join: ['trader', 'support', 'admin'],
  scope: 'conversation',
  presence: {
    track: ['trader', 'support'],
    payload: z.strictObject({ side: z.enum(['trader', 'support']) }),
  },
  broadcast: { send: ['trader', 'support'], event: /^typing$/ },
};
export const topics = [prices, pricesOfSymbol, user, supportPresence, chat] as const;

/** Where prices come from. */
export const sources = ['simulated', 'replay', 'binance', 'yahoo'] as const;
export type Source = (typeof sources)[number];

/**
 * What a price is worth, the gravest first: `closed` its market is shut; `stale` too old to trade on, or held back until
 * staff accept it; `delayed` the provider lags too far behind an open market: to look at only; else what it is made of.
 */
export const priceStates = ['closed', 'stale', 'delayed', 'live', 'replay', 'simulated'] as const;
export type PriceState = (typeof priceStates)[number];

/**
 * One price on the wire. The `tick` payload of both price topics is `{ ticks: Tick[] }`; that of `prices` has `halted: true` as
 * long as trading is halted.
 */
export const tick = z.object({
  symbol: z.string(),
  price: z.number(),
  price_change_percent: z.number().nullable(),
  volume: z.number(),
  quote_volume: z.number(),
  high_24h: z.number().nullable(),
  low_24h: z.number().nullable(),
  source: z.enum(sources),
  state: z.enum(priceStates),
  /** Wall time of the price, ISO 8601 UTC: staleness is measured from it. */
  priced_at: z.string(),
  /** The market's own time (differs from `priced_at` while a recorded day is replayed), ISO 8601 UTC. */
  market_time: z.string(),
  market_open: z.boolean(),
});
export type Tick = z.infer<typeof tick>;
