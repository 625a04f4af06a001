export type { Acting } from './acting.ts';
export * from './landing.ts';
export { onPersonGone } from './person-gone.ts';
export {
  endActing,
  enter,
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
