/**
 * Reviews of closed trades by rules, without a model (A115). Every figure of a sentence is one of the facts or a threshold. A fact
 * that is not known is absent.
 */
import { factNames, ruleIds, sides } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { query, traderReads } from './procedure.ts';

const instant = z.string();
const sum = z.number();
const rule = z.enum(ruleIds);

/** `money` in USDT, `percent` of per cent, `r` in multiples of the first risk, `ms` in milliseconds. */
const fact = z.object({
  name: z.enum(factNames),
  unit: z.enum(['money', 'price', 'percent', 'r', 'ms']),
  value: z.number(),
});

const tradeReview = z.object({
  position_id: id,
  symbol: z.string(),
  side: z.enum(sides),
  closed_at: instant,
  close_reason: z.string(),
  /** False while the prices that follow the trade are still to come: the review may gain facts. */
  is_final: z.boolean(),
  facts: z.array(fact),
  findings: z.array(z.object({ rule, sentence: z.string() })),
});
export type TradeReview = z.infer<typeof tradeReview>;

const habit = z.object({
  rule,
  /** What the habit was worth in its trades, in USDT. */
  worth: sum,
  /** How many it was found in. */
  trades: z.number().int(),
  /** The dearest of them first, or the best; at most 50. */
  listed: z.array(
    z.object({ position_id: id, symbol: z.string(), side: z.enum(sides), closed_at: instant, worth: sum }),
  ),
});
const group = z.object({ key: z.string(), trades: z.number().int(), net_pnl: sum });

const periodReview = z.object({
  from: instant,
  to: instant,
  trades: z.number().int(),
  /** At most three. A trade with two habits counts for both. */
  costliest: z.array(habit),
  best: z.array(habit),
  /** Found in fewer trades than it takes to speak of. */
  too_few: z.array(z.object({ rule, trades: z.number().int(), needed: z.number().int() })),
  /** The largest absolute result first; a trade with several tags counts for each. Empty for an API key, which reads no tag of the journal. */
  by_setup: z.array(group),
  by_symbol: z.array(group),
  by_side: z.array(group),
  /** By the hour of the close on the zone's clock, 00 to 23. */
  by_hour: z.array(group),
  /** Trades whose prices are not read yet: the same question again reads more. */
  pending: z.number().int(),
  /** True when there were more trades (1,000) than the server reviews; it reviews the latest ones. */
  truncated: z.boolean(),
});
export type PeriodReview = z.infer<typeof periodReview>;

export const reviewTrade = query('review_trade', {
  ...traderReads,
  args: z.strictObject({ p_position_id: id }),
  result: tradeReview,
});

export const reviewPeriod = query('review_period', {
  ...traderReads,
  args: z.strictObject({
    /** ISO 8601; of the close. `p_to` is not included; at most 31 days after `p_from`. */
    p_from: z.iso.datetime({ offset: true }),
    p_to: z.iso.datetime({ offset: true }),
    /** IANA, such as `Europe/Berlin`; default UTC. */
    p_time_zone: z.string().min(1).max(64).nullish(),
  }),
  result: periodReview,
});

const expectancy = z.object({
  trades: z.number().int(),
  /** Net result of a trade on average, USDT; null without a trade. */
  net: sum.nullable(),
  /** The same in multiples of the first risk, of the trades that had one. */
  r: z.number().nullable(),
  r_trades: z.number().int(),
});

const playbookResult = z.object({
  playbook_id: id,
  all: expectancy,
  /** In the order of the playbook. A trade counts where the criterion was answered for it. */
  criteria: z.array(z.object({ criterion: z.string(), met: expectancy, unmet: expectancy })),
});
export type PlaybookResult = z.infer<typeof playbookResult>;

const playbookResults = z.object({
  playbooks: z.array(playbookResult),
  /** Trades below which an average says little. */
  needed: z.number().int(),
  /** True when there were more trades (5,000) than the server reads; it reads the latest ones. */
  truncated: z.boolean(),
});
export type PlaybookResults = z.infer<typeof playbookResults>;

/** What the closed trades of each playbook have earned on average, in all and by criterion. Private, as the journal is: no API key. */
export const getPlaybookResults = query('get_playbook_results', {
  roles: ['trader'],
  whileImpersonating: 'allowed',
  result: playbookResults,
});
