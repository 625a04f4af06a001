/** The field of an internal note. Border and button warn that its text is for colleagues only. */
import Lock from 'lucide-react/icons/lock';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { createDrafts } from '../../../shared/drafts/index.ts';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { newUuid } from '../../../shared/ids/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Spinner } from '../../../shared/ui/index.ts';
import { isSendKey } from '../conversation/index.ts';
import { writeNote } from './notes.ts';

const noteMax = 4_000;
/** By conversation; `id` is the same for every attempt. */
const drafts = createDrafts<{ readonly id: string; readonly content: string }>();

interface NoteFieldProps {
  readonly sessionId: string;
  readonly onWritten: () => void;
}

export function NoteField({ sessionId, onWritten }: NoteFieldProps) {
  const { supabase } = useSignedIn();
  const field = useRef<HTMLTextAreaElement>(null);
  const [content, setContent] = useState(() => drafts.get(sessionId)?.content ?? '');
  const { run, pending, error } = useRequest();
  const errorId = useId();
  const hasText = content.trim() !== '';

  const type = (next: string) => {
    setContent(next);
    drafts.set(sessionId, { id: newUuid(), content: next });
  };
  const save = async () => {
    if (!hasText || pending) return;
    const { id } = drafts.get(sessionId) ?? { id: newUuid() };
    await run(async () => {
      await writeNote(supabase, { id, session_id: sessionId, content: content.trim() });
      drafts.delete(sessionId);
      setContent('');
      onWritten();
    }, failedWith('The note was not saved. Please try again.'));
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    void save();
  };
  return (
    <div>
      {/* The same height as the reply field, so that a switch between the two moves nothing. */}
      <div className="rounded-panel border border-warn bg-warn/6 focus-within:ring-2 focus-within:ring-warn/40">
        <textarea
          ref={field}
          rows={2}
          aria-label="Internal note"
          aria-describedby={error === null ? undefined : errorId}
          placeholder="Only support and administrators read this"
          value={content}
          maxLength={noteMax}
          readOnly={pending}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
          className="block max-h-40 min-h-11 w-full resize-none bg-transparent px-3.5 py-3 text-13 outline-none field-sizing-content max-md:text-16"
        />
        <div className="flex min-h-11 items-center justify-end px-2 pb-1.5">
          <button
            type="button"
            onClick={save}
            aria-disabled={!hasText || pending || undefined}
            className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-control bg-warn px-3 text-13 font-semibold text-on-fill aria-disabled:opacity-60 max-md:h-11"
          >
            {pending ? <Spinner size={14} /> : <Lock size={14} aria-hidden="true" />}
            Save note
          </button>
        </div>
      </div>
      <p id={errorId} role="alert" className="px-2 pt-1 text-12 text-down empty:hidden">
        {error}
      </p>
    </div>
  );
}
