/**
 * Starred pairs (A38). This browser's copy (`trading-favorites`) is what screens read; signed in, the server's list
 * wins, after stars of a visitor have been added to it once. Symbols are kept in their normal form and never routed from.
 * Invariant: the copy of one person is not handed to the next one on the same machine.
 */
import { normaliseSymbol } from '@fulcrum/domain';
import { create } from 'zustand';
import { keep as keepText, kept } from '../../../shared/storage/index.ts';
import { answerOf, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';

const key = 'trading-favorites';
const ownerKey = 'trading-favorites-owner';
const favoritesLimit = 1_000;

/** The stored list; anything that is not a list of symbols counts as none. */
export function readFavorites(stored: string | null): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(parsed)) return [];
    const symbols = parsed.filter((one) => typeof one === 'string').map(normaliseSymbol);
    return [...new Set(symbols)].filter((symbol) => symbol !== '').slice(0, favoritesLimit);
  } catch {
    return [];
  }
}

/**
 * What the list becomes at sign-in and which stars the server still lacks. `owner` is whose copy this browser holds;
 * null for a visitor's.
 */
export function mergeFavorites(
  local: readonly string[],
  owner: string | null,
  server: readonly string[],
): { readonly merged: readonly string[]; readonly missing: readonly string[] } {
  const known = server.map(normaliseSymbol);
  const missing = owner === null ? local.filter((symbol) => !known.includes(symbol)) : [];
  return { merged: [...known, ...missing], missing };
}

interface Favorites {
  readonly symbols: ReadonlySet<string>;
}
export const useFavorites = create<Favorites>(() => ({
  symbols: new Set(readFavorites(kept(key))),
}));

function keep(symbols: Iterable<string>, owner?: string): void {
  const set = new Set(symbols);
  keepText(key, JSON.stringify([...set]));
  if (owner !== undefined) keepText(ownerKey, owner);
  useFavorites.setState({ symbols: set });
}

export const isFavorite = (favorites: ReadonlySet<string>, symbol: string): boolean =>
  favorites.has(normaliseSymbol(symbol));

/** The server takes no more rows in one request. */
const mostAtOnce = 100;

async function insert(supabase: Supabase, symbols: readonly string[]): Promise<void> {
  for (let from = 0; from < symbols.length; from += mostAtOnce) {
    const rows = symbols.slice(from, from + mostAtOnce).map((symbol) => ({ symbol }));
    const request = supabase.rest
      .from('favorites')
      .upsert(rows, { onConflict: 'user_id,symbol', ignoreDuplicates: true });
    await answerOf(request);
  }
}

export interface FavoritesOwner {
  readonly userId: string;
  /** Somebody of the staff looks on as the owner: what this browser holds is then not the owner's to add. */
  readonly isActedAs: boolean;
}

/** Takes over the server's list at sign-in. Rejects when it cannot be read; the local copy then stays. */
export async function syncFavorites(
  supabase: Supabase,
  { userId, isActedAs }: FavoritesOwner,
  signal: AbortSignal,
): Promise<void> {
  const request = supabase.rest
    .from('favorites')
    .select('symbol')
    .eq('user_id', userId)
    .limit(favoritesLimit);
  const rows = await rowsOf(request.abortSignal(signal));
  const local = [...useFavorites.getState().symbols];
  const { merged, missing } = mergeFavorites(
    local,
    isActedAs ? userId : kept(ownerKey),
    rows.map(({ symbol }) => symbol),
  );
  if (missing.length > 0) await insert(supabase, missing);
  keep(merged, userId);
}

/** Stars or unstars at once; when the server refuses, the star goes back and the promise rejects. */
export async function toggleFavorite(supabase: Supabase, userId: string, pairSymbol: string): Promise<void> {
  const symbol = normaliseSymbol(pairSymbol);
  const wasStarred = useFavorites.getState().symbols.has(symbol);
  const set = (starred: boolean) => {
    const others = [...useFavorites.getState().symbols].filter((one) => one !== symbol);
    keep(starred ? [...others, symbol] : others);
  };
  set(!wasStarred);
  try {
    if (wasStarred)
      await answerOf(supabase.rest.from('favorites').delete().eq('user_id', userId).eq('symbol', symbol));
    else await insert(supabase, [symbol]);
  } catch (cause) {
    set(wasStarred);
    throw cause;
  }
}
