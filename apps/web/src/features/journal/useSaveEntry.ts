/**
 * Saves the form: only with a title and a text (JRNL-04 to JRNL-06), one save at a time, and never over another edit.
 */
import { texts } from '@fulcrum/contract/texts';
import { type EntryFault, type EntryText, parseEntry } from '@fulcrum/domain';
import { useRef, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { getErrorMessage } from '../../shared/supabase/index.ts';
import type { Draft } from './drafts.ts';
import { changeEntry, createEntry, type EditOutcome, type JournalEntry } from './entries.ts';

const failedText = 'Failed to save the journal entry. Your draft is kept here; please try again.';
const goneText = 'This entry was deleted in the meantime. Your text is still here: save it as a new entry.';

export type FieldName = 'title' | 'content' | 'tags';
export type Objections = Readonly<Partial<Record<FieldName, string>>>;

const objectionByFault: Readonly<Record<EntryFault, readonly [FieldName, string]>> = {
  'title blank': ['title', 'Give the entry a title.'],
  'title too long': ['title', texts.journalTitle],
  'content blank': ['content', 'Write something first.'],
  'content too long': ['content', texts.journalContent],
  'too many tags': ['tags', texts.journalTags],
  'tag too long': ['tags', texts.journalTags],
};

const toObjections = (faults: readonly EntryFault[]): Objections =>
  Object.fromEntries(faults.toReversed().map((fault) => objectionByFault[fault]));

/** Why the entry was not saved, and the available actions. */
export type SaveFailure =
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'gone'; readonly text: string }
  /** Another tab or device changed the entry first: its state. */
  | { readonly kind: 'changed'; readonly entry: JournalEntry };

interface SaveRequest {
  readonly draft: Draft;
  readonly onObjections: (objections: Objections) => void;
  readonly onSaved: (entry: JournalEntry) => void;
}

export function useSaveEntry() {
  const { user, supabase } = useSignedIn();
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const [objections, setObjections] = useState<Objections>({});
  const [pending, setPending] = useState(false);
  // A second click may come before React has rendered the first one's state.
  const saving = useRef<boolean>(false);

  const send = ({ id, positionId, seen }: Draft, entry: EntryText): Promise<EditOutcome> => {
    const entryToSave = { ...entry, id, positionId };
    return seen === null
      ? createEntry(supabase, user.id, entryToSave)
      : changeEntry(supabase, user.id, entryToSave, seen);
  };

  const save = async ({ draft, onObjections, onSaved }: SaveRequest): Promise<void> => {
    if (saving.current) return;
    setFailure(null);
    const parsed = parseEntry(draft);
    const found = parsed.kind === 'refused' ? toObjections(parsed.faults) : {};
    setObjections(found);
    if (parsed.kind === 'refused') return onObjections(found);
    saving.current = true;
    setPending(true);
    try {
      const outcome = await send(draft, parsed.entry);
      if (outcome.kind === 'saved') onSaved(outcome.entry);
      else if (outcome.kind === 'gone') setFailure({ kind: 'gone', text: goneText });
      else setFailure(outcome);
    } catch (cause) {
      log.warn('Saving the journal entry failed', cause);
      setFailure({ kind: 'failed', text: getErrorMessage(cause, failedText) });
    } finally {
      saving.current = false;
      setPending(false);
    }
  };

  return {
    save,
    pending,
    refusal: failure,
    objections,
    /** A field that is being corrected loses its error. */
    settle: (field?: FieldName) => {
      setObjections((held) => (field === undefined ? {} : { ...held, [field]: undefined }) as Objections);
      if (field === undefined) setFailure(null);
    },
  } as const;
}
