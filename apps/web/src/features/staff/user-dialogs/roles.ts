/** The four roles and their labels (ADMIN-51). */
import { type UserRole, userRoles } from '@fulcrum/contract/roles';
import { optionsOf } from '../../../shared/form/SelectField.tsx';

export const roleLabels = {
  trader: 'Trader',
  manager: 'Manager',
  support: 'Support',
  admin: 'Admin',
} as const satisfies Record<UserRole, string>;

export const roles = optionsOf(userRoles, roleLabels);
