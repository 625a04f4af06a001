/**
 * The last day of the pairs on the screen, for the curves of the market list. One request asks for all rows that lack theirs, once
 * scrolling rests. The curves are kept for the page's life: they are the market's, not a user's.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import { log } from '../../../shared/log/log.ts';
import { type Supabase, unwrap, useSupabase } from '../../../shared/supabase/index.ts';

export type Curve = readonly number[];

const restMs = 250;
const refreshMs = 5 * 60_000;
/** A market whose curve the server did not have yet. */
const retryMs = 20_000;
/** The server's bound. */
const perRequest = 60;

const useStored = create<{ readonly curves: ReadonlyMap<string, Curve> }>(() => ({ curves: new Map() }));
/** When a symbol may be asked for again. */
const dueAt = new Map<string, number>();

async function request(supabase: Supabase, symbols: readonly string[]): Promise<void> {
  for (const symbol of symbols) dueAt.set(symbol, Date.now() + retryMs);
  const rows = await unwrap(supabase.rest.rpc('get_sparklines', { p_symbols: [...symbols] }));
  for (const { symbol } of rows) dueAt.set(symbol, Date.now() + refreshMs);
  useStored.setState(({ curves }) => ({
    curves: new Map([...curves, ...rows.map(({ symbol, closes }) => [symbol, closes] as const)]),
  }));
}

/** The known curves; `symbols` are those on the screen, comma-separated, '' for none. */
export function useCurves(symbols: string): ReadonlyMap<string, Curve> {
  const supabase = useSupabase();
  useEffect(() => {
    if (symbols === '') return;
    const ask = () => {
      const due = symbols.split(',').filter((symbol) => (dueAt.get(symbol) ?? 0) <= Date.now());
      if (due.length === 0 || document.hidden) return;
      request(supabase, due.slice(0, perRequest)).catch((cause: unknown) =>
        log.warn('The curves of the market list could not be read', cause),
      );
    };
    const first = setTimeout(ask, restMs);
    const again = setInterval(ask, retryMs);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [supabase, symbols]);
  return useStored(({ curves }) => curves);
}
