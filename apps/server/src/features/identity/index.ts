/** Accounts, sessions and sign-in. */

export { type IdentityDependencies, requireStrong } from './context.ts';
export { recordUserCreation } from './creation-audit.ts';
export { demoPassword, seedDemo } from './demo.ts';
export { endDemoCredentials } from './demo-credentials.ts';
export { IdentityError, type IdentityRefusal } from './errors.ts';
export { createIdentity, type Identity } from './identity.ts';
export { guardFromImpersonation, refuseWhileImpersonating } from './impersonation.ts';
export { createOperatorCommands, type OperatorCommands } from './operator.ts';
export { createPasswordLink, enqueuePasswordLink } from './password-links.ts';
export { makeUnusableHash } from './passwords.ts';
export { requireManager } from './profiles.ts';
export { createRecovery, endRecoveries, type Recovery } from './recovery.ts';
export { createIdentityMails } from './recovery-mails.ts';
export type { RegistrationTerms } from './registration.ts';
export type { SessionTokens } from './session-tokens.ts';
export { type Device, lockLiveSession, logoutScopes, sessionLifetimeMs } from './sessions.ts';
export { lockStaffChanges, takeStaffLock } from './staff-lock.ts';
export { getUserRow, insertUser, type User } from './users.ts';
