/** The row that a dialog is about, and the dialog's request. The dialog closes when something else takes the row off the list. */
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useRequest } from '../../shared/form/index.ts';

interface Identified {
  readonly id: string;
}

/** `ask` opens the dialog for a row, `end` closes it; `row` is null while it is closed. `onGone` states why it closed by itself. */
export function useDialogRow<Row extends Identified>(
  rows: readonly Row[] | undefined,
  onGone: (id: string) => void,
) {
  const [rowId, setRowId] = useState<string | null>(null);
  const { run, pending, error, setError } = useRequest();
  const row = (rowId !== null && rows?.find(({ id }) => id === rowId)) || null;
  const ask = useCallback(
    ({ id }: Identified) => {
      setError(null);
      setRowId(id);
    },
    [setError],
  );
  const end = () => setRowId(null);
  const announceGone = useEffectEvent(onGone);
  useEffect(() => {
    // While the page's own request is in flight, its answer decides rather than the list.
    if (rowId === null || !rows || row || pending) return;
    setRowId(null);
    announceGone(rowId);
  }, [rowId, rows, row, pending]);
  return { row, ask, end, run, pending, error };
}
