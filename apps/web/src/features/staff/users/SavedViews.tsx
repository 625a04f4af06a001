/**
 * Predefined filters with the number of matching users, then the admin's own views (`saved-views.ts`) and the menu that saves,
 * replaces, renames and deletes them. The current one is marked; an own view whose list was changed says so.
 *
 * Known limitation: each count is a request of its own, once a minute, so own views have none. A count that fails is not shown.
 */
import { useQueries } from '@tanstack/react-query';
import Bookmark from 'lucide-react/icons/bookmark';
import { useRef, useState } from 'react';
import { NameDialog } from '../../../shared/form/NameDialog.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useColumnChoice } from '../../../shared/table/index.ts';
import { Button, Menu, MenuItem, MenuSeparator, showToast } from '../../../shared/ui/index.ts';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { formatCount } from './labels.ts';
import {
  createView,
  deleteView,
  isChanged,
  nameMax,
  queryOfView,
  renameView,
  replaceView,
  type SavedView,
  useOwnViews,
  validateName,
  validateQuery,
  viewsMax,
} from './saved-views.ts';
import { changeQuery, filterArgs, noFilter, type UsersFilter, usersUrlState } from './users-query.ts';
import { usersKeys } from './useUsers.ts';

const views = [
  { label: 'All users', filter: noFilter },
  { label: 'Traders to check', filter: { ...noFilter, roles: ['trader'], kyc: ['pending'] } },
  { label: 'Unassigned traders', filter: { ...noFilter, roles: ['trader'], managers: ['none'] } },
  { label: 'Restricted', filter: { ...noFilter, restricted: true } },
] as const satisfies readonly { readonly label: string; readonly filter: UsersFilter }[];
const fixedNames = views.map(({ label }) => label);

const isSameFilter = (one: UsersFilter, other: UsersFilter): boolean =>
  JSON.stringify(Object.keys(noFilter).map((name) => one[name as keyof UsersFilter])) ===
  JSON.stringify(Object.keys(noFilter).map((name) => other[name as keyof UsersFilter]));

const countEveryMs = 60_000;

/** The number of users of each view, of all users first. */
export function useViewCounts(): readonly (number | undefined)[] {
  const { supabase } = useSignedIn();
  return useQueries({
    queries: views.map(({ filter }) => ({
      queryKey: usersKeys.count(filter),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const args = { ...filterArgs(filter), p_page_size: 1 };
        return (await unwrap(supabase.rest.rpc('list_users', args).abortSignal(signal))).total;
      },
      refetchInterval: countEveryMs,
    })),
    combine: (counts) => counts.map(({ data: count }) => count),
  });
}

const tab = (isCurrent: boolean) =>
  `h-[30px] shrink-0 rounded-control px-2.5 text-12 font-medium -outline-offset-2 max-md:h-11 ${isCurrent ? 'bg-accent-weak text-accent' : 'text-text-2 hover:bg-raised hover:text-text'}`;

interface SavedViewsProps {
  readonly prefix: string;
  readonly counts: readonly (number | undefined)[];
}

export function SavedViews({ prefix, counts }: SavedViewsProps) {
  const [query, change] = useUrlState(usersUrlState.full, prefix);
  const columns = useColumnChoice('users');
  const own = useOwnViews();
  const [named, setNamed] = useState<SavedView | 'new' | null>(null);
  const renamed = named === 'new' ? null : named;
  const menu = useRef<HTMLButtonElement>(null);
  const current = own.find(({ id }) => id === query.view) ?? null;
  const changed = current !== null && isChanged(current, query, columns.chosen);

  const open = (view: SavedView) => {
    change(queryOfView(view));
    columns.choose(view.columns);
  };
  const replace = ({ id, name }: SavedView) => {
    const refused = validateQuery(query);
    if (refused === null) replaceView(id, query, columns.chosen);
    showToast(refused === null ? 'success' : 'error', refused ?? `${name} replaced`);
  };
  const remove = ({ id, name }: SavedView) => {
    deleteView(id);
    change({ view: null });
    showToast('success', `${name} deleted`);
  };

  return (
    <div className="flex items-center gap-2">
      <fieldset className="scroll-cue-x flex min-w-0 gap-1 overflow-x-auto [--ground:var(--canvas)] [scrollbar-width:none]">
        <legend className="sr-only">Views</legend>
        {views.map(({ label, filter }, index) => {
          const count = counts[index];
          const isShown = current === null && isSameFilter(query, filter);
          return (
            <button
              key={label}
              type="button"
              aria-pressed={isShown}
              onClick={() => change((held) => ({ ...changeQuery(held, filter), view: null }))}
              className={tab(isShown)}
            >
              {label}
              <span className="figures ml-1.5 inline-block min-w-4 text-left font-normal">
                {count === undefined ? '' : formatCount(count)}
              </span>
            </button>
          );
        })}
        {own.length > 0 ? (
          <span aria-hidden="true" className="mx-1 h-5 w-px shrink-0 self-center bg-line-strong" />
        ) : null}
        {own.map((view) => (
          <button
            key={view.id}
            type="button"
            aria-pressed={view === current}
            onClick={() => open(view)}
            className={tab(view === current)}
          >
            <bdi>{view.name}</bdi>
            {view === current && changed ? <span className="font-normal"> · changed</span> : null}
          </button>
        ))}
      </fieldset>
      <Menu
        label="Own views"
        align="end"
        trigger={
          <Button ref={menu} size="compact" tone="quiet" className="shrink-0" aria-label="Own views">
            <Bookmark size={14} aria-hidden="true" />
            <span className="max-md:sr-only">Views</span>
          </Button>
        }
      >
        <MenuItem disabled={own.length >= viewsMax} onSelect={() => setNamed('new')}>
          {own.length >= viewsMax ? `Save as a view (${viewsMax} at most)` : 'Save as a view…'}
        </MenuItem>
        {current === null ? null : (
          <>
            <MenuSeparator />
            <MenuItem disabled={!changed} onSelect={() => replace(current)}>
              Replace {current.name} by this list
            </MenuItem>
            <MenuItem onSelect={() => setNamed(current)}>Rename {current.name}…</MenuItem>
            <MenuItem onSelect={() => remove(current)}>Delete {current.name}</MenuItem>
          </>
        )}
      </Menu>
      {named === null ? null : (
        <NameDialog
          title={renamed === null ? 'Save as a view' : `Rename ${renamed.name}`}
          description={
            renamed === null ? 'Search, filters, order and columns come back with one press.' : undefined
          }
          submit={renamed === null ? 'Save view' : 'Rename'}
          name={renamed?.name ?? ''}
          maxLength={nameMax}
          check={(name) =>
            validateName(name, renamed?.id ?? null, fixedNames) ??
            (renamed === null ? validateQuery(query) : null)
          }
          save={(name) => {
            if (renamed === null) change({ view: createView(name, query, columns.chosen) });
            else renameView(renamed.id, name);
          }}
          onClose={() => setNamed(null)}
          fallbackFocus={() => menu.current}
        />
      )}
    </div>
  );
}
