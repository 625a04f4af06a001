/** The quick search of the back office. */
import { z } from 'zod';
import { id } from '../../columns.ts';
import { userRow } from '../accounts.ts';
import { search } from '../arguments.ts';
import { procedure } from '../procedure.ts';

const userRole = userRow.shape.role;
const kycStatus = userRow.shape.kyc_status;
const time = z.string();

/** What one look at the quick search shows at most. */
export const quickUsersMax = 8;

/**
 * Finds accounts by a part of a name or address or by an id, those that match best first, and a position by its id. An id may be
 * shortened to its first eight characters, as pages show it. An agent finds whom they attend to.
 */
export const quickSearch = procedure({
  name: 'quick_search',
  kind: 'query',
  roles: ['manager', 'support', 'admin'],
  args: z.strictObject({
    p_text: search,
    /** In place of a text: these, in this order, as far as the caller reaches them. */
    p_user_ids: z.array(id).max(quickUsersMax).nullish(),
  }),
  result: z.object({
    users: z
      .array(
        z.object({
          id,
          username: z.string(),
          email: z.string(),
          role: userRole,
          kyc_status: kycStatus,
          restricted_at: time.nullable(),
          manager: z.string().nullable(),
          /** Where an agent meets them; null for the other roles. */
          chat_session_id: id.nullable(),
        }),
      )
      .max(quickUsersMax),
    positions: z.array(
      z.object({
        id,
        user_id: id,
        username: z.string(),
        symbol: z.string(),
        side: z.enum(['BUY', 'SELL']),
        status: z.enum(['open', 'closed']),
        /** Closed then, else opened then. */
        at: time,
      }),
    ),
  }),
});
