/** Accounts, sessions and sign-in. */

export { countAttempt, rateLimitAddress, refundAttempt } from './attempts.ts';
export {
  type AuditEntry,
  actorOf,
  createPseudonymizer,
  type Pseudonymize,
  recordAuditEntry,
} from './audit.ts';
export { type ChainHead, type ChainVerdict, parseHead, verifyAuditChain } from './audit-chain.ts';
export { demoPassword, seedDemo } from './demo.ts';
export { IdentityError, type IdentityRefusal, TooManyAttempts } from './errors.ts';
export {
  createIdentity,
  type Identity,
  type IdentityDependencies,
  type SessionTokens,
  type UserDraft,
} from './identity.ts';
export { refuseWhileImpersonating } from './impersonation.ts';
export {
  enqueueNotice,
  enqueueStaffMail,
  type MailKind,
  type MailSender,
  type MailWriter,
  type QueuedMail,
  type StaffMailKind,
} from './mail-queue.ts';
export { createOperatorCommands, type OperatorCommands } from './operator.ts';
export { parseDescription, requireReason } from './reasons.ts';
export { createRecovery, endRecoveries, type Recovery } from './recovery.ts';
export { type Device, type LogoutScope, logoutScopes } from './sessions.ts';
export { lockStaffChanges } from './staff-lock.ts';
export type { User } from './users.ts';
