/** The pair selector's parts: its search field, and the panel with tabs, rows and key hints (TRADE-02 to TRADE-13). */
import Search from 'lucide-react/icons/search';
import type { KeyboardEvent } from 'react';
import { Button, EmptyState } from '../../../shared/ui/index.ts';
import { PairList, pairColumns } from './PairList.tsx';
import { type PairTab, pairTabs } from './search.ts';
import type { PairMenuState } from './usePairMenu.ts';

const searchPlaceholder = 'Search by symbol, name, or asset...';

export function PairSearchField({
  menu,
  className = '',
}: {
  readonly menu: PairMenuState;
  readonly className?: string;
}) {
  return (
    <div className={`control flex h-[34px] items-center gap-2 px-2.5 max-md:h-11 ${className}`}>
      <Search size={15} aria-hidden="true" className="shrink-0 text-text-3" />
      <input
        ref={menu.field}
        type="text"
        role="combobox"
        aria-label="Search trading pairs"
        aria-expanded={menu.open}
        aria-controls={menu.listId}
        aria-activedescendant={menu.activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={searchPlaceholder}
        value={menu.query}
        onChange={(event) => menu.search(event.target.value)}
        onFocus={() => menu.open || menu.show()}
        onClick={() => menu.open || menu.show()}
        onKeyDown={menu.onKeyDown}
        className="min-w-0 grow bg-transparent text-13 outline-none max-md:text-16 pointer-coarse:text-16"
      />
      <kbd className="rounded-[4px] border border-line-strong px-1.5 text-11 text-text-3 max-md:hidden">
        /
      </kbd>
    </div>
  );
}

const sideways: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrow keys walk among the tabs without leaving them; Enter shows one and goes back to the search field. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = sideways[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.findIndex((tab) => tab.matches(':focus'));
  if (step === undefined || at < 0) return;
  event.preventDefault();
  tabs.at((at + step) % tabs.length)?.focus();
}

function MenuTabs({ menu }: { readonly menu: PairMenuState }) {
  return (
    <div
      role="tablist"
      aria-label="Markets"
      onKeyDown={walk}
      className="flex shrink-0 overflow-x-auto border-b border-line px-2 [scrollbar-width:none]"
    >
      {pairTabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === menu.tab}
          aria-controls={`${menu.listId}-panel`}
          onClick={() => menu.showTab(tab)}
          onKeyDown={(event) => event.key === 'Escape' && menu.leave()}
          className="relative h-10 shrink-0 px-2.5 text-13 font-medium text-text-2 capitalize -outline-offset-2 hover:text-text aria-selected:text-text max-md:h-11"
        >
          {tab}
          <span className="figures ml-1 font-normal text-text-3">{menu.countOf(tab)}</span>
          {tab === menu.tab ? (
            <span aria-hidden="true" className="absolute inset-x-2 bottom-0 h-0.5 bg-accent" />
          ) : null}
        </button>
      ))}
    </div>
  );
}

const emptyTitles: Readonly<Partial<Record<PairTab, string>>> = { favorites: 'Star a pair to keep it here' };

function NoRows({ menu }: { readonly menu: PairMenuState }) {
  if (menu.query.trim() === '')
    return <EmptyState title={emptyTitles[menu.tab] ?? 'No pairs in this market'} />;
  return (
    <EmptyState
      title={`No match for '${menu.query.trim()}'`}
      action={<Button onClick={() => menu.search('')}>Clear</Button>}
    />
  );
}

const hints = [
  { keys: ['↑', '↓'], does: 'move' },
  { keys: ['Enter'], does: 'select' },
  { keys: ['Alt', 'S'], does: 'star' },
  { keys: ['Esc'], does: 'close' },
] as const;

interface PairPanelProps {
  readonly menu: PairMenuState;
  readonly selected: string | undefined;
}

function Rows({ menu, selected }: PairPanelProps) {
  if (menu.rows.length === 0) return <NoRows menu={menu} />;
  return (
    <>
      <div
        aria-hidden="true"
        className={`${pairColumns} h-7 shrink-0 border-b border-line text-11 font-medium text-text-3`}
      >
        <span />
        <span>Symbol</span>
        <span className="max-md:hidden">Name</span>
        <span className="text-right">Price</span>
        <span className="text-right">24h change</span>
      </div>
      <PairList
        id={menu.listId}
        pairs={menu.rows}
        favorites={menu.favorites}
        selected={selected}
        active={menu.active}
        onPick={menu.pick}
        onStar={menu.star}
      />
    </>
  );
}

/** What opens beneath the field; the caller places it. */
export function PairPanel(props: PairPanelProps) {
  const { menu } = props;
  return (
    <>
      <MenuTabs menu={menu} />
      <div
        id={`${menu.listId}-panel`}
        role="tabpanel"
        aria-label={menu.tab}
        className="flex min-h-0 grow flex-col"
      >
        <Rows {...props} />
      </div>
      <div
        aria-hidden="true"
        className="flex h-9 shrink-0 items-center gap-4 border-t border-line px-3.5 text-11 text-text-3 max-md:hidden"
      >
        {hints.map(({ keys, does }) => (
          <span key={does} className="flex items-center gap-1">
            {keys.map((name) => (
              <kbd
                key={name}
                className="rounded-[4px] border border-line-strong px-1.5 leading-[18px] text-text-2"
              >
                {name}
              </kbd>
            ))}
            <span className="ml-0.5">{does}</span>
          </span>
        ))}
      </div>
    </>
  );
}
