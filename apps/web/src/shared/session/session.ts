/**
 * The session of this page. The state goes from loading to signed out or signed in (AUTH-41) and then follows the auth client:
 * a sign-in event reloads the profile, a sign-out event clears everything, in every tab. A visitor without a stored session
 * never loads the client. Invariant: signed in means that the profile was read.
 *
 * A server that does not answer at start, or fails, does not end a session: the state is `unreachable` until a retry. Only a
 * session that the server refuses ends.
 */
import type { AuthChangeEvent, Session, User } from '@supabase/auth-js';
import { create } from 'zustand';
import { getAddressedAccount } from '../account-address/index.ts';
import { log } from '../log/log.ts';
import { getStored } from '../storage/index.ts';
import {
  connect,
  fromWire,
  type Profile,
  RequestError,
  type Supabase,
  sessionKey,
  type TradingAccount,
  unwrapOrNull,
} from '../supabase/index.ts';
import { type Impersonation, parseImpersonation } from './impersonation.ts';

export interface SignedIn {
  readonly status: 'signed-in';
  /** The user whose account this page shows; during an impersonation the impersonated user. */
  readonly user: Profile;
  /** The trading account that this page shows; of the main account it is the user's id. */
  readonly accountId: string;
  /** The terms and name of that account; null for the main account, whose terms are the server's. */
  readonly account: TradingAccount | null;
  readonly supabase: Supabase;
  /** The impersonation with its original user, else null. */
  readonly impersonation: Impersonation | null;
}
interface SignedOut {
  readonly status: 'signed-out';
  /** Whether a session ended other than by a logout in this tab: by the server, its age, or another tab. */
  readonly hasEnded: boolean;
}
/** The page's address names an account that is not the user's. */
interface AccountGone {
  readonly status: 'account-gone';
  /** Whether the user came with this address; else the page was another user's, or nobody's. */
  readonly isAtStart: boolean;
}
export type SessionState =
  | { readonly status: 'loading' | 'unreachable' }
  | AccountGone
  | SignedOut
  | SignedIn;

export const useSession = create<SessionState>(() => ({ status: 'loading' }));
const setSession = (state: SessionState) => useSession.setState(state, true);

const signedInUser = (): Profile | null => {
  const state = useSession.getState();
  return state.status === 'signed-in' ? state.user : null;
};

/** The signed-in user and the client, for pages behind a guard. */
export function useSignedIn(): SignedIn {
  const state = useSession();
  if (state.status !== 'signed-in') throw new Error('useSignedIn outside of a guarded page');
  return state;
}

let profileRequest: { readonly userId: string; readonly profile: Promise<Profile | null> } | undefined;

/** Reads a profile; concurrent reads, such as by the sign-in event and by its form, share one request. */
function readProfile(supabase: Supabase, userId: string): Promise<Profile | null> {
  if (profileRequest?.userId === userId) return profileRequest.profile;
  const profile = unwrapOrNull(supabase.rest.from('users').select('*').eq('id', userId).maybeSingle())
    .then((row) => (row === null ? null : fromWire(row)))
    .finally(() => {
      if (profileRequest?.profile === profile) profileRequest = undefined;
    });
  profileRequest = { userId, profile };
  return profile;
}

/** The profile and the account of this page; null is the main account. */
const readShown = (supabase: Supabase, userId: string) =>
  Promise.all([readProfile(supabase, userId), supabase.readAccount(userId)]);

/** Reads the signed-in user's profile and account again after a change. Rejects when the read fails. */
export async function reloadProfile(): Promise<void> {
  const before = useSession.getState();
  if (before.status !== 'signed-in') return;
  const [user, account] = await readShown(before.supabase, before.user.id);
  const now = useSession.getState();
  if (user && now.status === 'signed-in' && now.user.id === user.id) setSession({ ...now, user, account });
}

/** The user of the expected session: it may end, or change to another user, while a profile is being read. */
let expected: string | null = null;

/** Whether this tab itself ends the session; the client's event may come later than the answer. */
let isLeaving = false;

function end(): void {
  expected = null;
  setSession({ status: 'signed-out', hasEnded: !isLeaving });
}

/** The part of a session that identifies its user. */
type EnteredSession = Pick<Session, 'access_token'> & { readonly user: Pick<User, 'id'> };

/**
 * Enters a session whose profile exists. Returns false when the profile does not exist, and then ends the session (AUTH-46), when
 * the session ended meanwhile, or when the address names an account that is not the user's. Rejects with a `RequestError` when the
 * profile could not be read.
 */
