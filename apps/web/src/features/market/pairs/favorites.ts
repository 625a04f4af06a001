/**
 * Starred pairs (A38). Screens read this browser's copy (`trading-favorites`). After sign-in the server's list
 * applies, once a visitor's stars have been added to it. Symbols are stored in their normalised form and never used
 * for routing.
 *
 * Invariant: one user's copy is never shown to the next user of the same browser.
 */
import { normaliseSymbol } from '@fulcrum/domain';
import { create } from 'zustand';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { getStored, setStored as keepText } from '../../../shared/storage/index.ts';
import { type Supabase, unwrap, unwrapOrNull } from '../../../shared/supabase/index.ts';

const key = 'trading-favorites';
const ownerKey = 'trading-favorites-owner';
const favoritesLimit = 1_000;

/** The symbols of a stored list, at most `most`; anything other than a list counts as empty. */
export function parseSymbols(stored: unknown, most: number): string[] {
  if (!Array.isArray(stored)) return [];
  const symbols = stored.filter((one) => typeof one === 'string').map(normaliseSymbol);
  return [...new Set(symbols)].filter((symbol) => symbol !== '').slice(0, most);
}

export const parseFavorites = (stored: string | null): readonly string[] =>
  parseSymbols(parseJson(stored), favoritesLimit);

/**
 * Merges the lists at sign-in: the resulting list, and the stars that the server still lacks. `owner` is the user of
 * this browser's copy; null for a visitor's.
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
  symbols: new Set(parseFavorites(getStored(key))),
}));

function storeFavorites(symbols: Iterable<string>, owner?: string): void {
  const set = new Set(symbols);
  keepText(key, JSON.stringify([...set]));
  if (owner !== undefined) keepText(ownerKey, owner);
  useFavorites.setState({ symbols: set });
}

export const isFavorite = (favorites: ReadonlySet<string>, symbol: string): boolean =>
  favorites.has(normaliseSymbol(symbol));

/** The server's limit of rows per request. */
const rowsPerRequest = 100;

async function insert(supabase: Supabase, symbols: readonly string[]): Promise<void> {
  for (let from = 0; from < symbols.length; from += rowsPerRequest) {
    const rows = symbols.slice(from, from + rowsPerRequest).map((symbol) => ({ symbol }));
    const request = supabase.rest
      .from('favorites')
      .upsert(rows, { onConflict: 'user_id,symbol', ignoreDuplicates: true });
    await unwrapOrNull(request);
  }
}

export interface FavoritesOwner {
  readonly userId: string;
  /** During impersonation this browser's stars belong to the staff member and are not added to the user's list. */
  readonly isImpersonated: boolean;
}

/** Takes over the server's list at sign-in. Rejects when the list cannot be read; the local copy then stays. */
export async function syncFavorites(
  supabase: Supabase,
  { userId, isImpersonated }: FavoritesOwner,
  signal: AbortSignal,
): Promise<void> {
  const request = supabase.rest
    .from('favorites')
    .select('symbol')
    .eq('user_id', userId)
    .limit(favoritesLimit);
  const rows = await unwrap(request.abortSignal(signal));
  const local = [...useFavorites.getState().symbols];
  const { merged, missing } = mergeFavorites(
    local,
    isImpersonated ? userId : getStored(ownerKey),
    rows.map(({ symbol }) => symbol),
  );
  if (missing.length > 0) await insert(supabase, missing);
  storeFavorites(merged, userId);
}

/** Stars or unstars a pair at once. If the server refuses, the star is reverted and the promise rejects. */
export async function toggleFavorite(supabase: Supabase, userId: string, pairSymbol: string): Promise<void> {
  const symbol = normaliseSymbol(pairSymbol);
  const wasStarred = useFavorites.getState().symbols.has(symbol);
  const set = (starred: boolean) => {
    const others = [...useFavorites.getState().symbols].filter((one) => one !== symbol);
    storeFavorites(starred ? [...others, symbol] : others);
  };
  set(!wasStarred);
  try {
    if (wasStarred)
      await unwrapOrNull(supabase.rest.from('favorites').delete().eq('user_id', userId).eq('symbol', symbol));
    else await insert(supabase, [symbol]);
  } catch (cause) {
    set(wasStarred);
    throw cause;
  }
}
