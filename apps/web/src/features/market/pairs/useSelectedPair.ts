/**
 * The pair in view, one for all screens (`shared/selected-pair`). On the trading screen it stands in the URL too
 * (`?symbol=BTCUSDT`), so a link leads to it; without one the last pair returns.
 */
import { normaliseSymbol } from '@fulcrum/domain';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { selectSymbol, useSelectedSymbol } from '../../../shared/selected-pair/index.ts';
import type { Pair } from './usePairs.ts';

const defaultSymbol = 'BTCUSDT';

/** The pair that a symbol names, also in its normal form (EURUSD is EUR/USD); undefined when the catalogue has none. */
function findPair<P extends { readonly symbol: string }>(
  pairs: readonly P[],
  symbol: string | null,
): P | undefined {
  if (symbol === null || symbol === '') return undefined;
  const normal = normaliseSymbol(symbol);
  return (
    pairs.find((pair) => pair.symbol === symbol) ??
    pairs.find((pair) => normaliseSymbol(pair.symbol) === normal)
  );
}

interface Selection {
  /** Undefined while the catalogue is empty. */
  readonly selected: Pair | undefined;
  readonly select: (symbol: string) => void;
}

/** Of a screen whose URL names no pair. */
export function useSharedPair(pairs: readonly Pair[]): Selection {
  const symbol = useSelectedSymbol();
  const selected = findPair(pairs, symbol) ?? findPair(pairs, defaultSymbol) ?? pairs[0];
  return { selected, select: selectSymbol };
}

/** Of the screen whose URL names the pair. */
export function useSelectedPair(pairs: readonly Pair[]): Selection {
  const [search, setSearch] = useSearchParams();
  const shared = useSharedPair(pairs);
  const asked = search.get('symbol');
  const selected = findPair(pairs, asked) ?? shared.selected;

  const select = useCallback(
    (symbol: string) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          next.set('symbol', symbol);
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const symbol = selected?.symbol;
  useEffect(() => {
    if (symbol === undefined) return;
    selectSymbol(symbol);
    if (asked !== symbol) select(symbol);
  }, [symbol, asked, select]);

  return { selected, select };
}
