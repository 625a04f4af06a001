/**
 * Whether the agent takes conversations: chosen in the header, available on entering (CHAT-32), offline on leaving (CHAT-33).
 * It is saved in `support_details` (CALL-79) and announced on `presence:support`; both again after each rejoin, because the
 * server takes an agent without a socket for offline (A68). Another tab of the same browser takes over what is chosen here, and
 * stays when this one leaves. While somebody acts as the agent nothing is saved or announced.
 */
import { create } from 'zustand';
import { log as appLog } from '../../../shared/log/log.ts';
import { type FollowedTopic, followTopic } from '../../../shared/realtime/follow-topic.ts';
import type { SignedIn } from '../../../shared/session/index.ts';
import { kept } from '../../../shared/storage/index.ts';
import { answerOf, type Supabase, sessionKey } from '../../../shared/supabase/index.ts';

const log = appLog.of('support');
export const agentStatuses = [
  { value: 'available', label: 'Available' },
  { value: 'busy', label: 'Busy' },
  { value: 'offline', label: 'Offline' },
] as const;
export type AgentStatus = (typeof agentStatuses)[number]['value'];

interface Agent {
  readonly status: AgentStatus;
  readonly saving: 'saved' | 'pending' | 'failed';
}
export const useAgent = create<Agent>(() => ({ status: 'offline', saving: 'pending' }));

const againAfterMs = 5_000;
const afterAnotherMs = 1_000;
const isStatus = (value: unknown): value is AgentStatus => agentStatuses.some((one) => one.value === value);

/** CALL-79. */
const save = (supabase: Supabase, userId: string, status: AgentStatus) =>
  answerOf(supabase.rest.from('support_details').update({ status }).eq('user_id', userId));

/** The access token without waiting: a page that is left answers nobody any more. */
function storedToken(): string | null {
  try {
    const stored: unknown = JSON.parse(kept(sessionKey) ?? 'null');
    const hasToken = typeof stored === 'object' && stored !== null && 'access_token' in stored;
    return hasToken && typeof stored.access_token === 'string' ? stored.access_token : null;
  } catch (cause) {
    log.warn('The stored session could not be read', cause);
    return null;
  }
}

/** Goes out although the page goes away. */
function saveOfflineAndGo({ config }: Supabase, userId: string): void {
  const token = storedToken();
  if (token === null) return;
  fetch(`/rest/v1/support_details?user_id=eq.${userId}`, {
    method: 'PATCH',
    keepalive: true,
    headers: {
      apikey: config.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-application-name': 'fulcrum',
    },
    body: JSON.stringify({ status: 'offline' }),
  }).catch((cause: unknown) => log.info('The page was left before it could say so', cause));
}

/** What the open console offers; null while there is none. */
let open: { readonly choose: (status: AgentStatus) => void; readonly leave: () => Promise<void> } | null =
  null;

export const chooseStatus = (status: AgentStatus): void => open?.choose(status);

/** CHAT-26: before the session ends. What cannot be saved does not keep anybody in. */
export const goOffline = async (): Promise<void> => {
  await open?.leave();
};

/** Enters the console; the returned function leaves it. */
export function enterConsole({ supabase, user, acting }: SignedIn): () => void {
  if (acting !== null) return () => {};
  let followed: FollowedTopic | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  /** Counts choices: only the answer to the last one says anything. */
  let turn = 0;
  const others = new BroadcastChannel(`fulcrum-support-${user.id}`);

  const announce = (status: AgentStatus) => {
    followed
      ?.joined()
      ?.track({ status })
      .catch((cause: unknown) => log.warn('The status could not be announced', cause));
  };
  const keepSaved = (status: AgentStatus) => {
    clearTimeout(again);
    turn += 1;
    const asked = turn;
    useAgent.setState({ status, saving: 'pending' });
    // Announced when it is stored, not before: who hears of it reads it again at once.
    save(supabase, user.id, status).then(
      () => {
        if (asked !== turn) return;
        useAgent.setState({ saving: 'saved' });
        announce(status);
      },
      (cause: unknown) => {
        log.warn('The status could not be saved', cause);
        if (asked !== turn || isOver) return;
        announce(status);
        useAgent.setState({ saving: 'failed' });
        again = setTimeout(() => keepSaved(useAgent.getState().status), againAfterMs);
      },
    );
  };
  const choose = (status: AgentStatus) => {
    others.postMessage(status);
    keepSaved(status);
  };
  others.onmessage = ({ data: told }: MessageEvent<unknown>) => {
    if (isStatus(told)) return keepSaved(told);
    // Another tab left: this one is still here, and says so once that one's last word has arrived.
    clearTimeout(again);
    again = setTimeout(() => keepSaved(useAgent.getState().status), afterAnotherMs);
  };

  const end = () => {
    isOver = true;
    turn += 1;
    clearTimeout(again);
    removeEventListener('pagehide', onHide);
    removeEventListener('pageshow', onShow);
    useAgent.setState({ status: 'offline', saving: 'saved' });
    if (open === mine) open = null;
    followed?.leave();
  };
  const leave = async () => {
    if (isOver) return;
    end();
    await save(supabase, user.id, 'offline').catch((cause: unknown) =>
      log.warn('Going offline could not be saved', cause),
    );
    others.postMessage('left');
    others.close();
  };
  const onHide = () => {
    saveOfflineAndGo(supabase, user.id);
    others.postMessage('left');
  };
  // Back from the browser's memory of pages: entered again.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) choose('available');
  };
  const mine = { choose, leave };

  open = mine;
  addEventListener('pagehide', onHide);
  addEventListener('pageshow', onShow);
  choose('available');
  followed = followTopic(supabase, 'presence:support', {
    listen: () => {},
    onJoined: () => keepSaved(useAgent.getState().status),
    presenceKey: user.id,
  });
  return () => {
    leave().catch((cause: unknown) => log.error('Leaving the console broke', cause));
  };
}
