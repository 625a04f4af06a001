/** The pair selector's parts: its search field, and the panel with tabs, rows and key hints (TRADE-02 to TRADE-13). */
import { PairList, pairColumns } from './PairList.tsx';
import { PairSearchField } from './PairSearchField.tsx';
import { NoPairs, PairTabs, toPanelId } from './PairTabs.tsx';
import { selectorTabs } from './search.ts';
import type { PairMenuState } from './usePairMenu.ts';

export function PairMenuField({
  menu,
  className = '',
}: {
  readonly menu: PairMenuState;
  readonly className?: string;
}) {
  return (
    <PairSearchField
      label="Search trading pairs"
      search={menu}
      expanded={menu.open}
      onKeyDown={menu.onKeyDown}
      onEnter={() => menu.open || menu.show()}
      hotkey="/"
      className={className}
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
  if (menu.rows.length === 0) return <NoPairs search={menu} />;
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
        label="Trading pairs"
        shape="columns"
        pairs={menu.rows}
        favorites={menu.favorites}
        selected={selected}
        active={menu.activeIndex}
        onPick={menu.pick}
        onStar={menu.star}
      />
    </>
  );
}

/** The panel that opens beneath the field; the caller positions it. */
export function PairPanel(props: PairPanelProps) {
  const { menu } = props;
  return (
    <>
      <PairTabs label="Markets" tabs={selectorTabs} search={menu} onEscape={menu.leave} />
      <div
        id={toPanelId(menu.listId)}
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
