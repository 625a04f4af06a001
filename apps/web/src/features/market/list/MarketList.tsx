/**
 * The market list beside a chart (TRADE-05, DASH-10): every market by tab, with its price. It uses the pair
 * selector's search, rows and stars, but is always open. The search field controls the rows, and Escape clears it. It
 * fills the height of its container.
 */
import { type KeyboardEvent, useState } from 'react';
import { usePreference } from '../../../shared/preferences/index.ts';
import { PairList } from '../pairs/PairList.tsx';
import { PairSearchField } from '../pairs/PairSearchField.tsx';
import { NoPairs, PairTabs, toPanelId } from '../pairs/PairTabs.tsx';
import { marketListTabs } from '../pairs/search.ts';
import { useOfferedPairs } from '../pairs/useOfferedPairs.ts';
import { usePairSearch } from '../pairs/usePairSearch.ts';
import type { Pair } from '../pairs/usePairs.ts';
import { ListHeader } from './ListHeader.tsx';
import { WatchlistBar } from './WatchlistBar.tsx';

interface MarketListProps {
  readonly pairs: readonly Pair[];
  /** Symbol of the shown pair. */
  readonly selected: string;
  readonly onSelect: (symbol: string) => void;
}

export function MarketList({ pairs, selected, onSelect }: MarketListProps) {
  const offered = useOfferedPairs(pairs);
  const columns = usePreference('marketColumns');
  const search = usePairSearch(offered, { sort: usePreference('marketSort') });
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
        id={toPanelId(search.listId)}
        role="tabpanel"
        aria-label={marketListTabs.find(({ tab }) => tab === search.tab)?.name}
        className="flex min-h-0 grow flex-col"
      >
        {search.tab === 'favorites' ? <WatchlistBar /> : null}
        <ListHeader />
        {search.rows.length === 0 ? (
          <NoPairs search={search} />
        ) : (
          <PairList
            // A change of tab scrolls to the top.
            key={`${search.tab} ${search.watchlist?.id}`}
            id={search.listId}
            label="Market list"
            shape="stacked"
            columns={columns}
            pairs={search.rows}
            favorites={search.favorites}
            selected={selected}
            active={isSteered ? search.activeIndex : null}
            onPick={pick}
            onStar={search.star}
          />
        )}
      </div>
    </div>
  );
}
