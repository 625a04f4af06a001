/** Positions of every user that the caller may read, as a list and as a file. */

import { positionStatuses } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../../columns.ts';
import { managingRoles } from '../../roles.ts';
import { dateTime, sortedPage, storableText } from '../arguments.ts';
import { command, query } from '../procedure.ts';
import { positionRow } from '../trading.ts';

/** ADMIN-74, ADMIN-75, A78: by `closed_at` of closed positions, by `created_at` of open ones. */
const positionFilter = z.strictObject({
  p_status: z.enum(positionStatuses),
  /** Null: of every user that the caller may read. */
  p_user_id: id.nullish(),
  /** An account of a trader whom the caller may read, and of `p_user_id` where that is given; default, main accounts. */
  p_account_id: id.nullish(),
  /** Part of a symbol. */
  p_symbol: storableText(32).nullish(),
  p_from: dateTime,
  p_to: dateTime,
});
export type PositionFilter = z.infer<typeof positionFilter>;
export const positionSorts = ['time', 'symbol', 'size', 'leverage', 'pnl'] as const;
/** The position as in other answers, and its user. */
export const staffPosition = positionRow
  .pick({
    id: true,
    user_id: true,
    symbol: true,
    side: true,
    entry_price: true,
    size: true,
    leverage: true,
    margin: true,
    liquidation_price: true,
    mark_price: true,
    unrealized_pnl: true,
    close_price: true,
    realized_pnl: true,
    status: true,
    close_reason: true,
    created_at: true,
    closed_at: true,
    edited_at: true,
    fees: true,
    take_profit_price: true,
    stop_loss_price: true,
    rules: true,
    version: true,
  })
  .extend({ username: z.string() });

/**
 * The latest first by default. Closed positions of no named user or account sort by `time` and `pnl` only; other orders are
 * an `invalid_argument`. Such an order would need an index over all positions, which every close would have to
 * update.
 */
export const listPositions = query('list_positions', {
  roles: managingRoles,
  args: positionFilter.extend(sortedPage(positionSorts)),
  result: z.object({
    positions: z.array(staffPosition),
    /** Counted up to a limit: `is_more` states that there are more than `total`. */
    total: z.number().int(),
    is_more: z.boolean(),
    /** Σ realized PnL of all of them, USDT; null for open ones, and where not all were counted. */
    realized_pnl: z.number().nullable(),
  }),
});

/**
 * A link to a CSV file of everything that the filter matches, valid for a minute and within the caller's session
 * (X-17, A77).
 */
export const exportPositions = command('export_positions', {
  roles: managingRoles,
  args: positionFilter.extend({
    /** IANA name of the viewer's zone, which defines the days (A78). */
    p_time_zone: z.string().max(64),
    /** Adds username, email and id before the stated columns, and the times in UTC after them. */
    p_with_ids: z.boolean().nullish(),
  }),
  /** `url` is a path of this server. */
  result: z.object({ url: z.string(), file_name: z.string() }),
});
