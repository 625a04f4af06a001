/**
 * Who uses this page. The state goes from loading to signed out or signed in (AUTH-41) and then follows the auth client:
 * its sign-in event reloads the profile, its sign-out event clears everything, in every tab. A visitor without a stored
 * session never loads the client. Invariant: signed in means that the profile was read.
 *
 * A server that does not answer at start is no reason to end a session: the state is `unreachable` until a retry.
 */
import type { AuthChangeEvent, Session, User } from '@supabase/auth-js';
import { create } from 'zustand';
import { log } from '../log/log.ts';
import { kept } from '../storage/index.ts';
import {
  answerOf,
  connect,
  fromWire,
  type Profile,
  RequestError,
  type Supabase,
  sessionKey,
} from '../supabase/index.ts';
import { type Acting, actingOf } from './acting.ts';

export interface SignedIn {
  readonly status: 'signed-in';
  /** Whose account this page shows: while somebody acts, the one acted as. */
  readonly user: Profile;
  readonly supabase: Supabase;
  /** Names the original user while one acts as somebody else, else null. */
  readonly acting: Acting | null;
}
export type SessionState = { readonly status: 'loading' | 'unreachable' | 'signed-out' } | SignedIn;

export const useSession = create<SessionState>(() => ({ status: 'loading' }));
const become = (state: SessionState) => useSession.setState(state, true);

const signedInUser = (): Profile | null => {
  const state = useSession.getState();
  return state.status === 'signed-in' ? state.user : null;
};

/** The signed-in person and the client, for pages behind a guard. */
export function useSignedIn(): SignedIn {
  const state = useSession();
  if (state.status !== 'signed-in') throw new Error('useSignedIn outside of a guarded page');
  return state;
}

let reading: { readonly userId: string; readonly profile: Promise<Profile | null> } | undefined;

/** Reads a profile once however many ask at the same time: the sign-in event and the form that caused it do. */
function profileOf(supabase: Supabase, userId: string): Promise<Profile | null> {
  if (reading?.userId === userId) return reading.profile;
  const profile = answerOf(supabase.rest.from('users').select('*').eq('id', userId).maybeSingle())
    .then((row) => (row === null ? null : fromWire(row)))
    .finally(() => {
      if (reading?.profile === profile) reading = undefined;
    });
  reading = { userId, profile };
  return profile;
}

/** Reads the signed-in person's profile again: staff changed it. Rejects when it cannot be read. */
export async function reloadProfile(): Promise<void> {
  const before = useSession.getState();
  if (before.status !== 'signed-in') return;
  const user = await profileOf(before.supabase, before.user.id);
  const now = useSession.getState();
  if (user && now.status === 'signed-in' && now.user.id === user.id) become({ ...now, user });
}

/** Whose session it is to be: it may end, or become somebody else's, while a profile is being read. */
let expected: string | null = null;

function end(): void {
  expected = null;
  become({ status: 'signed-out' });
}

/** What of a session says who it belongs to. */
type EnteredSession = Pick<Session, 'access_token'> & { readonly user: Pick<User, 'id'> };

/**
 * Takes over a session whose profile exists; false when it does not, and then the session is given up (AUTH-46), and
 * when it ended meanwhile. Rejects with a `RequestError` when the profile could not be read.
 */
export async function enter(supabase: Supabase, session: EnteredSession): Promise<boolean> {
  const userId = session.user.id;
  expected = userId;
  const user = await profileOf(supabase, userId);
  if (expected !== userId) return false;
  if (user) {
    become({ status: 'signed-in', user, supabase, acting: actingOf(session.access_token) });
    return true;
  }
  log.warn(`No profile for user ${userId}`);
  await leave(supabase);
  return false;
}

/**
 * Ends the session of this device only, and the state with it. Rejects when the server could not be told; the page is
 * signed out all the same, because the library forgets the session first.
 */
export async function leave(supabase: Supabase): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'local' });
  if (error) throw error;
  end();
}

/**
 * AUTH-53: from acting as somebody else back to the original user, who is returned; null when that session ended
 * meanwhile. Also right when the time was up already. Rejects when the server could not be told.
 */
export async function endActing(supabase: Supabase): Promise<Profile | null> {
  await answerOf(supabase.rest.rpc('end_impersonation'));
  const { data: renewed, error } = await supabase.auth.refreshSession();
  if (error) throw error;
  if (renewed.session) await enter(supabase, renewed.session);
  return signedInUser();
}

/**
 * AUTH-43: a sign-in reloads the profile. Every other event does when the session has become somebody else's, as it does
 * when acting begins or ends, here or in another tab.
 */
function onAuthEvent(supabase: Supabase, event: AuthChangeEvent, session: Session | null): void {
  if (event === 'SIGNED_OUT') {
    end();
    return;
  }
  // The stored session at start is the business of `resume`.
  if (session === null || event === 'INITIAL_SESSION') return;
  const userId = session.user.id;
  const isOtherUser = userId !== signedInUser()?.id;
  if (event !== 'SIGNED_IN' && !isOtherUser) return;
  enter(supabase, session).catch((cause: unknown) => {
    log.warn('The profile could not be read', cause);
    if (isOtherUser && expected === userId) become({ status: 'unreachable' });
  });
}

let followed: Supabase | undefined;

/** The client, with this state following its events. */
export async function openClient(): Promise<Supabase> {
  const supabase = await connect();
  if (followed !== supabase) {
    followed = supabase;
    // The client awaits its listeners: asking it anything before it has finished would wait for itself.
    supabase.auth.onAuthStateChange((event, session) => {
      setTimeout(() => onAuthEvent(supabase, event, session));
    });
  }
  return supabase;
}

const isTransient = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.transient
    : error instanceof Error && error.name === 'AuthRetryableFetchError';

async function resume(): Promise<void> {
  const supabase = await openClient();
  const { data: stored, error } = await supabase.auth.getSession();
  if (error) throw error;
  if (!stored.session) return become({ status: 'signed-out' });
  await enter(supabase, stored.session);
}

async function resumeOrGiveUp(): Promise<void> {
  try {
    await resume();
  } catch (cause) {
    log.warn('The session could not be resumed', cause);
    // Without the client there is nothing to sign out of: the server is away.
    if (followed === undefined || isTransient(cause)) return become({ status: 'unreachable' });
    // AUTH-45: an error at start signs out; the server may refuse that too, the state does not depend on it.
    end();
    await leave(followed).catch((refusal: unknown) => log.warn('Signing out failed', refusal));
  }
}

const hasStoredSession = (): boolean => kept(sessionKey) !== null;

/** Settles the session at start, and again when the person asks to retry (ROUTE-30). */
export async function startSession(): Promise<void> {
  if (!hasStoredSession()) return become({ status: 'signed-out' });
  become({ status: 'loading' });
  await resumeOrGiveUp();
}

/** Another tab signed in while this one has no client to hear of it. Returns the way to stop listening. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== sessionKey || event.newValue === null || followed !== undefined) return;
    resumeOrGiveUp().catch((cause: unknown) => log.error('Following another tab failed', cause));
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
