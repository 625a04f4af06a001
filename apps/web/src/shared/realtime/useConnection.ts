/** The connection state, sampled once a second while the page is visible. */
import { useEffect, useState } from 'react';
import { useSupabase } from '../supabase/context.ts';
import { type Connection, createConnectionMonitor } from './connection.ts';
import { isTopicJoined } from './topic-subscription.ts';

const sampleMs = 1_000;

const isSame = (one: Connection, other: Connection): boolean =>
  one.state === other.state && 'sinceMs' in one === 'sinceMs' in other && sinceOf(one) === sinceOf(other);
const sinceOf = (connection: Connection): number | null =>
  'sinceMs' in connection ? connection.sinceMs : null;

/** The page's market data state; must be stable. */
export interface MarketStatus {
  /** Since when subscribed prices have not arrived, ms since the epoch; null without subscriptions. */
  readonly silentSince: () => number | null;
  readonly isTradingHalted: () => boolean;
}

export function useConnection(accountId: string, { silentSince, isTradingHalted }: MarketStatus): Connection {
  const supabase = useSupabase();
  const [connection, setConnection] = useState<Connection>({ state: 'connected' });

  useEffect(() => {
    const monitor = createConnectionMonitor(Date.now());
    const sample = () => {
      if (document.visibilityState === 'hidden') return monitor.rest(Date.now());
      const seen = monitor.see({
        nowMs: Date.now(),
        isLinked: isTopicJoined(supabase, `user:${accountId}`),
        isOnline: navigator.onLine,
        silentSinceMs: silentSince(),
        isTradingHalted: isTradingHalted(),
      });
      setConnection((shown) => (isSame(shown, seen) ? shown : seen));
    };
    sample();
    const timer = setInterval(sample, sampleMs);
    return () => clearInterval(timer);
  }, [supabase, accountId, silentSince, isTradingHalted]);
  return connection;
}
