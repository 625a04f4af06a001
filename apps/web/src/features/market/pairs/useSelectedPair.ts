/**
 * The selected pair, one for all screens (`shared/selected-pair`). On the trading screen the URL contains it
 * (`?symbol=BTCUSDT`), so it can be linked; without it the last pair is selected.
 */
import { normaliseSymbol } from '@fulcrum/domain';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { selectSymbol, useSelectedSymbol } from '../../../shared/selected-pair/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { useOfferedPairs } from './useOfferedPairs.ts';
import type { Pair } from './usePairs.ts';

const defaultSymbol = 'BTCUSDT';
/** The longest part of an unknown symbol that is shown. */
const symbolMax = 24;

/** The pair of a symbol, also in its normalised form (EURUSD is EUR/USD); undefined if the catalogue has none. */
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

/** For a screen whose URL names no pair. */
export function useSharedPair(pairs: readonly Pair[]): Selection {
  const symbol = useSelectedSymbol();
  const offered = useOfferedPairs(pairs);
  const selected = findPair(pairs, symbol) ?? findPair(offered, defaultSymbol) ?? offered[0] ?? pairs[0];
  return { selected, select: selectSymbol };
}

/** For the screen whose URL names the pair. */
export function useSelectedPair(pairs: readonly Pair[]): Selection {
  const [search, setSearch] = useSearchParams();
  const shared = useSharedPair(pairs);
  const urlSymbol = search.get('symbol');
  const selected = findPair(pairs, urlSymbol) ?? shared.selected;

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
  const isUnknown = urlSymbol !== null && urlSymbol !== '' && !findPair(pairs, urlSymbol);
  useEffect(() => {
    if (symbol === undefined) return;
    if (isUnknown) {
      showToast('info', `No market called ${urlSymbol.slice(0, symbolMax)}. You see ${symbol}.`, {
        id: 'unknown-symbol',
      });
    }
    selectSymbol(symbol);
    if (urlSymbol !== symbol) select(symbol);
  }, [symbol, urlSymbol, isUnknown, select]);

  return { selected, select };
}
