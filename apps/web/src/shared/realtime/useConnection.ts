/** The state of the page's link, looked at once a second while somebody can see the page. */
import { useEffect, useState } from 'react';
import { useSupabase } from '../supabase/context.ts';
import { type Connection, createConnectionWatch } from './connection.ts';

const everyMs = 1_000;

const isSame = (one: Connection, other: Connection): boolean =>
  one.state === other.state && 'sinceMs' in one === 'sinceMs' in other && sinceOf(one) === sinceOf(other);
const sinceOf = (connection: Connection): number | null =>
  'sinceMs' in connection ? connection.sinceMs : null;

/** What the page has heard of the market; has to be stable. */
export interface Heard {
  /** Since when followed prices have not come, ms since the epoch; null while none are followed. */
  readonly silentSince: () => number | null;
  readonly isTradingHalted: () => boolean;
}

export function useConnection(userId: string, { silentSince, isTradingHalted }: Heard): Connection {
  const { realtime } = useSupabase();
  const [connection, setConnection] = useState<Connection>({ state: 'connected' });

  useEffect(() => {
    const watch = createConnectionWatch(Date.now());
    const topic = `realtime:user:${userId}`;
    const look = () => {
      if (document.visibilityState === 'hidden') return watch.rest(Date.now());
      const isJoined = realtime.getChannels().some((one) => one.topic === topic && one.state === 'joined');
      const seen = watch.see({
        nowMs: Date.now(),
        isLinked: isJoined && realtime.isConnected(),
        isOnline: navigator.onLine,
        silentSinceMs: silentSince(),
        isTradingHalted: isTradingHalted(),
      });
      setConnection((shown) => (isSame(shown, seen) ? shown : seen));
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [realtime, userId, silentSince, isTradingHalted]);
  return connection;
}
