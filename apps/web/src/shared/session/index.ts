export * from './demo-login.ts';
export type { Impersonation } from './impersonation.ts';
export * from './landing.ts';
export {
  enter,
  enterFromLogin,
  followOtherTabs,
  leave,
  openClient,
  reloadProfile,
  type SessionState,
  type SignedIn,
  startSession,
  useSession,
  useSignedIn,
} from './session.ts';
export { onUserGone } from './user-gone.ts';
