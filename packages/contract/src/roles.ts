/** The roles of a caller. `anon` is a caller without a session; the other four are the roles of the specification. */
export const roles = ['anon', 'trader', 'manager', 'support', 'admin'] as const;
export type Role = (typeof roles)[number];
export type UserRole = Exclude<Role, 'anon'>;

/**
 * The caller of a request, read from its token and nothing else. `actorId` differs from `userId` only during
 * impersonation.
 */
export type Caller =
  | { readonly role: 'anon' }
  | {
      readonly role: UserRole;
      readonly userId: string;
      readonly actorId: string;
      readonly sessionId: string;
      /** The impersonation that the token belongs to; null in the user's own session. */
      readonly impersonationId: string | null;
    };
export type SignedIn = Exclude<Caller, { role: 'anon' }>;

/** Whether the token impersonates a user. Fails closed: any doubt counts as impersonation. */
export const isImpersonating = ({ impersonationId, actorId, userId }: SignedIn): boolean =>
  impersonationId !== null || actorId !== userId;
