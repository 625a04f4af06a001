export * from './landing.ts';
export {
  enter,
  followOtherTabs,
  leave,
  openClient,
  type SessionState,
  startSession,
  useSession,
  useSignedIn,
} from './session.ts';
