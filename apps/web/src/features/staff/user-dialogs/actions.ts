/** The actions of staff on a user, and where each is offered (ADMIN-19 to ADMIN-28, MGR-05 to MGR-07). */
import type { UserRole } from '@fulcrum/contract';

export type UserAction = 'impersonate' | 'funds' | 'positions' | 'edit' | 'assign' | 'restrict' | 'delete';
/** The screen with the actions: assigning a manager is offered in the Users tab only (ADMIN-24). */
export type StaffArea = 'overview' | 'users' | 'manager';

/** The fields of a user that the actions and their dialogs need; a row of `list_users` has them. */
export interface UserSummary {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: UserRole;
  readonly restricted_at: string | null;
  readonly manager_id: string | null;
}

/** One action restricts a trader or lifts the restriction. */
export const restrictLabel = ({ restricted_at: since }: Pick<UserSummary, 'restricted_at'>): string =>
  since === null ? 'Restrict…' : 'Lift restriction…';

/** The offered actions in menu order; those that do not apply are left out. */
export function actionsFor({ role }: Pick<UserSummary, 'role'>, area: StaffArea): readonly UserAction[] {
  if (area === 'manager') return ['impersonate', 'positions', 'funds'];
  const isTrader = role === 'trader';
  return [
    ...(role === 'admin' ? [] : (['impersonate'] as const)),
    ...(isTrader ? (['funds', 'positions'] as const) : []),
    'edit',
    ...(isTrader && area === 'users' ? (['assign'] as const) : []),
    ...(isTrader ? (['restrict'] as const) : []),
    ...(role === 'admin' ? [] : (['delete'] as const)),
  ];
}
