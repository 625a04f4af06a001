/**
 * An admin's own views of the users list: a name, the state of the list as its address has it, and the columns.
 * `shared/user-settings` takes them into every browser of the admin.
 *
 * Invariant: at most `viewsMax` views, each with a bounded address, so that the stored value stays below the server's bound.
 */
import { newUuid } from '../../../shared/ids/index.ts';
import { type ColumnChoice, parseColumnChoice } from '../../../shared/table/index.ts';
import { createStoredSetting } from '../../../shared/user-settings/index.ts';
import { type UsersQuery, usersUrlState } from './users-query.ts';

export type SavedView = {
  readonly id: string;
  readonly name: string;
  /** Search, filters, order and rows a page, as a query string. */
  readonly query: string;
  readonly columns: ColumnChoice;
};

export const viewsMax = 20;
export const nameMax = 32;
/** About thirty managers, the longest of the filters. */
const queryMax = 1_200;

function parseView(stored: unknown): SavedView[] {
  if (typeof stored !== 'object' || stored === null) return [];
  if (!('id' in stored && 'name' in stored && 'query' in stored)) return [];
  const { id, name, query } = stored;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof query !== 'string') return [];
  const shownName = name.trim().slice(0, nameMax);
  if (id === '' || shownName === '' || query.length > queryMax) return [];
  return [{ id, name: shownName, query, columns: parseColumnChoice('columns' in stored && stored.columns) }];
}

/** The views of a stored value; what is no view is left out. */
export function parseViews(stored: unknown): { views: SavedView[] } {
  const views = typeof stored === 'object' && stored !== null && 'views' in stored ? stored.views : null;
  if (!Array.isArray(views)) return { views: [] };
  const parsed = views.flatMap(parseView);
  const isFirst = ({ id }: SavedView, at: number) => parsed.findIndex((one) => one.id === id) === at;
  return { views: parsed.filter(isFirst).slice(0, viewsMax) };
}

const store = createStoredSetting({
  key: 'users-views',
  storageKey: 'fulcrum-users-views',
  parse: parseViews,
});
export const savedViewsSetting = store.setting;
export const useOwnViews = (): readonly SavedView[] => store.use().views;

/** The list of a view, from its first page. */
export const queryOfView = ({ id, query }: SavedView): UsersQuery => ({
  ...usersUrlState.full.parse(new URLSearchParams(query)),
  view: id,
});

const toQueryText = (query: UsersQuery): string =>
  `${usersUrlState.full.write(new URLSearchParams(), { ...query, page: 1, view: null })}`;

const toText = (choice: ColumnChoice) => JSON.stringify(Object.entries(choice).sort());

/** Whether the list and its columns differ from the view. */
export const isChanged = (view: SavedView, query: UsersQuery, columns: ColumnChoice): boolean =>
  toQueryText(queryOfView(view)) !== toQueryText(query) || toText(view.columns) !== toText(columns);

/** Why a name cannot be given to a view; null when it can. `id` is the view that is renamed. */
export function validateName(name: string, id: string | null, taken: readonly string[]): string | null {
  const required = name.trim().toLowerCase();
  if (required === '') return 'Enter a name, such as Traders of demo_manager.';
  if (name.trim().length > nameMax) return `Enter a name of at most ${nameMax} characters.`;
  const { views } = store.get();
  const names = [...taken, ...views.filter((view) => view.id !== id).map((view) => view.name)];
  const isTaken = names.some((one) => one.toLowerCase() === required);
  return isTaken ? 'A view with this name exists. Choose another name.' : null;
}

/** Why the list cannot be a view; null when it can. */
export const validateQuery = (query: UsersQuery): string | null =>
  toQueryText(query).length > queryMax
    ? 'This list has too many managers for a view. Remove some of them from the filter.'
    : null;

/** Saves the list as a new view; its id. */
export function createView(name: string, query: UsersQuery, columns: ColumnChoice): string {
  const id = newUuid();
  const view = { id, name: name.trim(), query: toQueryText(query), columns };
  store.set({ views: [...store.get().views, view].slice(0, viewsMax) });
  return id;
}

const changeView = (id: string, change: Partial<SavedView>): void =>
  store.set({ views: store.get().views.map((view) => (view.id === id ? { ...view, ...change } : view)) });

export const renameView = (id: string, name: string): void => changeView(id, { name: name.trim() });

/** Takes over the list and the columns as they are shown. */
export const replaceView = (id: string, query: UsersQuery, columns: ColumnChoice): void =>
  changeView(id, { query: toQueryText(query), columns });

export const deleteView = (id: string): void =>
  store.set({ views: store.get().views.filter((view) => view.id !== id) });
