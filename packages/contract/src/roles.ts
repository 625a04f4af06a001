/** Who may ask. `anon` is a caller without a session; the other four are the roles of the specification. */
export const roles = ['anon', 'trader', 'manager', 'support', 'admin'] as const;
export type Role = (typeof roles)[number];
export type UserRole = Exclude<Role, 'anon'>;

/**
 * The caller of a request, read from its token and nothing else. `actorId` differs from `userId` only while a staff
 * member acts as somebody else.
 */
export type Caller =
  | { readonly role: 'anon' }
  | {
      readonly role: UserRole;
      readonly userId: string;
      readonly actorId: string;
      readonly sessionId: string;
      /** The impersonation that the token belongs to; null when the person acts as themselves. */
      readonly actingId: string | null;
    };
export type SignedIn = Exclude<Caller, { role: 'anon' }>;

/** Whether staff act as somebody else. Fails closed: a caller of whom it is not certain that it acts for itself does. */
export const isActing = ({ actingId, actorId, userId }: SignedIn): boolean =>
  actingId !== null || actorId !== userId;
