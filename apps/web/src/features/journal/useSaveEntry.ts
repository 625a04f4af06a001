/**
 * Saves the form: only with a title and a text (JRNL-04 to JRNL-06), one save at a time, and never over another edit.
 */
import { texts } from '@fulcrum/contract/texts';
import { type EntryFault, type EntryText, parseEntry } from '@fulcrum/domain';
import { useState } from 'react';
import { failedWith, useRequest } from '../../shared/form/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
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
  const { accountId, supabase } = useSignedIn();
  const { run, pending, error, setError, isBusy } = useRequest<SaveFailure>();
  const [objections, setObjections] = useState<Objections>({});

  const send = ({ id, positionId, seen }: Draft, entry: EntryText): Promise<EditOutcome> => {
    const entryToSave = { ...entry, id, positionId };
    return seen === null
      ? createEntry(supabase, accountId, entryToSave)
      : changeEntry(supabase, accountId, entryToSave, seen);
  };

  const save = async ({ draft, onObjections, onSaved }: SaveRequest): Promise<void> => {
    if (isBusy()) return;
    setError(null);
    const parsed = parseEntry(draft);
    const found = parsed.kind === 'refused' ? toObjections(parsed.faults) : {};
    setObjections(found);
    if (parsed.kind === 'refused') return onObjections(found);
    await run(
      async () => {
        const outcome = await send(draft, parsed.entry);
        if (outcome.kind === 'gone') return { kind: 'gone', text: goneText };
        if (outcome.kind !== 'saved') return outcome;
        onSaved(outcome.entry);
        return null;
      },
      (cause) => ({ kind: 'failed', text: failedWith(failedText)(cause) }),
    );
  };

  return {
    save,
    pending,
    refusal: error,
    objections,
    /** A field that is being corrected loses its error. */
    settle: (field?: FieldName) => {
      setObjections((held) => (field === undefined ? {} : { ...held, [field]: undefined }) as Objections);
      if (field === undefined) setError(null);
    },
  } as const;
}
