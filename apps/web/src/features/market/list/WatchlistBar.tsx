/** Under the favorites tab of the market list: the choice among the favorites and the user's watchlists, and their management. */
import Ellipsis from 'lucide-react/icons/ellipsis';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { IconButton, Menu, MenuItem } from '../../../shared/ui/index.ts';
import { WatchlistDialog } from '../pairs/WatchlistDialog.tsx';
import { deleteWatchlist, listsMax, showWatchlist, useShownWatchlists } from '../pairs/watchlists.ts';

type Question = 'create' | 'rename' | 'delete';

interface ChoiceProps {
  readonly name: string;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

const Choice = ({ name, isShown, onShow }: ChoiceProps) => (
  <button
    type="button"
    aria-pressed={isShown}
    onClick={onShow}
    className="h-6 shrink-0 rounded-control border border-line px-2 text-12 font-medium text-text-2 hover:text-text aria-pressed:border-line-strong aria-pressed:bg-raised aria-pressed:text-text max-md:h-11"
  >
    {name}
  </button>
);

export function WatchlistBar() {
  const { lists, shown } = useShownWatchlists();
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-line px-2.5 py-1.5">
      <fieldset
        aria-label="Watchlists"
        className="flex min-w-0 grow gap-1 overflow-x-auto [scrollbar-width:none]"
      >
        <Choice name="Favorites" isShown={shown === null} onShow={() => showWatchlist(null)} />
        {lists.map(({ id, name }) => (
          <Choice key={id} name={name} isShown={shown?.id === id} onShow={() => showWatchlist(id)} />
        ))}
      </fieldset>
      {shown ? (
        <Menu
          label={`Actions of ${shown.name}`}
          align="end"
          trigger={
            <IconButton label={`Actions of ${shown.name}`} className="size-6!">
              <Ellipsis size={15} aria-hidden="true" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => setQuestion('rename')}>Rename {shown.name}</MenuItem>
          <MenuItem onSelect={() => setQuestion('delete')}>Delete {shown.name}</MenuItem>
        </Menu>
      ) : null}
      {lists.length < listsMax ? (
        <IconButton label="New watchlist" className="size-6!" onClick={() => setQuestion('create')}>
          <Plus size={15} aria-hidden="true" />
        </IconButton>
      ) : null}
      {question === 'create' ? <WatchlistDialog list={null} onClose={close} /> : null}
      {question === 'rename' && shown ? <WatchlistDialog list={shown} onClose={close} /> : null}
      {question === 'delete' && shown ? (
        <ConfirmDialog
          title={`Delete ${shown.name}?`}
          description={`The list goes, its ${shown.symbols.length === 1 ? 'pair stays' : `${shown.symbols.length} pairs stay`} in the markets.`}
          keep="Keep it"
          onKeep={close}
          confirm="Delete watchlist"
          tone="down"
          onConfirm={() => {
            close();
            deleteWatchlist(shown.id);
          }}
          pending={false}
          error={null}
        />
      ) : null}
    </div>
  );
}
