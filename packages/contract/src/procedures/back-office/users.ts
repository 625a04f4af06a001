/** Users as staff find them, and what is done to many of them at once. Lists are paged, and each counts what it leaves out. */
import { bulkUsersMax } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../../columns.ts';
import { userRow } from '../accounts.ts';
import { clientId, page, pageSize, reason, search } from '../arguments.ts';
import { procedure } from '../procedure.ts';

const userRole = userRow.shape.role;
const kycStatus = userRow.shape.kyc_status;
const count = z.number().int();

/** Which users a list or a bulk act means. Facets are combined by and, the values of one by or. */
export const userFilter = z.strictObject({
  /** In the username or the email; an id finds its user. */
  p_search: search,
  p_roles: z.array(userRole).max(4).nullish(),
  p_kyc: z.array(kycStatus).max(4).nullish(),
  /** `none`: traders without one. */
  p_managers: z
    .array(z.union([id, z.literal('none')]))
    .max(50)
    .nullish(),
  p_restricted: z.boolean().nullish(),
});
export type UserFilter = z.infer<typeof userFilter>;
export const userSorts = ['username', 'email', 'role', 'manager', 'created_at', 'last_login'] as const;

/** ADMIN-32, MGR-08: an admin finds everybody, a manager the own traders. Newest first unless another order is asked for. */
export const listUsers = procedure({
  name: 'list_users',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: userFilter.extend({
    p_sort: z.enum(userSorts).nullish(),
    p_ascending: z.boolean().nullish(),
    p_page: page,
    p_page_size: pageSize,
  }),
  result: z.object({
    total: z.number().int(),
    users: z.array(
      userRow.extend({
        manager: z.object({ id, username: z.string() }).nullable(),
        /** Null for who has none. */
        wallet: z.object({ balance: z.number(), available_balance: z.number() }).nullable(),
      }),
    ),
    /** How many of those that the other facets leave have each value. Managers: the fifty with the most, those asked for, and `none`. */
    facets: z.object({
      roles: z.object({ trader: count, manager: count, support: count, admin: count }),
      kyc: z.object({ unverified: count, pending: count, verified: count, rejected: count }),
      managers: z.array(
        z.object({
          id: z.union([id, z.literal('none')]),
          username: z.string().nullable(),
          users: z.number().int(),
        }),
      ),
      restricted: z.object({ yes: count, no: count }),
    }),
  }),
});

/** The ids behind "select all that match", for a bulk act: at most as many as one takes. */
export const findUserIds = procedure({
  name: 'find_user_ids',
  kind: 'query',
  roles: ['admin'],
  args: userFilter,
  result: z.object({ total: z.number().int(), ids: z.array(id) }),
});

const userIds = z.array(id).min(1).max(bulkUsersMax);
/** What became of each row; one that is refused stops no other. */
const bulkReport = z.object({
  rows: z.array(
    z.object({
      user_id: id,
      username: z.string().nullable(),
      outcome: z.enum(['done', 'unchanged', 'refused']),
      /** Why, of a refused one. */
      message: z.string().nullable(),
    }),
  ),
});

/** CALL-54 for many. Null takes the manager away. */
export const assignUsersToManager = procedure({
  name: 'assign_users_to_manager',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_user_ids: userIds, p_manager_id: id.nullable() }),
  result: bulkReport,
});

/** A72 for many; each row has a client id of its own, made of this one. */
export const restrictUsers = procedure({
  name: 'restrict_users',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({
    p_user_ids: userIds,
    p_restricted: z.boolean(),
    p_reason: reason,
    p_client_id: clientId,
  }),
  result: bulkReport,
});
