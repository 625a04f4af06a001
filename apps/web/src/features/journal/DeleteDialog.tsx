/** The confirmation before an entry is deleted for good (A88). */
import { RequestDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { showToast } from '../../shared/ui/index.ts';
import { deleteEntry, type JournalEntry } from './entries.ts';
import { useRefetchJournal } from './useJournal.ts';

interface DeleteDialogProps {
  readonly entry: JournalEntry;
  readonly onEnd: () => void;
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

export function DeleteDialog({ entry, onEnd, fallbackFocus }: DeleteDialogProps) {
  const { accountId, supabase } = useSignedIn();
  const readAgain = useRefetchJournal();
  const remove = () => deleteEntry(supabase, accountId, entry.id);
  const onDone = () => {
    showToast('success', 'Journal entry deleted');
    readAgain();
    onEnd();
  };
  return (
    <RequestDialog
      fallbackFocus={fallbackFocus}
      title="Delete this journal entry?"
      description={
        <p className="mt-2 text-14 wrap-anywhere">
          <bdi className="font-medium text-text">{entry.title}</bdi>, <DateTime iso={entry.createdAt} />. It
          cannot be brought back.
        </p>
      }
      confirm="Delete entry"
      send={remove}
      failed="Failed to delete the journal entry"
      onDone={onDone}
      onClose={onEnd}
    />
  );
}
