/** The menu beside the star of the selected pair: in which of the user's watchlists it is. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { IconButton, Menu, MenuItem, MenuOption, MenuSeparator } from '../../../shared/ui/index.ts';
import { WatchlistDialog } from './WatchlistDialog.tsx';
import { isFull, isListed, listsMax, setListed, useShownWatchlists } from './watchlists.ts';

export function WatchlistMenu({ symbol }: { readonly symbol: string }) {
  const { lists } = useShownWatchlists();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu
        label={`Watchlists with ${symbol}`}
        trigger={
          <IconButton label={`Watchlists with ${symbol}`} className="-ml-1.5 w-6!">
            <ChevronDown size={13} aria-hidden="true" />
          </IconButton>
        }
      >
        {lists.map((list) => (
          <MenuOption
            key={list.id}
            checked={isListed(list, symbol)}
            onChange={(checked) => setListed(list.id, symbol, checked)}
          >
            {isFull(list) && !isListed(list, symbol) ? `${list.name} (full)` : list.name}
          </MenuOption>
        ))}
        {lists.length > 0 ? <MenuSeparator /> : null}
        <MenuItem disabled={lists.length >= listsMax} onSelect={() => setCreating(true)}>
          New watchlist with {symbol}
        </MenuItem>
      </Menu>
      {isCreating ? <WatchlistDialog list={null} symbol={symbol} onClose={() => setCreating(false)} /> : null}
    </>
  );
}
