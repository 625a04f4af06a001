/**
 * The market list (TRADE-05, DASH-10): every market by tab, with its price, beside a chart. It is the pair selector's search,
 * rows and stars in another shape, and always there instead of opened: the search field steers the rows, Escape empties it.
 * It fills the height that its place gives it.
 */
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { offeredPairs } from '../pairs/offered-pairs.ts';
import { PairList } from '../pairs/PairList.tsx';
import { PairSearchField } from '../pairs/PairSearchField.tsx';
import { NoPairs, PairTabs, panelIdOf } from '../pairs/PairTabs.tsx';
import { marketListTabs } from '../pairs/search.ts';
import { usePairSearch } from '../pairs/usePairSearch.ts';
import type { Pair } from '../pairs/usePairs.ts';

interface MarketListProps {
  readonly pairs: readonly Pair[];
  /** Symbol of the pair in view. */
  readonly selected: string;
  readonly onSelect: (symbol: string) => void;
}

export function MarketList({ pairs, selected, onSelect }: MarketListProps) {
  const { rules } = useSupabase().config;
  const offered = useMemo(() => offeredPairs(pairs, rules), [pairs, rules]);
  const search = usePairSearch(offered);
  const [isSteered, setSteered] = useState(false);
  const pick = (symbol: string) => {
    search.activate(symbol);
    onSelect(symbol);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && search.query !== '') {
      event.preventDefault();
      search.reset();
      return;
    }
    search.onRowKey(event, pick);
  };
  return (
    <div className="flex min-h-0 grow flex-col">
      <PairSearchField
        label="Search the market list"
        search={search}
        expanded={search.rows.length > 0}
        onKeyDown={onKeyDown}
        onEnter={() => setSteered(true)}
        onLeave={() => setSteered(false)}
        className="mx-3 mt-3 mb-1 shrink-0"
      />
      <PairTabs label="Market list" tabs={marketListTabs} search={search} spacing="close" />
      <div
        id={panelIdOf(search.listId)}
        role="tabpanel"
        aria-label={marketListTabs.find(({ tab }) => tab === search.tab)?.name}
        className="flex min-h-0 grow flex-col"
      >
        {search.rows.length === 0 ? (
          <NoPairs search={search} />
        ) : (
          <PairList
            // Another tab begins at its top.
            key={search.tab}
            id={search.listId}
            label="Market list"
            shape="stacked"
            pairs={search.rows}
            favorites={search.favorites}
            selected={selected}
            active={isSteered ? search.active : null}
            onPick={pick}
            onStar={search.star}
          />
        )}
      </div>
    </div>
  );
}
