/**
 * The agent's availability: chosen in the header, available on entering (CHAT-32), offline on leaving (CHAT-33).
 *
 * It is saved in `support_details` (CALL-79) and announced on `presence:support`. Each rejoin repeats both, because
 * the server sets an agent without a socket to offline (A68). Other tabs of the same browser take over the choice,
 * and stay available when this tab leaves. Impersonation saves and announces nothing.
 */
import { type SupportStatus, supportStatuses } from '@fulcrum/domain';
import { create } from 'zustand';
import { log as appLog } from '../../../shared/log/log.ts';
import { subscribeToTopic, type TopicSubscription } from '../../../shared/realtime/topic-subscription.ts';
import type { SignedIn } from '../../../shared/session/index.ts';
import { type Supabase, unwrapOrNull } from '../../../shared/supabase/index.ts';
import { sendOnUnload } from '../../../shared/supabase/send-on-unload.ts';

const log = appLog.of('support');

interface Agent {
  readonly status: SupportStatus;
  readonly saving: 'saved' | 'pending' | 'failed';
}
export const useAgent = create<Agent>(() => ({ status: 'offline', saving: 'pending' }));

const retryAfterMs = 5_000;
const afterAnotherMs = 1_000;
const isStatus = (value: unknown): value is SupportStatus => supportStatuses.some((one) => one === value);

/** Stores the availability of the agent in their own row (CALL-79). */
const save = (supabase: Supabase, userId: string, status: SupportStatus) =>
  unwrapOrNull(supabase.rest.from('support_details').update({ status }).eq('user_id', userId));

/** Sends the request so that it survives the page's unload. */
const saveOfflineOnUnload = (supabase: Supabase, userId: string): void =>
  sendOnUnload(supabase, {
    method: 'PATCH',
    path: `support_details?user_id=eq.${userId}`,
    body: { status: 'offline' },
  });

/** The actions of the open console; null while there is none. */
let activeConsole: {
  readonly choose: (status: SupportStatus) => void;
  readonly leave: () => Promise<void>;
} | null = null;

export const chooseStatus = (status: SupportStatus): void => activeConsole?.choose(status);

/** Runs before the session ends (CHAT-26). A failed save does not delay the sign-out. */
export const goOffline = async (): Promise<void> => {
  await activeConsole?.leave();
};

/** Enters the console; the returned function leaves it. */
export function enterConsole({ supabase, user, impersonation }: SignedIn): () => void {
  if (impersonation !== null) return () => {};
  let followed: TopicSubscription | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  /** Counts the choices: only the answer to the latest one applies. */
  let saveCount = 0;
  const otherTabs = new BroadcastChannel(`fulcrum-support-${user.id}`);

  const announce = (status: SupportStatus) => {
    followed
      ?.joined()
      ?.track({ status })
      .catch((cause: unknown) => log.warn('The status could not be announced', cause));
  };
  const saveStatus = (status: SupportStatus) => {
    clearTimeout(retryTimer);
    saveCount += 1;
    const ownSave = saveCount;
    useAgent.setState({ status, saving: 'pending' });
    // Announced after it is stored, because receivers read it at once.
    save(supabase, user.id, status).then(
      () => {
        if (ownSave !== saveCount) return;
        useAgent.setState({ saving: 'saved' });
        announce(status);
      },
      (cause: unknown) => {
        log.warn('The status could not be saved', cause);
        if (ownSave !== saveCount || isLeft) return;
        announce(status);
        useAgent.setState({ saving: 'failed' });
        retryTimer = setTimeout(() => saveStatus(useAgent.getState().status), retryAfterMs);
      },
    );
  };
  const choose = (status: SupportStatus) => {
    otherTabs.postMessage(status);
    saveStatus(status);
  };
  otherTabs.onmessage = ({ data: message }: MessageEvent<unknown>) => {
    if (isStatus(message)) return saveStatus(message);
    // Another tab left and set the agent offline. This tab stores its own status again, after that save has arrived.
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => saveStatus(useAgent.getState().status), afterAnotherMs);
  };

  const end = () => {
    isLeft = true;
    saveCount += 1;
    clearTimeout(retryTimer);
    removeEventListener('pagehide', onHide);
    removeEventListener('pageshow', onShow);
    useAgent.setState({ status: 'offline', saving: 'saved' });
    if (activeConsole === thisConsole) activeConsole = null;
    followed?.leave();
  };
  const leave = async () => {
    if (isLeft) return;
    end();
    await save(supabase, user.id, 'offline').catch((cause: unknown) =>
      log.warn('Going offline could not be saved', cause),
    );
    otherTabs.postMessage('left');
    otherTabs.close();
  };
  const onHide = () => {
    saveOfflineOnUnload(supabase, user.id);
    otherTabs.postMessage('left');
  };
  // The page returned from the back/forward cache: enter again.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) choose('available');
  };
  const thisConsole = { choose, leave };

  activeConsole = thisConsole;
  addEventListener('pagehide', onHide);
  addEventListener('pageshow', onShow);
  choose('available');
  followed = subscribeToTopic(supabase, 'presence:support', {
    listen: () => {},
    onJoined: () => saveStatus(useAgent.getState().status),
    presenceKey: user.id,
  });
  return () => {
    leave().catch((cause: unknown) => log.error('Leaving the console failed', cause));
  };
}
