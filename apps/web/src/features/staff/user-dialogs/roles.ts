/** The four roles and their labels (ADMIN-51). */
import { type UserRole, userRoles } from '@fulcrum/contract/roles';

export const roleLabels = {
  trader: 'Trader',
  manager: 'Manager',
  support: 'Support',
  admin: 'Admin',
} as const satisfies Record<UserRole, string>;

export const roles = userRoles.map((value) => ({ value, label: roleLabels[value] }));

/** Parses a form value. An unknown value, possible only in a modified page, counts as `trader`. */
export const parseRole = (value: string): UserRole =>
  roles.find((role) => role.value === value)?.value ?? 'trader';
