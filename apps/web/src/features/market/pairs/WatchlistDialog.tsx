/** Creates a watchlist, or renames one. */
import { useRef } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { useSubmission } from '../../../shared/form/index.ts';
import { TextField } from '../../../shared/ui/index.ts';
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
  const field = useRef<HTMLInputElement>(null);
  const submission = useSubmission({
    names: ['name'],
    check: ({ name }) => ({ name: validateName(name, list?.id ?? null, lists) }),
    send: async ({ name }) => {
      if (list === null) createWatchlist(name, symbol ?? null);
      else renameWatchlist(list.id, name);
      return onClose;
    },
  });
  return (
    <FormDialog
      title={list === null ? 'New watchlist' : `Rename ${list.name}`}
      description={symbol === undefined ? undefined : `${symbol} is its first pair.`}
      submission={submission}
      submit={list === null ? 'Create watchlist' : 'Rename'}
      initialFocus={field}
      onClose={onClose}
    >
      <TextField
        ref={field}
        name="name"
        label="Name"
        maxLength={nameMax}
        autoComplete="off"
        defaultValue={list?.name ?? ''}
        error={submission.errorOf('name')}
      />
    </FormDialog>
  );
}
