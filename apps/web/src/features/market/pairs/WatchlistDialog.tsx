/** Creates a watchlist, or renames one. */
import { NameDialog } from '../../../shared/form/NameDialog.tsx';
import {
  createWatchlist,
  nameMax,
  renameWatchlist,
  useShownWatchlists,
  validateName,
  type Watchlist,
} from './watchlists.ts';

interface WatchlistDialogProps {
  /** The list to rename; null creates one. */
  readonly list: Watchlist | null;
  /** The first pair of a new list. */
  readonly symbol?: string;
  readonly onClose: () => void;
}

export function WatchlistDialog({ list, symbol, onClose }: WatchlistDialogProps) {
  const { lists } = useShownWatchlists();
  return (
    <NameDialog
      title={list === null ? 'New watchlist' : `Rename ${list.name}`}
      description={symbol === undefined ? undefined : `${symbol} is its first pair.`}
      submit={list === null ? 'Create watchlist' : 'Rename'}
      name={list?.name ?? ''}
      maxLength={nameMax}
      check={(name) => validateName(name, list?.id ?? null, lists)}
      save={(name) => {
        if (list === null) createWatchlist(name, symbol ?? null);
        else renameWatchlist(list.id, name);
      }}
      onClose={onClose}
    />
  );
}
