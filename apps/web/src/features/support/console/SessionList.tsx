/**
 * 'Active Sessions' (CHAT-13 to CHAT-19): filter, tag, order, search, the rows, and a footer that shows whether the list
 * is live. J, K and the arrows walk through the rows, Enter opens one.
 */

import { texts } from '@fulcrum/contract/texts';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Search from 'lucide-react/icons/search';
import { type FocusEvent, type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { Keys } from '../../../shared/actions/index.ts';
import { EmptyState, ErrorState, Menu, MenuItem, Skeleton } from '../../../shared/ui/index.ts';
import { isSearchable } from './chat-search.ts';
import { FoundMessages } from './FoundMessages.tsx';
import { ListFooter } from './ListFooter.tsx';
import { ClosedSessionRow, type OpenedBy, SessionRow } from './SessionRow.tsx';
import type { FeedSnapshot } from './session-feed.ts';
import {
  type Chip,
  type Counts,
  countTags,
  findNeighbour,
  getMatchingIds,
  type Order,
  orders,
} from './sessions.ts';
import { TagFilter } from './TagFilter.tsx';
import type { Team } from './team.ts';
import type { Inbox } from './triage.ts';
import { useFrozenOrder } from './useFrozenOrder.ts';

const chips = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'unanswered', label: 'Unanswered' },
  { value: 'mentions', label: 'Mentions' },
  { value: 'snoozed', label: 'Snoozed' },
] as const satisfies readonly { readonly value: Chip; readonly label: string }[];

