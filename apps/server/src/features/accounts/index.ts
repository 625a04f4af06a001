/** Accounts, sessions and sign-in. */
export {
  type Accounts,
  type AccountsDependencies,
  createAccounts,
  type Grant,
  type NewAccount,
} from './accounts.ts';
export { requireNotActing } from './acting.ts';
export { addressOf, countAttempt, forgiveAttempt, limits as attemptLimits } from './attempts.ts';
export { type Act, actorOf, markOf, recordAct } from './audit.ts';
export { type ChainHead, type ChainVerdict, parseHead, verifyAuditChain } from './audit-chain.ts';
export { demoPassword, seedDemo } from './demo.ts';
export { AccountError, type AccountRefusal, TooManyAttempts } from './errors.ts';
export {
  enqueueLetter,
  enqueueMail,
  type LetterKind,
  type MailKind,
  type MailSender,
  type MailWriter,
  type QueuedMail,
} from './mails.ts';
export { createOperatorCommands, type OperatorCommands } from './operator.ts';
export { requireReason } from './reasons.ts';
export { createRecovery, endRecoveries, type Recovery } from './recovery.ts';
export { type Device, type LogoutScope, logoutScopes } from './sessions.ts';
export { takeStaffTurn } from './staff-acts.ts';
export type { User } from './users.ts';
