/** What bulk actions take and answer: users, and the outcome of each. A refused row stops no other. */
import { bulkUsersMax } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';

export const bulkUserIds = z.array(id).min(1).max(bulkUsersMax);

export const bulkRow = z.object({
  user_id: id,
  username: z.string().nullable(),
  outcome: z.enum(['done', 'unchanged', 'refused']),
  /** The reason of a refusal. */
  message: z.string().nullable(),
});

export const bulkReport = z.object({ rows: z.array(bulkRow) });
