/**
 * A trader's named watchlists, beside the stars (A38). This browser's copy is shown at once; `shared/user-settings` takes it into
 * every browser of the user. Symbols have the normalised form of the stars.
 *
 * Invariant: at most `listsMax` lists of `symbolsMax` symbols, so that the stored value stays below the server's bound.
 */
import { normaliseSymbol } from '@fulcrum/domain';
import { create } from 'zustand';
import { newUuid } from '../../../shared/ids/index.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { useSession } from '../../../shared/session/index.ts';
import { getStored, setStored } from '../../../shared/storage/index.ts';
import type { SyncedSetting } from '../../../shared/user-settings/index.ts';
import { parseSymbols } from './favorites.ts';

export type Watchlist = { readonly id: string; readonly name: string; readonly symbols: string[] };

const key = 'trading-watchlists';
export const listsMax = 12;
const symbolsMax = 80;
export const nameMax = 24;

function parseWatchlist(stored: unknown): Watchlist[] {
  if (typeof stored !== 'object' || stored === null) return [];
  if (!('id' in stored && 'name' in stored && 'symbols' in stored)) return [];
  const { id, name } = stored;
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  const shownName = name.trim().slice(0, nameMax);
  return id === '' || shownName === ''
    ? []
    : [{ id, name: shownName, symbols: parseSymbols(stored.symbols, symbolsMax) }];
}

/** The lists of a stored value; what is no list is left out. */
export function parseWatchlists(stored: unknown): readonly Watchlist[] {
  const lists = typeof stored === 'object' && stored !== null && 'lists' in stored ? stored.lists : null;
  if (!Array.isArray(lists)) return [];
  const parsed = lists.flatMap(parseWatchlist);
  return parsed.filter(({ id }, at) => parsed.findIndex((one) => one.id === id) === at).slice(0, listsMax);
}

interface Watchlists {
  readonly lists: readonly Watchlist[];
  /** The id of the list that is shown in the place of the favorites; null shows the favorites. */
  readonly shown: string | null;
}
const useWatchlists = create<Watchlists>(() => ({
  lists: parseWatchlists(parseJson(getStored(key))),
  shown: null,
}));

function replaceLists(lists: readonly Watchlist[]): void {
  setStored(key, JSON.stringify({ lists }));
  useWatchlists.setState({ lists });
}

export const watchlistsSetting: SyncedSetting = {
  key: 'watchlists',
  read: () => ({ lists: [...useWatchlists.getState().lists] }),
  initial: { lists: [] },
  apply: (stored) => replaceLists(parseWatchlists(stored)),
  subscribe: (listener) => useWatchlists.subscribe(listener),
};

const none: readonly Watchlist[] = [];

/** The user's lists, and the shown one. During an impersonation there are none: this browser's belong to another user. */
export function useShownWatchlists(): {
  readonly lists: readonly Watchlist[];
  readonly shown: Watchlist | null;
} {
  const { lists, shown } = useWatchlists();
  const isOwn = useSession((session) => session.status === 'signed-in' && session.impersonation === null);
  if (!isOwn) return { lists: none, shown: null };
  return { lists, shown: lists.find(({ id }) => id === shown) ?? null };
}

export const showWatchlist = (id: string | null): void => useWatchlists.setState({ shown: id });

/** Why a name cannot be given to a list; null when it can. `id` is the list that is renamed. */
export function validateName(name: string, id: string | null, lists: readonly Watchlist[]): string | null {
  const required = name.trim().toLowerCase();
  if (required === '') return 'Enter a name, such as Metals.';
  if (name.trim().length > nameMax) return `Enter a name of at most ${nameMax} characters.`;
  const isTaken = lists.some((list) => list.id !== id && list.name.toLowerCase() === required);
  return isTaken || required === 'favorites' ? 'A list with this name exists. Choose another name.' : null;
}

/** Creates and shows a list, with its first symbol if there is one. */
export function createWatchlist(name: string, symbol: string | null): void {
  const id = newUuid();
  const symbols = symbol === null ? [] : [normaliseSymbol(symbol)];
  replaceLists([...useWatchlists.getState().lists, { id, name: name.trim(), symbols }].slice(0, listsMax));
  showWatchlist(id);
}

const changeList = (id: string, change: (list: Watchlist) => Watchlist): void =>
  replaceLists(useWatchlists.getState().lists.map((list) => (list.id === id ? change(list) : list)));

export const renameWatchlist = (id: string, name: string): void =>
  changeList(id, (list) => ({ ...list, name: name.trim() }));

export const deleteWatchlist = (id: string): void =>
  replaceLists(useWatchlists.getState().lists.filter((list) => list.id !== id));

export const isListed = ({ symbols }: Watchlist, symbol: string): boolean =>
  symbols.includes(normaliseSymbol(symbol));
export const isFull = ({ symbols }: Watchlist): boolean => symbols.length >= symbolsMax;

/** Adds a pair to a list or removes it. */
export const setListed = (id: string, symbol: string, listed: boolean): void =>
  changeList(id, (list) => {
    const others = list.symbols.filter((one) => one !== normaliseSymbol(symbol));
    return { ...list, symbols: listed && !isFull(list) ? [...others, normaliseSymbol(symbol)] : others };
  });
