/** The tabs above the rows of pairs, and the text of an empty tab. */
import type { KeyboardEvent } from 'react';
import { Button, EmptyState, fadingEnd } from '../../../shared/ui/index.ts';
import type { NamedTab, PairTab } from './search.ts';
import type { PairSearch } from './usePairSearch.ts';

const sideways: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrow keys move the focus among the tabs; Enter shows one. */
function moveTab(event: KeyboardEvent<HTMLDivElement>): void {
  const step = sideways[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.findIndex((tab) => tab.matches(':focus'));
  if (step === undefined || at < 0) return;
  event.preventDefault();
  tabs.at((at + step) % tabs.length)?.focus();
}

export const toPanelId = (listId: string): string => `${listId}-panel`;

interface PairTabsProps {
  readonly label: string;
  readonly tabs: readonly NamedTab[];
  readonly search: Pick<PairSearch, 'listId' | 'tab' | 'showTab' | 'countOf'>;
  readonly onEscape?: () => void;
  /** `close` is for a narrow container: smaller and without the number of pairs. */
  readonly spacing?: 'wide' | 'close';
}

const spacings = {
  wide: { bar: 'pl-2', tab: 'h-10 px-2.5 text-13', line: 'inset-x-2' },
  close: { bar: 'justify-between pl-2', tab: 'h-9 px-1 text-12', line: 'inset-x-1' },
} as const;

export function PairTabs({ label, tabs, search, onEscape, spacing = 'wide' }: PairTabsProps) {
  const layout = spacings[spacing];
  return (
    <div
      role="tablist"
      aria-label={label}
      onKeyDown={moveTab}
      className={`flex shrink-0 overflow-x-auto border-b border-line [scrollbar-width:none] ${layout.bar} ${fadingEnd}`}
    >
      {tabs.map(({ tab, name }) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === search.tab}
          aria-controls={toPanelId(search.listId)}
          onClick={() => search.showTab(tab)}
          onKeyDown={(event) => event.key === 'Escape' && onEscape?.()}
          className={`relative shrink-0 font-medium text-text-2 capitalize -outline-offset-2 hover:text-text aria-selected:text-text max-md:h-11 ${layout.tab}`}
        >
          {name}
          {spacing === 'close' ? null : (
            <span className="figures ml-1 font-normal text-text-3">{search.countOf(tab)}</span>
          )}
          {tab === search.tab ? (
            <span aria-hidden="true" className={`absolute bottom-0 h-0.5 bg-accent ${layout.line}`} />
          ) : null}
        </button>
      ))}
    </div>
  );
}

const emptyTitles: Readonly<Partial<Record<PairTab, string>>> = { favorites: 'Star a pair to keep it here' };

interface NoPairsProps {
  readonly search: Pick<PairSearch, 'query' | 'tab' | 'search' | 'watchlist'>;
}

export function NoPairs({ search }: NoPairsProps) {
  const query = search.query.trim();
  if (query === '' && search.tab === 'favorites' && search.watchlist !== null) {
    return <EmptyState title={`${search.watchlist.name} is empty. Add a pair by the menu beside its star`} />;
  }
  if (query === '') return <EmptyState title={emptyTitles[search.tab] ?? 'No pairs in this market'} />;
  return (
    <EmptyState
      title={`No match for '${query}'`}
      action={<Button onClick={() => search.search('')}>Clear</Button>}
    />
  );
}
