/** The field of an internal note. Border and button warn that its text is for colleagues only; `@name` notifies one. */
import AtSign from 'lucide-react/icons/at-sign';
import Lock from 'lucide-react/icons/lock';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { createDrafts } from '../../../shared/drafts/index.ts';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { newUuid } from '../../../shared/ids/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Menu, MenuItem, Spinner } from '../../../shared/ui/index.ts';
import { isSendKey } from '../conversation/index.ts';
import { writeNote } from './notes.ts';
import type { Team } from './team.ts';

const noteMax = 4_000;
/** By conversation; `id` is the same for every attempt. */
const drafts = createDrafts<{ readonly id: string; readonly content: string }>();

interface NoteFieldProps {
  readonly sessionId: string;
  readonly team: Team;
  readonly onWritten: () => void;
}

export function NoteField({ sessionId, team, onWritten }: NoteFieldProps) {
  const { supabase, user } = useSignedIn();
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
  /** Puts the name where the caret was. */
  const mention = (username: string) => {
    const { selectionStart: at = content.length } = field.current ?? {};
    const space = at === 0 || /\s$/.test(content.slice(0, at)) ? '' : ' ';
    type(`${content.slice(0, at)}${space}@${username} ${content.slice(at)}`.slice(0, noteMax));
    requestAnimationFrame(() => field.current?.focus());
  };
  const colleagues = team.agents.filter(({ id }) => id !== user.id);
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
        <div className="flex min-h-11 items-center justify-between px-2 pb-1.5">
          <Menu
            label="Colleagues"
            trigger={
              <button
                type="button"
                className="inline-flex h-8 items-center gap-1.5 rounded-control px-2.5 text-12 font-medium text-text-2 hover:text-text max-md:h-11"
              >
                <AtSign size={14} aria-hidden="true" />
                Mention
              </button>
            }
          >
            <div className="max-h-72 overflow-y-auto">
              {colleagues.map(({ id, username }) => (
                <MenuItem key={id} onSelect={() => mention(username)}>
                  {username}
                </MenuItem>
              ))}
            </div>
            {colleagues.length === 0 ? (
              <p className="px-2.5 py-2 text-12 text-text-2">There is no other agent.</p>
            ) : null}
          </Menu>
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
