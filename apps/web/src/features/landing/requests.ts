/**
 * What a visitor's page reads of `/rest/v1`: plain fetches with the public key, so that the landing page carries no client.
 * Reads are polled, not pushed; while the page is hidden nothing is asked.
 */
import type { Candle } from '@fulcrum/contract';
import type { Timeframe } from '@fulcrum/domain';
import { startTransition, useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { serverConfig } from '../../shared/supabase/config.ts';

async function json<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const { anonKey } = await serverConfig();
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
  json('rpc/get_candles', {
    method: 'POST',
    body: JSON.stringify({ p_symbol: symbol, p_timeframe: timeframe, p_limit: limit }),
    signal,
  });

/** Pairs by their symbols, in no order; `columns` are what `Row` has. */
export function fetchPairs<Row>(
  symbols: readonly string[],
  columns: readonly (keyof Row & string)[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const list = symbols.map((symbol) => `"${symbol}"`).join(',');
  const query = new URLSearchParams({ symbol: `in.(${list})`, select: columns.join(',') });
  return json(`trading_pairs?${query}`, { signal });
}

export type Polled<Value> =
  | { readonly status: 'loading' | 'failed' }
  | {
      readonly status: 'ready';
      readonly value: Value;
      /** When it was read, ms since the epoch. */
      readonly readAt: number;
      /** Rendered again by each read that failed since. */
      readonly failures: number;
    };

function afterFailure<Value>(held: Polled<Value>): Polled<Value> {
  return held.status === 'ready' ? { ...held, failures: held.failures + 1 } : { status: 'failed' };
}

/** What `read` answers, again and again; what was read once stays while later reads fail. `read` must be stable. */
export function usePolled<Value>(
  what: string,
  read: (signal: AbortSignal) => Promise<Value>,
  everyMs: number,
): Polled<Value> {
  const [polled, setPolled] = useState<Polled<Value>>({ status: 'loading' });
  useEffect(() => {
    const leaving = new AbortController();
    let isReading = false;
    const poll = async () => {
      if (isReading || document.visibilityState === 'hidden') return;
      isReading = true;
      try {
        const value = await read(leaving.signal);
        const ready = { status: 'ready', value, readAt: Date.now(), failures: 0 } as const;
        // In slices: charts drawn in one go would keep a slow phone from answering its owner.
        startTransition(() => setPolled(ready));
      } catch (cause) {
        if (leaving.signal.aborted) return;
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
      leaving.abort();
    };
  }, [what, read, everyMs]);
  return polled;
}
