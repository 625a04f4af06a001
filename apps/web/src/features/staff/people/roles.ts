/** The four roles, as they are offered (ADMIN-51). */
import type { UserRole } from '@fulcrum/contract';

export const roleWords = {
  trader: 'Trader',
  manager: 'Manager',
  support: 'Support',
  admin: 'Admin',
} as const satisfies Record<UserRole, string>;

const order = ['trader', 'manager', 'support', 'admin'] as const satisfies readonly UserRole[];
export const roles = order.map((value) => ({ value, label: roleWords[value] }));

/** What a form holds, which is one of them unless somebody changed the page. */
export const roleOf = (value: string): UserRole =>
  roles.find((role) => role.value === value)?.value ?? 'trader';
