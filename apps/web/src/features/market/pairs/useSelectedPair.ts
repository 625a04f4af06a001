/** The pair in view. It stands in the URL (`?symbol=BTCUSDT`), so a link leads to it; without one the last pair returns. */
import { normaliseSymbol } from '@fulcrum/domain';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { keep, kept } from '../../../shared/storage/index.ts';
import type { Pair } from './usePairs.ts';

const key = 'fulcrum-pair';
const defaultSymbol = 'BTCUSDT';

/** The pair that a symbol names, also in its normal form (EURUSD is EUR/USD); undefined when the catalogue has none. */
export function findPair<P extends { readonly symbol: string }>(
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

const pairInView = (pairs: readonly Pair[], asked: string | null): Pair | undefined =>
  findPair(pairs, asked) ?? findPair(pairs, kept(key)) ?? findPair(pairs, defaultSymbol) ?? pairs[0];

/** The pair in view, for who shows something of it and does not choose it: the URL stays as it is. */
export function usePairInView(pairs: readonly Pair[]): Pair | undefined {
  const [search] = useSearchParams();
  return pairInView(pairs, search.get('symbol'));
}

export function useSelectedPair(pairs: readonly Pair[]): {
  readonly selected: Pair | undefined;
  readonly select: (symbol: string) => void;
} {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('symbol');
  const selected = pairInView(pairs, asked);

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
    keep(key, symbol);
    if (asked !== symbol) select(symbol);
  }, [symbol, asked, select]);

  return { selected, select };
}
