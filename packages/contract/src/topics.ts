/**
 * Realtime topics. A topic that matches no entry cannot be joined. A client may request `postgres_changes` on any
 * topic; the table's own select policy then admits each row.
 */
import { supportStatuses } from '@fulcrum/domain';
import { z } from 'zod';
import { chatReaderRoles, chatSides, type Role, roles, userRoles } from './roles.ts';

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
  /**
   * Roles that may become present, as what, under their own user id; every member of the topic sees the presences.
   */
  readonly presence?: { readonly track: readonly Role[]; readonly payload: z.ZodType };
  /** Roles that may send broadcasts to the others on the topic. Absent, or during impersonation: refused. */
  readonly broadcast?: { readonly send: readonly Role[]; readonly event: RegExp };
}

/** All symbols in one frame a second; broadcast event `tick`. */
export const prices: Topic = { name: 'prices', pattern: /^prices$/, join: roles, scope: 'public' };
/** One symbol, up to four frames a second, conflated; broadcast event `tick`. */
const pricesOfSymbol: Topic = {
  name: 'prices:{symbol}',
  pattern: /^prices:(?<symbol>[A-Z0-9/]{1,32})$/,
  join: userRoles,
  scope: 'public',
};
/**
 * Sent by the server to a manager: a trader was assigned, removed, edited or deleted. It carries no data; the client
 * reloads its lists.
 */
export const tradersChanged = 'traders_changed';
/**
 * A user's own account: `postgres_changes` on positions and wallets; broadcasts between the devices of one user, and
 * `traders_changed` to a manager.
 */
export const user: Topic = {
  name: 'user:{id}',
  pattern: /^user:(?<id>[0-9a-f-]{36})$/,
  join: userRoles,
  scope: 'own',
  broadcast: { send: userRoles, event: /^[a-z][a-z_]{0,31}$/ },
};
/** The present agents. */
export const supportPresence: Topic = {
  name: 'presence:support',
  pattern: /^presence:support$/,
  join: userRoles,
  scope: 'public',
  presence: {
    track: ['support'],
    payload: z.strictObject({ status: z.enum(supportStatuses) }),
  },
};
/** One conversation: whether its trader has it open, and who is typing (event `typing`, repeated at least every 3 s). */
export const chat: Topic = {
  name: 'chat:{session_id}',
  // One spelling of each id: PostgreSQL accepts others, whose topics would miss the deletion of the conversation.
  pattern: /^chat:(?<session>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/,
  join: chatReaderRoles,
  scope: 'conversation',
  // The trader alone: agents are present on `chatTeam`, so that no trader learns who reads.
  presence: {
    track: ['trader'],
    payload: z.strictObject({ side: z.literal('trader') }),
  },
  broadcast: { send: chatSides, event: /^typing$/ },
};
/** The agents who have one conversation open, for their colleagues alone: no trader learns who looks. */
const chatTeam: Topic = {
  name: 'chat-team:{session_id}',
  pattern: /^chat-team:(?<session>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/,
  join: ['support', 'admin'],
  scope: 'conversation',
  presence: {
    track: ['support'],
    payload: z.strictObject({ state: z.enum(['here', 'writing']) }),
  },
};
export const topics = [prices, pricesOfSymbol, user, supportPresence, chat, chatTeam] as const;

/** The sources of prices. */
export const sources = ['simulated', 'replay', 'binance', 'yahoo'] as const;
export type Source = (typeof sources)[number];

/**
 * The state of a price, the gravest first. `closed`: its market is closed. `stale`: too old to trade on, or held
 * until staff accept it. `delayed`: the provider lags too far behind an open market, for display only. Otherwise the
 * kind of its source.
 */
export const priceStates = ['closed', 'stale', 'delayed', 'live', 'replay', 'simulated'] as const;
export type PriceState = (typeof priceStates)[number];

/**
 * One price on the wire. The `tick` payload of both price topics is `{ ticks: Tick[] }`. That of `prices` has
 * `halted: true` as long as trading is halted, and `replay: RecordedClock` as long as a replay runs.
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
  /**
   * A newer price is held (A106), or a replay waits before one: nothing trades before staff decide. Left out
   * otherwise.
   */
  held: z.literal(true).optional(),
});
export type Tick = z.infer<typeof tick>;

/** The clock of the replay; its date and time are the `market_time` of its prices. */
export interface RecordedClock {
  /** The real speed in recorded seconds per second; 0 while it is paused. */
  readonly speed: number;
  /** Whether it is paused until staff resume it. */
  readonly paused: boolean;
  /** The symbol that staff have to decide about before it continues (`set_replay`); null without one. */
  readonly waits_for: string | null;
}
