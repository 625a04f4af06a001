/**
 * Revives the socket after a pause: a hidden page does not reconnect, and after sleep a machine may have a dead connection.
 * When the page becomes visible, the network returns or time has jumped, the socket reconnects or sends a heartbeat; without an
 * answer within five seconds it is replaced.
 */
import type { RealtimeClient } from '@supabase/realtime-js';
import { log as appLog } from '../log/log.ts';

const log = appLog.of('realtime');
const answerTimeoutMs = 5_000;
const beatMs = 5_000;
/** A timer this late means that the machine slept. */
const jumpMs = 30_000;

type Socket = Pick<RealtimeClient, 'connect' | 'isConnected' | 'sendHeartbeat' | 'pendingHeartbeatRef'>;

/** Runs until the returned function is called. */
export function keepSocketAlive(socket: Socket): () => void {
  let answerTimer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = Date.now();

  // The client treats a second heartbeat with the first unanswered as a dead connection.
  const ping = () => {
    socket.sendHeartbeat().catch((cause: unknown) => log.warn('The socket does not answer', cause));
  };
  const revive = () => {
    lastMs = Date.now();
    clearTimeout(answerTimer);
    if (!socket.isConnected()) return socket.connect();
    ping();
    answerTimer = setTimeout(() => {
      if (socket.pendingHeartbeatRef !== null) ping();
    }, answerTimeoutMs);
  };
  const onVisibility = () => {
    if (document.visibilityState === 'visible') revive();
  };
  const timer = setInterval(() => {
    const slept = Date.now() - lastMs > jumpMs;
    lastMs = Date.now();
    if (slept && document.visibilityState === 'visible') revive();
  }, beatMs);
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('online', revive);
  return () => {
    clearTimeout(answerTimer);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', revive);
  };
}
