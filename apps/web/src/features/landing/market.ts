/**
 * Candles for visitors: plain fetches with the public key, so that the landing page carries no client. Polled, not
 * pushed; while the page is hidden nothing is asked.
 */
import type { Candle } from '@fulcrum/contract';
import { useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { type ServerConfig, serverConfig } from '../../shared/supabase/config.ts';

const pollMs = 5000;
const bars = 96;
export const previewSymbol = 'BTCUSDT';
export const previewTimeframe = '15m';

export type Market =
  | { readonly status: 'loading' | 'failed' }
  | { readonly status: 'ready'; readonly candles: readonly Candle[]; readonly config: ServerConfig };

async function fetchMarket(signal: AbortSignal): Promise<Market> {
  const config = await serverConfig();
  const answer = await fetch('/rest/v1/rpc/get_candles', {
    method: 'POST',
    headers: { apikey: config.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ p_symbol: previewSymbol, p_timeframe: previewTimeframe, p_limit: bars }),
    signal,
  });
  if (!answer.ok) throw new Error(`HTTP error! status: ${answer.status}`);
  const candles: readonly Candle[] = await answer.json();
  if (candles.length < 2) throw new Error('Invalid response format');
  return { status: 'ready', candles, config };
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
