/**
 * Saves what stands in a form: nothing unless there is a title and a text (JRNL-04 to JRNL-06), once at a time, and never over
 * somebody else's change.
 */
import { texts } from '@fulcrum/contract/texts';
import { type EntryFault, type EntryText, parseEntry } from '@fulcrum/domain';
import { useRef, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { messageOf } from '../../shared/supabase/index.ts';
import type { Draft } from './drafts.ts';
import { changeEntry, createEntry, type EditOutcome, type JournalEntry } from './entries.ts';

const failedText = 'Failed to save the journal entry. Your draft is kept here; please try again.';
const goneText = 'This entry was deleted in the meantime. Your text is still here: save it as a new entry.';

export type FieldName = 'title' | 'content' | 'tags';
export type Objections = Readonly<Partial<Record<FieldName, string>>>;

const objectionOf: Readonly<Record<EntryFault, readonly [FieldName, string]>> = {
  'title blank': ['title', 'Give the entry a title.'],
  'title too long': ['title', texts.journalTitle],
  'content blank': ['content', 'Write something first.'],
  'content too long': ['content', texts.journalContent],
  'too many tags': ['tags', texts.journalTags],
  'tag too long': ['tags', texts.journalTags],
};

const objectionsOf = (faults: readonly EntryFault[]): Objections =>
  Object.fromEntries(faults.toReversed().map((fault) => objectionOf[fault]));

/** Why it was not saved, and what can be done. */
export type Refusal =
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'gone'; readonly text: string }
  /** Another tab or device was faster: its state. */
  | { readonly kind: 'changed'; readonly entry: JournalEntry };

interface Wanted {
  readonly draft: Draft;
  readonly onObjections: (objections: Objections) => void;
  readonly onSaved: (entry: JournalEntry) => void;
}

export function useSaving() {
  const { user, supabase } = useSignedIn();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [objections, setObjections] = useState<Objections>({});
  const [pending, setPending] = useState(false);
  // A second press may come before React has rendered the first one's state.
  const saving = useRef<boolean>(false);

  const send = ({ id, positionId, seen }: Draft, entry: EntryText): Promise<EditOutcome> => {
    const wanted = { ...entry, id, positionId };
    return seen === null
      ? createEntry(supabase, user.id, wanted)
      : changeEntry(supabase, user.id, wanted, seen);
  };

  const save = async ({ draft, onObjections, onSaved }: Wanted): Promise<void> => {
    if (saving.current) return;
    setRefusal(null);
    const parsed = parseEntry(draft);
    const found = parsed.kind === 'refused' ? objectionsOf(parsed.faults) : {};
    setObjections(found);
    if (parsed.kind === 'refused') return onObjections(found);
    saving.current = true;
    setPending(true);
    try {
      const outcome = await send(draft, parsed.entry);
      if (outcome.kind === 'saved') onSaved(outcome.entry);
      else if (outcome.kind === 'gone') setRefusal({ kind: 'gone', text: goneText });
      else setRefusal(outcome);
    } catch (cause) {
      log.warn('Saving the journal entry failed', cause);
      setRefusal({ kind: 'failed', text: messageOf(cause, failedText) });
    } finally {
      saving.current = false;
      setPending(false);
    }
  };

  return {
    save,
    pending,
    refusal,
    objections,
    /** What is being corrected is no longer called wrong. */
    settle: (field?: FieldName) => {
      setObjections((held) => (field === undefined ? {} : { ...held, [field]: undefined }) as Objections);
      if (field === undefined) setRefusal(null);
    },
  } as const;
}
