/**
 * Title, text, tags and linked position of a new or edited entry. Input is stored as a draft in this browser; Ctrl or
 * Cmd with Enter saves.
 */
import { texts } from '@fulcrum/contract/texts';
import { isBlank, journalLimits, tagsText } from '@fulcrum/domain';
import {
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { focusField } from '../../shared/form/index.ts';
import { newUuid } from '../../shared/ids/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Button, FormError, showToast } from '../../shared/ui/index.ts';
import type { Draft, StoredDraft } from './drafts.ts';
import { EntryContent } from './EntryContent.tsx';
import type { JournalEntry } from './entries.ts';
import { PositionPicker } from './PositionPicker.tsx';
import { type DraftState, useDraft } from './useDraft.ts';
import { useRefetchJournal } from './useJournal.ts';
import { type FieldName, type Objections, type SaveFailure, useSaveEntry } from './useSaveEntry.ts';

const blankDraft = (positionId: string | null = null): Draft => ({
  id: newUuid(),
  title: '',
  content: '',
  tags: '',
  positionId,
  seen: null,
});

export const toDraft = ({ id, title, content, tags, positionId, updatedAt }: JournalEntry): Draft => ({
  id,
  title,
  content,
  tags: tagsText(tags),
  positionId,
  seen: updatedAt,
});

const control = 'control w-full px-3 text-13 max-md:text-16 pointer-coarse:text-16';
const fields = ['title', 'content', 'tags'] as const satisfies readonly FieldName[];
/** From this length on the field shows the remaining characters. */
const nearLimit = journalLimits.contentChars - 1_000;

interface DraftFieldProps {
  readonly name: FieldName;
  readonly label: string;
  readonly draft: Draft;
  readonly objection: string | undefined;
  readonly onType: (name: FieldName, text: string) => void;
  readonly multiline?: ComponentProps<'textarea'>['rows'];
}

function DraftField({ name, label, draft, objection, onType, multiline }: DraftFieldProps) {
  const id = useId();
  const shared = {
    name,
    'aria-label': label,
    placeholder: label,
    value: draft[name],
    'aria-invalid': objection === undefined ? undefined : true,
    'aria-describedby': objection === undefined ? undefined : id,
    autoComplete: 'off',
  } as const;
  return (
    <div>
      {multiline === undefined ? (
        <input
          {...shared}
          onChange={(event) => onType(name, event.target.value)}
          className={`${control} h-9 max-md:h-11`}
        />
      ) : (
        <textarea
          {...shared}
          rows={multiline}
          onChange={(event) => onType(name, event.target.value)}
          className={`${control} block min-h-18 resize-y py-2`}
        />
      )}
      {objection === undefined ? null : (
        <p id={id} className="mt-1 text-12 text-down">
          {objection}
        </p>
      )}
    </div>
  );
}

function OfferedDrafts({ state }: { readonly state: DraftState }) {
  const nameOf = ({ draft }: StoredDraft) => draft.title.trim() || draft.content.trim() || 'without a title';
  return state.others.slice(0, 3).map((other) => (
    <div
      key={other.key}
      className="flex flex-wrap items-center gap-2 rounded-control bg-raised px-3 py-2 text-12"
    >
      <p className="min-w-0 grow text-text-2">
        <span className="block truncate font-medium text-text">{`Unsaved draft: ${nameOf(other)}`}</span>
        <DateTime iso={new Date(other.savedAt).toISOString()} />
      </p>
      <Button size="compact" onClick={() => state.adopt(other)}>
        Continue
      </Button>
      <Button size="compact" tone="quiet" onClick={() => state.discard(other)}>
        Discard
      </Button>
    </div>
  ));
}

interface ConflictProps {
  readonly refusal: SaveFailure;
  readonly onMine: (entry: JournalEntry) => void;
  readonly onTheirs: (entry: JournalEntry) => void;
  readonly onBoth: () => void;
}

/** Shows both texts until the user chooses one of them. */
function SaveConflict({ refusal, onMine, onTheirs, onBoth }: ConflictProps) {
  if (refusal.kind === 'failed') return <FormError>{refusal.text}</FormError>;
  const keepBoth = (
    <Button size="compact" onClick={onBoth}>
      Save mine as a new entry
    </Button>
  );
  if (refusal.kind === 'gone') {
    return (
      <div role="alert" className="flex flex-col items-start gap-2 rounded-control bg-warn-weak p-3 text-13">
        <p>{refusal.text}</p>
        {keepBoth}
      </div>
    );
  }
  const { entry } = refusal;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-control bg-warn-weak p-3 text-13">
      <p className="font-medium">{texts.changedMeanwhile}</p>
      <div className="max-h-40 overflow-y-auto rounded-control bg-surface p-2.5 text-12">
        <p className="text-text-2">
          The other version, saved <DateTime iso={entry.updatedAt} />
        </p>
        <p className="mt-1 font-semibold wrap-anywhere">{entry.title}</p>
        <p className="whitespace-pre-wrap wrap-anywhere">{entry.content}</p>
        {entry.tags.length > 0 ? <p className="mt-1 text-text-2">{`Tags: ${tagsText(entry.tags)}`}</p> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="compact" onClick={() => onMine(entry)}>
          Overwrite it with mine
        </Button>
        <Button size="compact" onClick={() => onTheirs(entry)}>
          Use the other version
        </Button>
        {keepBoth}
      </div>
    </div>
  );
}

interface EntryFormProps {
  /** Null writes a new one. */
  readonly entry: JournalEntry | null;
  /** A request for a new entry, about that position or, with null, about none. Each request is another object. */
  readonly newEntryRequest?: { readonly positionId: string | null } | null;
  /** The ids of the whole journal, once known: drafts of deleted entries are then offered. */
  readonly entryIds?: ReadonlySet<string> | null;
  readonly onEnd?: (() => void) | undefined;
}

export function EntryForm({ entry, newEntryRequest = null, entryIds = null, onEnd }: EntryFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const blank = useRef<Draft | null>(null);
  blank.current ??= entry === null ? blankDraft() : toDraft(entry);
  const state = useDraft(entry?.id ?? 'new', blank.current, entryIds);
  const { draft, change } = state;
  const saving = useSaveEntry();
  const [previews, setPreviews] = useState(false);
  const hasContent = !isBlank(draft.content);
  const isPreview = previews && hasContent;
  const readAgain = useRefetchJournal();

  const focusOn = (name: FieldName) => focusField(form.current, name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each request, not for each keystroke
  useEffect(() => {
    if (newEntryRequest === null) return;
    if (newEntryRequest.positionId !== null && newEntryRequest.positionId !== draft.positionId) {
      // A draft that was begun about another position stays as it is.
      if (!fields.every((name) => isBlank(draft[name]))) state.setAside(blankDraft());
      change({ positionId: newEntryRequest.positionId });
    }
    focusOn('title');
  }, [newEntryRequest]);
  const isEdit = entry !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit starts with the focus in its title
  useEffect(() => {
    if (isEdit) focusOn('title');
  }, [isEdit]);

  const onObjections = (objections: Objections) => {
    const first = fields.find((name) => objections[name] !== undefined);
    // The field replaces the preview.
    if (first === 'content') flushSync(() => setPreviews(false));
    if (first !== undefined) focusOn(first);
  };
  const save = (toSave: Draft) =>
    saving.save({
      draft: toSave,
      onObjections,
      onSaved: ({ updatedAt }) => {
        showToast('success', toSave.seen === null ? 'Journal entry saved' : 'Journal entry changed');
        saving.settle();
        setPreviews(false);
        readAgain();
        if (state.finish({ ...toSave, seen: updatedAt }, blankDraft())) onEnd?.();
      },
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    return save(draft);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.current?.requestSubmit();
    }
    if (event.key === 'Escape' && onEnd && !event.defaultPrevented) onEnd();
  };
  const type = (name: FieldName, text: string) => {
    // A field in use never turns into its preview: a preview request for the previous text is void.
    if (name === 'content') setPreviews(false);
    change({ [name]: text });
    saving.settle(name);
  };
  const asNew = (): Draft => ({ ...draft, id: newUuid(), seen: null });

  const field = (name: FieldName, label: string) => (
    <DraftField name={name} label={label} draft={draft} objection={saving.objections[name]} onType={type} />
  );
  return (
    <form
      ref={form}
      aria-label={isEdit ? 'Edit journal entry' : 'New journal entry'}
      noValidate
      onSubmit={submit}
      onKeyDown={onKeyDown}
      className="flex flex-col gap-2"
    >
      <OfferedDrafts state={state} />
      {field('title', 'Title')}
      {isPreview ? (
        <section
          aria-label="Preview"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
          tabIndex={0}
          className={`overflow-y-auto rounded-control border border-line px-3 py-2 ${isEdit ? 'h-54' : 'max-h-80 min-h-19.5'}`}
        >
          <EntryContent text={draft.content} />
        </section>
      ) : (
        <DraftField
          name="content"
          label="What was the idea, and did you follow it?"
          draft={draft}
          objection={saving.objections.content}
          onType={type}
          multiline={isEdit ? 10 : 3}
        />
      )}
      <PositionPicker
        positionId={draft.positionId}
        linked={entry?.position ?? null}
        onPick={(positionId) => saving.pending || change({ positionId })}
      />
      <div className="flex items-start gap-2 max-md:flex-wrap max-md:[&>button]:grow">
        <div className="min-w-0 grow max-md:basis-full">{field('tags', 'Tags, separated by commas')}</div>
        {onEnd ? (
          <Button onClick={onEnd} muted={saving.pending}>
            Close
          </Button>
        ) : null}
        <Button type="submit" tone="primary" pending={saving.pending} title="Ctrl+Enter">
          {isEdit ? 'Save changes' : 'Save entry'}
        </Button>
      </div>
      <div className="-mb-2 flex min-h-6 items-center max-md:min-h-11 justify-between gap-3 text-11 text-text-3">
        <span className="flex min-w-0 items-center gap-3">
          <button
            type="button"
            aria-pressed={isPreview}
            aria-disabled={!hasContent || undefined}
            title="Markdown: **bold**, *italic*, # heading, - list, > quote, [link](https://…)"
            onClick={() => setPreviews(hasContent && !isPreview)}
            className={`h-6 shrink-0 rounded-[4px] max-md:h-11 ${isPreview ? 'text-accent' : 'hover:text-text'}`}
          >
            Preview
          </button>
          <span role="status" className="truncate">
            {state.isStored ? 'Draft saved' : ''}
          </span>
        </span>
        {draft.content.length > nearLimit ? (
          <span className="figures">{`${draft.content.length} of ${journalLimits.contentChars} characters`}</span>
        ) : null}
        {state.isStored ? (
          <button
            type="button"
            className="h-6 px-1 hover:text-text max-md:h-11"
            onClick={() => {
              saving.settle();
              state.begin(entry === null ? blankDraft() : toDraft(entry));
            }}
          >
            {isEdit ? 'Discard changes' : 'Discard draft'}
          </button>
        ) : null}
      </div>
      {saving.refusal === null ? null : (
        <SaveConflict
          refusal={saving.refusal}
          onMine={({ updatedAt }) => save({ ...draft, seen: updatedAt })}
          onTheirs={(theirs) => {
            saving.settle();
            state.begin(toDraft(theirs));
            readAgain();
          }}
          onBoth={() => save(asNew())}
        />
      )}
    </form>
  );
}
