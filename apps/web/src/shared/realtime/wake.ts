/**
 * The socket after a pause: a hidden page does not reconnect, and a machine that slept holds a link that is dead without
 * knowing it. When somebody looks again, the network returns or time has jumped, the link is renewed or asked for a sign
 * of life; without one within five seconds it is given up for a new one.
 */
import type { RealtimeClient } from '@supabase/realtime-js';
import { log as appLog } from '../log/log.ts';

const log = appLog.of('realtime');
const answerWithinMs = 5_000;
const beatMs = 5_000;
/** A timer that comes this late has slept. */
const jumpMs = 30_000;

type Socket = Pick<RealtimeClient, 'connect' | 'isConnected' | 'sendHeartbeat' | 'pendingHeartbeatRef'>;

/** Until the returned function is called. */
export function keepAwake(socket: Socket): () => void {
  let asked: ReturnType<typeof setTimeout> | undefined;
  let lastMs = Date.now();

  // The client takes a second heartbeat while the first is unanswered for the end of the link.
  const ask = () => {
    socket.sendHeartbeat().catch((cause: unknown) => log.warn('The socket does not answer', cause));
  };
  const wake = () => {
    lastMs = Date.now();
    clearTimeout(asked);
    if (!socket.isConnected()) return socket.connect();
    ask();
    asked = setTimeout(() => {
      if (socket.pendingHeartbeatRef !== null) ask();
    }, answerWithinMs);
  };
  const onVisibility = () => {
    if (document.visibilityState === 'visible') wake();
  };
  const timer = setInterval(() => {
    const slept = Date.now() - lastMs > jumpMs;
    lastMs = Date.now();
    if (slept && document.visibilityState === 'visible') wake();
  }, beatMs);
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('online', wake);
  return () => {
    clearTimeout(asked);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', wake);
  };
}
