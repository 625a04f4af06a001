/** The home page of each role. Pure, so that all guards agree. */
import type { Profile } from '../supabase/rows.ts';

export type Role = Profile['role'];

/** Pages of the trader's layout; only these are worth returning to after signing in (A43). */
const traderPaths = [
  '/dashboard',
  '/trading',
  '/wallet',
  '/journal',
  '/analytics',
  '/chat',
  '/profile',
] as const;

const homes: Record<Role, string> = {
  trader: '/dashboard',
  manager: '/manager',
  support: '/support',
  admin: '/admin',
};

/** The page that a role lands on after sign-in (AUTH-06 to AUTH-09). */
export const homeOf = (role: Role): string => homes[role];

/** Reads the origin that a guard stored in the location's untyped state. */
export function originOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('from' in state)) return null;
  return typeof state.from === 'string' ? state.from : null;
}

/**
 * The page after signing in: for a trader the remembered page of the trader's area, otherwise the role's home. `from` is a path
 * with query and hash; a foreign or unknown one is ignored.
 */
export function landingAfterSignIn(role: Role, from: string | null): string {
  if (role !== 'trader' || from === null) return homeOf(role);
  const path = from.split(/[?#]/, 1)[0] ?? '';
  return traderPaths.some((known) => path === known || path.startsWith(`${known}/`)) ? from : homeOf(role);
}
