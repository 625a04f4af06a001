/** What staff may do about a person, and where it is offered (ADMIN-19 to ADMIN-28, MGR-05 to MGR-07). */
import type { UserRole } from '@fulcrum/contract';

export type PersonAct = 'impersonate' | 'funds' | 'positions' | 'edit' | 'assign' | 'restrict' | 'delete';
/** Where the person stands: assigning a manager is offered in the Users tab only (ADMIN-24). */
export type Place = 'overview' | 'users' | 'manager';

/** As much of a user as the acts and their dialogs need; a row of `list_users` is one. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: UserRole;
  readonly restricted_at: string | null;
  readonly manager_id: string | null;
}

/** Lifting a restriction is the same act the other way. */
export const restrictWords = ({ restricted_at: since }: Pick<Person, 'restricted_at'>): string =>
  since === null ? 'Restrict…' : 'Lift restriction…';

/** The acts that are offered, in the order of a menu; what does not apply is absent. */
export function actsFor({ role }: Pick<Person, 'role'>, place: Place): readonly PersonAct[] {
  if (place === 'manager') return ['impersonate', 'positions', 'funds'];
  const isTrader = role === 'trader';
  return [
    ...(role === 'admin' ? [] : (['impersonate'] as const)),
    ...(isTrader ? (['funds', 'positions'] as const) : []),
    'edit',
    ...(isTrader && place === 'users' ? (['assign'] as const) : []),
    ...(isTrader ? (['restrict'] as const) : []),
    ...(role === 'admin' ? [] : (['delete'] as const)),
  ];
}
