/**
 * A visitor's reads from `/rest/v1`: plain fetches with the public key, so that the landing page carries no client.
 * Data is polled, not pushed; a hidden page sends no requests.
 */
import type { Candle } from '@fulcrum/contract';
import type { Timeframe } from '@fulcrum/domain';
import { startTransition, useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { loadServerConfig } from '../../shared/supabase/config.ts';

async function fetchJson<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const { anonKey } = await loadServerConfig();
  const headers = { apikey: anonKey, 'content-type': 'application/json' };
  const answer = await fetch(`/rest/v1/${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`HTTP error! status: ${answer.status}`);
  return answer.json();
}

/** The latest bars, oldest first. */
export const fetchCandles = (
  symbol: string,
  timeframe: Timeframe,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Candle[]> =>
  fetchJson('rpc/get_candles', {
    method: 'POST',
    body: JSON.stringify({ p_symbol: symbol, p_timeframe: timeframe, p_limit: limit }),
    signal,
  });

/** Pairs by their symbols, in no order; `columns` are the fields of `Row`. */
export function fetchPairs<Row>(
  symbols: readonly string[],
  columns: readonly (keyof Row & string)[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const list = symbols.map((symbol) => `"${symbol}"`).join(',');
  const query = new URLSearchParams({ symbol: `in.(${list})`, select: columns.join(',') });
  return fetchJson(`trading_pairs?${query}`, { signal });
}

export type Polled<Value> =
  | { readonly status: 'loading' | 'failed' }
  | {
      readonly status: 'ready';
      readonly value: Value;
      /** When it was read, ms since the epoch. */
      readonly readAt: number;
      /** The number of reads that failed since; each one causes a render. */
      readonly failures: number;
    };

function afterFailure<Value>(previous: Polled<Value>): Polled<Value> {
  return previous.status === 'ready'
    ? { ...previous, failures: previous.failures + 1 }
    : { status: 'failed' };
}

/** Polls `read`; the last value stays while later reads fail. `read` must be stable. */
export function usePolled<Value>(
  what: string,
  read: (signal: AbortSignal) => Promise<Value>,
  everyMs: number,
): Polled<Value> {
  const [polled, setPolled] = useState<Polled<Value>>({ status: 'loading' });
  useEffect(() => {
    const unmounted = new AbortController();
    let isReading = false;
    const poll = async () => {
      if (isReading || document.visibilityState === 'hidden') return;
      isReading = true;
      try {
        const value = await read(unmounted.signal);
        const ready = { status: 'ready', value, readAt: Date.now(), failures: 0 } as const;
        // A transition renders in slices: drawing all charts at once would block a slow phone.
        startTransition(() => setPolled(ready));
      } catch (cause) {
        if (unmounted.signal.aborted) return;
        log.warn(`${what} could not be read`, cause);
        setPolled(afterFailure);
      } finally {
        isReading = false;
      }
    };
    const begin = () => {
      poll().catch((cause: unknown) => log.error('Polling failed', cause));
    };
    begin();
    const timer = setInterval(begin, everyMs);
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', begin);
      unmounted.abort();
    };
  }, [what, read, everyMs]);
  return polled;
}
