/** Where a person belongs. Pure, so that the guards cannot disagree about it. */
import type { Profile } from '../supabase/rows.ts';

export type Role = Profile['role'];

/** Pages of the trader's layout; only these are worth returning to after signing in (A43). */
const traderPaths = ['/dashboard', '/trading', '/wallet', '/chat', '/profile'] as const;

const homes: Record<Role, string> = {
  trader: '/dashboard',
  manager: '/manager',
  support: '/support',
  admin: '/admin',
};

/** AUTH-06 to AUTH-09. */
export const homeOf = (role: Role): string => homes[role];

/** Reads a guard's note from a location's untyped state. */
export function originOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('from' in state)) return null;
  return typeof state.from === 'string' ? state.from : null;
}

/**
 * Where signing in leads: a trader back to the remembered page of the trader's area, anybody else home. `from` is a path
 * with query and hash; a foreign or unknown one is ignored.
 */
export function landingAfterSignIn(role: Role, from: string | null): string {
  if (role !== 'trader' || from === null) return homeOf(role);
  const path = from.split(/[?#]/, 1)[0] ?? '';
  return traderPaths.some((known) => path === known || path.startsWith(`${known}/`)) ? from : homeOf(role);
}
