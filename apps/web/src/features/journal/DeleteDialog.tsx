/** The confirmation before an entry is deleted for good (A88). */
import { useRef } from 'react';
import { failedWith, useRequest } from '../../shared/form/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Button, Dialog, FormError, showToast } from '../../shared/ui/index.ts';
import { deleteEntry, type JournalEntry } from './entries.ts';
import { useRefetchJournal } from './useJournal.ts';

interface DeleteDialogProps {
  readonly entry: JournalEntry;
  readonly onEnd: () => void;
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

export function DeleteDialog({ entry, onEnd, fallbackFocus }: DeleteDialogProps) {
  const { user, supabase } = useSignedIn();
  const readAgain = useRefetchJournal();
  const keep = useRef<HTMLButtonElement>(null);
  const { run, pending, error } = useRequest();
  const remove = () =>
    run(async () => {
      await deleteEntry(supabase, user.id, entry.id);
      showToast('success', 'Journal entry deleted');
      readAgain();
      onEnd();
    }, failedWith('Failed to delete the journal entry'));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || onEnd()}
      initialFocus={keep}
      fallbackFocus={fallbackFocus}
      title="Delete this journal entry?"
      description={
        <p className="mt-2 text-14 wrap-anywhere">
          <bdi className="font-medium text-text">{entry.title}</bdi>, <DateTime iso={entry.createdAt} />. It
          cannot be brought back.
        </p>
      }
      actions={
        <>
          <Button ref={keep} onClick={onEnd} muted={pending}>
            Keep it
          </Button>
          <Button tone="primary" onClick={remove} pending={pending}>
            Delete entry
          </Button>
        </>
      }
    >
      <FormError>{error}</FormError>
    </Dialog>
  );
}
