/**
 * Canned replies, docked on the composer. The log above shrinks, so that the trader's question stays visible. Typing
 * filters, arrows choose, Enter inserts but never sends, Escape returns to the message.
 */
import { defaultReplies, fillReply, findReplies, type ReplyVariables } from '@fulcrum/domain';
import Search from 'lucide-react/icons/search';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Keys } from '../../../shared/actions/index.ts';
import { useOwnReplies } from './own-replies.ts';

interface CannedPickerProps {
  readonly variables: ReplyVariables;
  readonly onInsert: (text: string) => void;
  readonly onClose: () => void;
  readonly onManage: () => void;
}

export function CannedPicker({ variables, onInsert, onClose, onManage }: CannedPickerProps) {
  const { data: own = [] } = useOwnReplies();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const options = useRef<HTMLDivElement>(null);
  const id = useId();
  // The agent's own reply precedes a shipped one with the same shortcut.
  const names = new Set(own.map(({ shortcut }) => shortcut));
  const all = [...own, ...defaultReplies.filter(({ shortcut }) => !names.has(shortcut))];
  const found = findReplies(all, typed);
  const chosenAt = Math.min(at, found.length - 1);
  const chosen = found[chosenAt];

  useEffect(() => field.current?.focus(), []);
  const choose = (next: number) => {
    if (found.length === 0) return;
    const to = (next + found.length) % found.length;
    setAt(to);
    options.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') choose(chosenAt + 1);
    else if (event.key === 'ArrowUp') choose(chosenAt - 1);
    else if (event.key === 'Enter' && chosen) onInsert(fillReply(chosen.content, variables));
    else if (event.key === 'Enter') return event.preventDefault();
    else return;
    event.preventDefault();
  };
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <section
      aria-label="Canned replies"
      onKeyDown={onEscape}
      className="rise mx-3 mb-2 flex max-h-[min(360px,50dvh)] min-h-0 max-w-[680px] shrink-0 flex-col overflow-hidden rounded-panel border border-line-strong bg-raised shadow-raised"
    >
      <div className="flex h-[42px] shrink-0 items-center gap-2 border-b border-line px-3">
        <Search size={14} aria-hidden="true" className="text-text-3" />
        <input
          ref={field}
          role="combobox"
          aria-label="Find a reply"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.shortcut}` : undefined}
          placeholder="Find a reply"
          value={typed}
          maxLength={60}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="min-w-0 grow bg-transparent text-13 outline-none max-md:text-16"
        />
        <span role="status" className="figures text-12 whitespace-nowrap text-text-2">
          {`${found.length} of ${all.length} replies`}
        </span>
      </div>
      <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] overflow-hidden max-md:grid-cols-1">
        <div
          ref={options}
          id={`${id}-list`}
          role="listbox"
          aria-label="Replies"
          className="min-h-0 overflow-y-auto p-1 md:border-r md:border-line"
        >
          {found.map((reply, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
            <div
              key={reply.shortcut}
              id={`${id}-${reply.shortcut}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === chosenAt}
              onPointerMove={() => setAt(place)}
              onClick={() => onInsert(fillReply(reply.content, variables))}
              className="flex h-9 cursor-default items-center gap-3 rounded-control px-2.5 text-12 aria-selected:bg-accent-weak max-md:h-11"
            >
              <span className="shrink-0 font-medium">{`/${reply.shortcut}`}</span>
              <span className="min-w-0 truncate text-text-2">{reply.content}</span>
            </div>
          ))}
        </div>
        <p className="min-h-0 overflow-y-auto p-3 text-12 whitespace-pre-wrap text-text-2 max-md:hidden">
          {chosen
            ? fillReply(chosen.content, variables)
            : 'No matching replies. Press Escape to return to the message.'}
        </p>
      </div>
      <div className="flex h-9 shrink-0 items-center gap-3 border-t border-line px-3 text-11 text-text-2 max-md:h-11">
        <span className="flex items-center gap-1.5 max-md:hidden">
          <Keys keys="↑" />
          <Keys keys="↓" /> choose
        </span>
        <span className="flex items-center gap-1.5 max-md:hidden">
          <Keys keys="Enter" /> insert
        </span>
        <span className="flex items-center gap-1.5 max-md:hidden">
          <Keys keys="Esc" /> back
        </span>
        <button
          type="button"
          onClick={onClose}
          className="h-11 min-w-11 text-left text-12 font-medium text-text-2 md:hidden"
        >
          Back
        </button>
        <button
          type="button"
          onClick={onManage}
          className="ml-auto min-h-6 rounded-control max-md:h-11 text-12 font-medium text-accent hover:underline"
        >
          Your replies
        </button>
      </div>
    </section>
  );
}
