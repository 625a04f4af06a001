/** The quick search of the back office. */

import { chatStatuses, contactStatuses, positionStatuses, sides } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../../columns.ts';
import { staffRoles } from '../../roles.ts';
import { search } from '../arguments.ts';
import { userRow } from '../identity.ts';
import { query } from '../procedure.ts';

const userRole = userRow.shape.role;
const kycStatus = userRow.shape.kyc_status;
const time = z.string();

/** The most users in one answer. */
export const quickUsersMax = 8;

/**
 * Finds accounts by a part of a name or address, by a phone number or by an id, the best match first, and a position,
 * a chat session or a contact message by its id. An id may be shortened to its first eight characters, as pages show
 * it. An agent finds the traders of the own conversations.
 */
export const quickSearch = query('quick_search', {
  roles: staffRoles,
  args: z.strictObject({
    p_text: search,
    /** Instead of a text: these users, in this order, as far as the caller may read them. */
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
          /** The conversation with that user for an agent; null for the other roles. */
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
        side: z.enum(sides),
        status: z.enum(positionStatuses),
        /** The closing time, or the opening time of an open one. */
        at: time,
      }),
    ),
    /** For roles that read them all: support and admins. */
    chats: z.array(
      z.object({
        id,
        user_id: id,
        username: z.string(),
        status: z.enum(chatStatuses),
        created_at: time,
      }),
    ),
    /** For admins. */
    messages: z.array(
      z.object({
        id,
        name: z.string(),
        subject: z.string(),
        status: z.enum(contactStatuses),
        created_at: time,
      }),
    ),
  }),
});
