/** Lists of users for staff, and bulk actions on users. Lists are paged, and each counts what it leaves out. */

import { z } from 'zod';
import { id } from '../../columns.ts';
import { managingRoles, type UserRole, userRoles } from '../../roles.ts';
import { clientId, reason, search, sortedPage } from '../arguments.ts';
import { bulkReport, bulkUserIds } from '../bulk-report.ts';
import { userRow } from '../identity.ts';
import { command, query } from '../procedure.ts';

const userRole = userRow.shape.role;
const kycStatus = userRow.shape.kyc_status;
const count = z.number().int();

/** The filter of a list of users or of a bulk action. Facets are combined by and, the values of one facet by or. */
export const userFilter = z.strictObject({
  /** In the username or the email; an id finds its user. */
  p_search: search,
  p_roles: z.array(userRole).max(userRoles.length).nullish(),
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

/** An admin finds all users, a manager the assigned traders. Newest first by default (ADMIN-32, MGR-08). */
export const listUsers = query('list_users', {
  roles: managingRoles,
  args: userFilter.extend(sortedPage(userSorts)),
  result: z.object({
    total: z.number().int(),
    users: z.array(
      userRow.extend({
        manager: z.object({ id, username: z.string() }).nullable(),
        /** Null for a user without a wallet. */
        wallet: z.object({ balance: z.number(), available_balance: z.number() }).nullable(),
      }),
    ),
    /**
     * How many of the users that match the other facets have each value. Managers: the fifty largest, the selected
     * ones, and `none`.
     */
    facets: z.object({
      roles: z.object({ trader: count, manager: count, support: count, admin: count } satisfies Record<
        UserRole,
        z.ZodType
      >),
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

/** The ids of "select all that match", for a bulk action: at most as many as one accepts. */
export const findUserIds = query('find_user_ids', {
  roles: managingRoles,
  args: userFilter,
  result: z.object({ total: z.number().int(), ids: z.array(id) }),
});

/** Assigns many traders to a manager; null removes the manager (CALL-54). */
export const assignUsersToManager = command('assign_users_to_manager', {
  roles: ['admin'],
  args: z.strictObject({ p_user_ids: bulkUserIds, p_manager_id: id.nullable() }),
  result: bulkReport,
});

/** Restricts many users; each row gets its own client id, derived from this one (A72). */
export const restrictUsers = command('restrict_users', {
  roles: ['admin'],
  args: z.strictObject({
    p_user_ids: bulkUserIds,
    p_restricted: z.boolean(),
    p_reason: reason,
    p_client_id: clientId,
  }),
  result: bulkReport,
});