export async function enter(supabase: Supabase, session: EnteredSession): Promise<boolean> {
  const userId = session.user.id;
  expected = userId;
  isLeaving = false;
  let user: Profile | null = null;
  let account: TradingAccount | null = null;
  try {
    [user, account] = await readShown(supabase, userId);
  } catch (cause) {
    // The account that the page's address names is not the user's.
    const isRefused = cause instanceof RequestError && cause.code === 'not_found';
    if (!isRefused || !getAddressedAccount()) throw cause;
    const wasShown = useSession.getState().status.startsWith('signed-');
    setSession({ status: 'account-gone', isAtStart: !wasShown });
    return false;
  }
  if (expected !== userId) return false;
  if (user) {
    setSession({
      status: 'signed-in',
      user,
      accountId: account?.id ?? userId,
      account,
      supabase,
      impersonation: parseImpersonation(session.access_token),
    });
    return true;
  }
  log.warn(`No profile for user ${userId}`);
  await leave(supabase);
  return false;
}

/** The user whom a login form is signing in: the form itself reports an unreadable profile. */
let signingIn: string | null = null;

/**
 * Enters the session of a login form. When the profile can't be read, the session ends before this rejects, so that the form
 * stays and shows the error (AUTH-13).
 */
export async function enterFromLogin(supabase: Supabase, session: EnteredSession): Promise<boolean> {
  signingIn = session.user.id;
  try {
    return await enter(supabase, session);
  } catch (cause) {
    end();
    await leave(supabase).catch((refusal: unknown) => log.warn('Signing out failed', refusal));
    throw cause;
  } finally {
    signingIn = null;
  }
}

/**
 * Ends the session of this device only, and the state with it. Rejects when the server did not answer; the page is signed out
 * anyway, because the library removes the session first.
 */
export async function leave(supabase: Supabase): Promise<void> {
  isLeaving = true;
  const { error } = await supabase.auth.signOut({ scope: 'local' });
  if (error) throw error;
  end();
}

/**
 * A sign-in reloads the profile (AUTH-43). Every other event does so when the session's user has changed, as at the start and
 * end of an impersonation, here or in another tab.
 */
function onAuthEvent(supabase: Supabase, event: AuthChangeEvent, session: Session | null): void {
  if (event === 'SIGNED_OUT') {
    end();
    return;
  }
  // `resume` handles the stored session at start.
  if (session === null || event === 'INITIAL_SESSION') return;
  const userId = session.user.id;
  const isOtherUser = userId !== signedInUser()?.id;
  if (event !== 'SIGNED_IN' && !isOtherUser) return;
  enter(supabase, session).catch((cause: unknown) => {
    log.warn('The profile could not be read', cause);
    if (isOtherUser && expected === userId && signingIn !== userId) setSession({ status: 'unreachable' });
  });
}

let followed: Supabase | undefined;

/** Returns the client and connects this state to its events. */
export async function openClient(): Promise<Supabase> {
  const supabase = await connect();
  if (followed !== supabase) {
    followed = supabase;
    // The client awaits its listeners: a call to it inside one would deadlock.
    supabase.auth.onAuthStateChange((event, session) => {
      setTimeout(() => onAuthEvent(supabase, event, session));
    });
  }
  return supabase;
}

const unauthorized = 401;

/**
 * Whether the server refuses the session itself. A profile that is unreadable for another reason, such as a server fault,
 * leaves the session unchanged; a session that cannot be retrieved ends (AUTH-45).
 */
const isSessionRefused = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.status === unauthorized
    : !(error instanceof Error && error.name === 'AuthRetryableFetchError');

async function resume(): Promise<void> {
  const supabase = await openClient();
  const { data: stored, error } = await supabase.auth.getSession();
  if (error) throw error;
  if (!stored.session) return setSession({ status: 'signed-out', hasEnded: true });
  await enter(supabase, stored.session);
}

async function resumeOrSignOut(): Promise<void> {
  try {
    await resume();
  } catch (cause) {
    log.warn('The session could not be resumed', cause);
    // Without the client there is no session to end: the server is away.
    if (followed === undefined || !isSessionRefused(cause)) return setSession({ status: 'unreachable' });
    // An error at start signs out (AUTH-45); the state does not depend on the server's answer to that.
    end();
    await leave(followed).catch((refusal: unknown) => log.warn('Signing out failed', refusal));
  }
}

const hasStoredSession = (): boolean => getStored(sessionKey) !== null;

/** Resolves the session at start, and again when the user retries (ROUTE-30). */
export async function startSession(): Promise<void> {
  if (!hasStoredSession()) return setSession({ status: 'signed-out', hasEnded: false });
  setSession({ status: 'loading' });
  await resumeOrSignOut();
}

/** Handles a sign-in in another tab while this one has no client. Returns a function that stops listening. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== sessionKey || event.newValue === null || followed !== undefined) return;
    resumeOrSignOut().catch((cause: unknown) => log.error('Following another tab failed', cause));
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