/** Finds the row of that session, to focus it. */
export const findRow = (list: HTMLElement | null, id: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-session="${CSS.escape(id)}"]`) ?? null;

/** Moves the focus one row up or down; from outside of the list it starts at the selected row. */
export function moveFocus(list: HTMLElement | null, selected: string | null, step: 1 | -1): void {
  if (!list) return;
  const ids = [...list.querySelectorAll<HTMLElement>('[data-session]')].map(
    (row) => row.dataset.session ?? '',
  );
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement && list.contains(activeElement) ? activeElement : null;
  const from = focused?.dataset.session ?? selected;
  const to = findNeighbour(ids, from ?? null, step);
  const row = to === null ? null : findRow(list, to);
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

function Skeletons() {
  return (
    <div role="status" aria-label="Loading sessions">
      {[0, 1, 2, 3, 4].map((at) => (
        <div key={at} className="flex h-[76px] gap-3 border-b border-line/60 px-4 py-3">
          <Skeleton className="size-9 !rounded-full" />
          <div className="flex grow flex-col gap-2">
            <Skeleton className="h-3 w-28" />
            <Skeleton className="h-3 w-40" />
            <Skeleton className="h-3 w-52" />
          </div>
        </div>
      ))}
    </div>
  );
}

interface SessionListProps {
  readonly feed: FeedSnapshot;
  readonly counts: Counts;
  readonly inbox: Inbox;
  readonly me: string;
  readonly nameOf: Team['nameOf'];
  readonly selected: string | null;
  readonly onOpen: (id: string, by: OpenedBy, seq?: number | null) => void;
  readonly onRetry: () => void;
  readonly list: RefObject<HTMLUListElement | null>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Counts the agent's changes of the list, which apply to the shown rows at once. */
  readonly refreshCount: number;
}

function Empty({ chip, searchText }: { readonly chip: Chip; readonly searchText: string }) {
  if (searchText.trim() !== '')
    return <EmptyState title="No matching sessions">No open session has that name or email.</EmptyState>;
  if (chip === 'mine')
    return (
      <EmptyState title="None assigned to you">
        Sessions that you answer first, or that a colleague transfers to you, are listed here.
      </EmptyState>
    );
  if (chip === 'mentions') return <EmptyState title="No unread mentions" />;
  if (chip === 'snoozed') return <EmptyState title="No snoozed sessions" />;
  if (chip === 'unanswered') return <EmptyState title="No unanswered sessions" />;
  return (
    <EmptyState title="No active sessions">
      A session appears here as soon as a trader opens the support chat.
    </EmptyState>
  );
}

export function SessionList({
  feed,
  counts,
  inbox,
  me,
  nameOf,
  selected,
  onOpen,
  onRetry,
  list,
  search,
  refreshCount,
}: SessionListProps) {
  const [chip, setChip] = useState<Chip>('all');
  const [order, setOrder] = useState<Order>('newest');
  const [chosenTag, setTag] = useState<string | null>(null);
  const [searchText, setSearchText] = useState('');
  const { sessions, status } = feed;
  const tagCounts = useMemo(() => countTags(sessions, inbox), [sessions, inbox]);
  // The last session with the tag was closed.
  const tag = chosenTag !== null && tagCounts.has(chosenTag) ? chosenTag : null;
  const isSearching = isSearchable(searchText);
  const matchingIds = useMemo(
    () => getMatchingIds(sessions, { chip, searchText, order, me, tag }, inbox),
    [sessions, chip, searchText, order, me, tag, inbox],
  );
  const { ids, hidden, release, onPointer, onFocus } = useFrozenOrder(
    matchingIds,
    `${chip} ${order} ${tag} ${refreshCount} ${searchText}`,
  );
  const reachable =
    selected !== null && ids.includes(selected) && sessions.has(selected)
      ? selected
      : ids.find((id) => sessions.has(id));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown') moveFocus(list.current, selected, 1);
    else if (event.key === 'ArrowUp') moveFocus(list.current, selected, -1);
    else return;
    event.preventDefault();
  };
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) onFocus(false);
  };
  const isOffered = ({ value }: { readonly value: Chip }) =>
    (value !== 'mentions' && value !== 'snoozed') || value === chip || counts[value] > 0;
  const chosen = orders.find(({ value }) => value === order) ?? orders[0];

  return (
    <section aria-labelledby="active-sessions" className="flex h-full min-h-0 flex-col bg-surface">
      <div className="flex h-12 shrink-0 items-center gap-2 px-4">
        <h2 id="active-sessions" className="text-14 font-semibold whitespace-nowrap">
          Active Sessions
        </h2>
        <span className="figures rounded-full bg-line px-2 text-12 text-text-2">
          {status === 'ready' ? counts.all : '–'}
        </span>
        <span className="ml-auto flex items-center">
          <TagFilter counts={tagCounts} tag={tag} onChange={setTag} />
          <Menu
            label="Order"
            align="end"
            trigger={
              <button
                type="button"
                aria-label={`Order: ${chosen.label}`}
                className="flex h-8 items-center gap-1 rounded-control px-1.5 text-12 font-medium whitespace-nowrap text-text-2 hover:bg-raised hover:text-text max-md:h-11"
              >
                {chosen.label}
                <ChevronDown size={12} aria-hidden="true" />
              </button>
            }
          >
            {orders.map(({ value, label }) => (
              <MenuItem key={value} onSelect={() => setOrder(value)}>
                {label}
                {value === order ? <span className="ml-auto text-12 text-text-3">Now</span> : null}
              </MenuItem>
            ))}
          </Menu>
        </span>
      </div>
      <div className="shrink-0 px-4">
        <div className="control flex h-8 items-center gap-2 px-2.5 max-md:h-11">
          <Search size={14} aria-hidden="true" className="shrink-0 text-text-3" />
          <input
            ref={search}
            type="search"
            aria-label="Search names, emails and messages"
            placeholder="Search names, messages"
            value={searchText}
            maxLength={100}
            onChange={({ target }) => setSearchText(target.value)}
            className="min-w-0 grow bg-transparent text-13 outline-none max-md:text-16 [&::-webkit-search-cancel-button]:hidden"
          />
          <span className="max-lg:hidden">
            <Keys keys="F" />
          </span>
        </div>
        <fieldset className="scroll-cue-x m-0 flex gap-1 overflow-x-auto border-0 p-0 py-2 [scrollbar-width:none]">
          <legend className="sr-only">Filter sessions</legend>
          {chips.filter(isOffered).map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === chip}
              onClick={() => setChip(value)}
              className="flex h-[26px] shrink-0 items-center gap-1.5 rounded-control px-2.5 text-12 font-medium text-text-2 transition-colors hover:text-text aria-pressed:bg-accent-weak aria-pressed:text-text max-md:h-11"
            >
              {label}
              <span
                className={`figures ${(value === 'unanswered' && counts.unanswered > 0) || value === 'mentions' ? 'text-warn' : 'text-text-3 in-aria-pressed:text-text-2'}`}
              >
                {counts[value]}
              </span>
            </button>
          ))}
        </fieldset>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the order is frozen while the pointer is in it */}
      <div
        className="relative min-h-0 grow border-t border-line"
        onPointerEnter={() => onPointer(true)}
        onPointerLeave={() => onPointer(false)}
        onFocus={() => onFocus(true)}
        onBlur={onBlur}
      >
        <div className="h-full overflow-y-auto overscroll-contain">
          {status === 'loading' ? <Skeletons /> : null}
          {status === 'failed' ? <ErrorState title={texts.loadChatSessionFailed} onRetry={onRetry} /> : null}
          {status === 'ready' && ids.length === 0 && !isSearching ? (
            <Empty chip={chip} searchText={searchText} />
          ) : null}
          <ul ref={list} aria-label="Active sessions" onKeyDown={onKeyDown}>
            {ids.map((id) => {
              const session = sessions.get(id);
              if (!session) return <ClosedSessionRow key={id} />;
              return (
                <SessionRow
                  key={id}
                  session={session}
                  lastAgent={nameOf(session.last_agent_id)}
                  assignee={session.assigned_to === null ? null : nameOf(session.assigned_to)}
                  tags={inbox.tagsOf(id)}
                  snoozedUntil={inbox.snoozedUntil(id)}
                  mark={inbox.mentioned.has(id) ? 'mentioned' : 'none'}
                  current={id === selected ? 'current' : 'other'}
                  tabIndex={id === reachable ? 0 : -1}
                  onOpen={onOpen}
                />
              );
            })}
          </ul>
          {isSearching ? (
            <FoundMessages text={searchText} above={ids.length > 0 ? 'some' : 'none'} onOpen={onOpen} />
          ) : null}
        </div>
        <div role="status" className="absolute inset-x-0 top-2 flex justify-center empty:hidden">
          {hidden === 0 ? null : (
            <button
              type="button"
              onClick={release}
              className="fade h-7 rounded-full border border-accent bg-raised px-3 text-12 font-medium text-text shadow-raised max-md:h-11"
            >
              {`${hidden} new: show`}
            </button>
          )}
        </div>
      </div>
      <ListFooter feed={feed} />
    </section>
  );
}
