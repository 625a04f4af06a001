/**
 * Candles for visitors: plain fetches with the public key, so that the landing page carries no client. Polled, not
 * pushed; while the page is hidden nothing is asked.
 */
import type { Candle, PriceState, Source } from '@fulcrum/contract';
import { useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { type ServerConfig, serverConfig } from '../../shared/supabase/config.ts';

const pollMs = 5000;
const bars = 96;
export const previewSymbol = 'BTCUSDT';
export const previewTimeframe = '15m';

export type Market =
  | { readonly status: 'loading' | 'failed' }
  | {
      readonly status: 'ready';
      readonly candles: readonly Candle[];
      /** What the last price is worth; null before the first one. */
      readonly price: PreviewPrice | null;
      readonly config: ServerConfig;
    };

export interface PreviewPrice {
  readonly state: PriceState;
  readonly source: Source;
  /** ISO 8601. */
  readonly priced_at: string;
}

interface PairRow {
  readonly state: PriceState | null;
  readonly source: Source | null;
  readonly priced_at: string | null;
}

async function json<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(`/rest/v1/${path}`, init);
  if (!answer.ok) throw new Error(`HTTP error! status: ${answer.status}`);
  return answer.json();
}

async function fetchMarket(signal: AbortSignal): Promise<Market> {
  const config = await serverConfig();
  const headers = { apikey: config.anonKey, 'content-type': 'application/json' };
  const asked = { p_symbol: previewSymbol, p_timeframe: previewTimeframe, p_limit: bars };
  const [candles, pairs] = await Promise.all([
    json<readonly Candle[]>('rpc/get_candles', {
      method: 'POST',
      headers,
      body: JSON.stringify(asked),
      signal,
    }),
    json<readonly PairRow[]>(`trading_pairs?symbol=eq.${previewSymbol}&select=state,source,priced_at`, {
      headers,
      signal,
    }),
  ]);
  if (candles.length < 2) throw new Error('Invalid response format');
  return { status: 'ready', candles, price: priceOf(pairs[0]), config };
}

function priceOf(row: PairRow | undefined): PreviewPrice | null {
  if (!row) return null;
  const { state, source, priced_at } = row;
  return state === null || source === null || priced_at === null ? null : { state, source, priced_at };
}

/** The latest candles, oldest first. What was read once stays while later reads fail. */
export function useMarket(): Market {
  const [market, setMarket] = useState<Market>({ status: 'loading' });
  useEffect(() => {
    const leaving = new AbortController();
    const read = async () => {
      if (document.visibilityState === 'hidden') return;
      try {
        setMarket(await fetchMarket(leaving.signal));
      } catch (cause) {
        if (leaving.signal.aborted) return;
        log.warn('The preview has no candles', cause);
        setMarket((held) => (held.status === 'ready' ? held : { status: 'failed' }));
      }
    };
    const poll = () => {
      read().catch((cause: unknown) => log.error('Polling failed', cause));
    };
    poll();
    const timer = setInterval(poll, pollMs);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, []);
  return market;
}
