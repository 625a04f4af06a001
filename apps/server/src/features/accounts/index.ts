/** Accounts, sessions and sign-in. */
export {
  type Accounts,
  type AccountsDependencies,
  createAccounts,
  type Grant,
  type NewAccount,
} from './accounts.ts';
export { demoPassword, seedDemo } from './demo.ts';
export { AccountError, type AccountRefusal, TooManyAttempts } from './errors.ts';
export { type Device, type LogoutScope, logoutScopes } from './sessions.ts';
export type { User } from './users.ts';
