/**
 * Offers the trading store to scripts (`window.fulcrum.trading`) while a trader is signed in. Its code loads last. The store
 * and the screen share the selected pair: a selection in one applies to the other.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { TradingStore } from '../../features/trading/store/index.ts';
import { whenIdle } from '../../shared/code/usePrefetch.ts';
import { log } from '../../shared/log/log.ts';
import { selectSymbol, useSelectedSymbol } from '../../shared/selected-pair/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';

const tradingPath = '/trading';

export function ScriptStore() {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const pathnameRef = useRef(pathname);
  pathnameRef.current = pathname;
  const store = useRef<TradingStore | null>(null);
  const shared = useSelectedSymbol();
  const symbol = (pathname === tradingPath ? new URLSearchParams(search).get('symbol') : null) ?? shared;
  const shown = useRef(symbol);
  shown.current = symbol ?? shown.current;
  const navigateRef = useRef(navigate);
  navigateRef.current = navigate;

  useEffect(() => {
    let isOver = false;
    let remove = () => {};
    const select = (chosen: string) => {
      const to = `${tradingPath}?symbol=${encodeURIComponent(chosen)}`;
      // Other URLs name no pair: screens that show one follow, and the trading screen uses the selection later.
      if (pathnameRef.current === tradingPath) void navigateRef.current(to, { replace: true });
      else selectSymbol(chosen);
    };
    const offer = async () => {
      const { exposeTradingStore: offerTradingStore } = await import('../../features/trading/store/index.ts');
      if (isOver) return;
      const offered = offerTradingStore({ accountId, supabase, cache, select, selectedPair: shown.current });
      store.current = offered.store;
      remove = offered.remove;
    };
    const stopWaiting = whenIdle(() => {
      offer().catch((cause: unknown) => log.warn('The store for scripts failed to load', cause));
    });
    return () => {
      isOver = true;
      store.current = null;
      stopWaiting();
      remove();
    };
  }, [accountId, supabase, cache]);

  useEffect(() => {
    if (symbol !== null) store.current?.setState({ selectedPair: symbol });
  }, [symbol]);
  return null;
}
