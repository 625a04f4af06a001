/**
 * The roles and the sets of roles that tables, procedures and topics grant rights to. A right of one role names that role
 * where it is declared. `docs/authorization.md` states the rights by hand, and a test compares both.
 */
import { hourMs } from '@fulcrum/domain';
export const userRoles = ['trader', 'manager', 'support', 'admin'] as const;
export type UserRole = (typeof userRoles)[number];
/** The roles of a caller. `anon` is a caller without a session. */
export const roles = ['anon', ...userRoles] as const;
export type Role = (typeof roles)[number];

/** Staff of every kind. */
export const staffRoles = ['manager', 'support', 'admin'] as const satisfies readonly UserRole[];
/** Staff who manage accounts: a manager those of the assigned traders, an admin all. */
export const managingRoles = ['manager', 'admin'] as const satisfies readonly UserRole[];
/** The sides of a conversation. */
export const chatSides = ['trader', 'support'] as const satisfies readonly UserRole[];
export type ChatSide = (typeof chatSides)[number];
/** Those who read a conversation. */
export const chatReaderRoles = [...chatSides, 'admin'] as const satisfies readonly UserRole[];

/** What an API key may do; `trade` includes `read`. A right that does not name its scope is refused to every key. */
export const apiKeyScopes = ['read', 'trade'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** The API key that a request came with. */
export interface ApiKeyGrant {
  readonly id: string;
  readonly scopes: ReadonlySet<ApiKeyScope>;
}

/**
 * The caller of a request, read from its token and nothing else. `actorId` differs from `userId` only during
 * impersonation.
 */
export type Caller =
  | { readonly role: 'anon' }
  | {
      readonly role: UserRole;
      readonly userId: string;
      /** The trading account that the request is about: the user's main one, whose id is the user's, or the one the token names. */
      readonly accountId: string;
      readonly actorId: string;
      /** Of a caller with an API key the key's id, which is no session. */
      readonly sessionId: string;
      /** The impersonation that the token belongs to; null in the user's own session. */
      readonly impersonationId: string | null;
      /** When the token ends, in seconds since the epoch; absent for a caller that the server itself made. */
      readonly expiresAtS?: number;
      /** Absent: the caller signed in. With a key only what declares its scope is possible. */
      readonly apiKey?: ApiKeyGrant;
    };
export type SignedIn = Exclude<Caller, { role: 'anon' }>;

/** Whether the token impersonates a user. Fails closed: any doubt counts as impersonation. */
export const isImpersonating = ({ impersonationId, actorId, userId }: SignedIn): boolean =>
  impersonationId !== null || actorId !== userId;

/** The manager whose users and classes a query is restricted to; null of an admin, who reaches everyone. */
export const managerOf = ({ role, userId }: SignedIn): string | null => (role === 'admin' ? null : userId);

/** The longest impersonation; the server ends it, the browser counts down to its end. */
export const impersonationLifetimeMs = hourMs;
