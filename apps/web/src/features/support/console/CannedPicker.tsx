/**
 * Canned replies, docked on the composer. The log above shrinks, so that the trader's question stays visible. Typing
 * filters, arrows choose, Enter inserts but never sends, Escape returns to the message. The first one is a draft: what the help says about
 * the trader's last message, if anything.
 */
import {
  type CannedReply,
  defaultReplies,
  fillReply,
  findReplies,
  type ReplyVariables,
} from '@fulcrum/domain';
import Search from 'lucide-react/icons/search';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Keys } from '../../../shared/actions/index.ts';
import { ComboboxField, Listbox, ListboxOption, useCombobox } from '../../../shared/combobox/index.ts';
import { useOwnReplies, useTeamReplies } from './own-replies.ts';

interface CannedPickerProps {
  readonly variables: ReplyVariables;
  /** What the help says about the trader's last message; null: nothing. */
  readonly suggestion: string | null;
  readonly onInsert: (text: string) => void;
  readonly onClose: () => void;
  readonly onManage: () => void;
}

interface ListedReply extends CannedReply {
  readonly source?: 'team' | 'help';
}

const sourceTexts = { team: 'team', help: 'from the help' } as const;

export function CannedPicker({ variables, suggestion, onInsert, onClose, onManage }: CannedPickerProps) {
  const { data: own = [] } = useOwnReplies();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { data: team = [] } = useTeamReplies();
  // Of one shortcut, the agent's own reply precedes the team's, and that a shipped one.
  const byShortcut = new Map<string, ListedReply>();
  for (const reply of [
    ...own,
    ...team.map((one) => ({ ...one, source: 'team' as const })),
    ...defaultReplies,
  ]) {
    if (!byShortcut.has(reply.shortcut)) byShortcut.set(reply.shortcut, reply);
  }
  const draft: ListedReply[] =
    suggestion === null ? [] : [{ shortcut: 'suggestion', content: suggestion, source: 'help' }];
  const all = [...draft, ...byShortcut.values()];
  const found = findReplies(all, typed);
  const combobox = useCombobox({ items: found, keyOf: ({ shortcut }) => shortcut });

  useEffect(() => field.current?.focus(), []);
  const textOf = ({ content, source }: ListedReply) =>
    source === 'help' ? content : fillReply(content, variables);
  const insert = (reply: ListedReply) => onInsert(textOf(reply));
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
        <ComboboxField
          combobox={combobox}
          label="Find a reply"
          ref={field}
          placeholder="Find a reply"
          value={typed}
          maxLength={60}
          onChange={({ target }) => {
            setTyped(target.value);
            combobox.setActiveKey(null);
          }}
          onKeyDown={(event) => combobox.onKeyDown(event, (reply) => reply && insert(reply))}
          className="min-w-0 grow bg-transparent text-13 outline-none max-md:text-16"
        />
        <span role="status" className="figures text-12 whitespace-nowrap text-text-2">
          {`${found.length} of ${all.length} replies`}
        </span>
      </div>
      <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] overflow-hidden max-md:grid-cols-1">
        <Listbox
          combobox={combobox}
          label="Replies"
          className="min-h-0 overflow-y-auto p-1 md:border-r md:border-line"
        >
          {found.map((reply) => (
            <ListboxOption
              key={reply.shortcut}
              combobox={combobox}
              item={reply}
              isSelected={reply === combobox.active}
              onChoose={() => insert(reply)}
              className="flex h-9 cursor-default items-center gap-3 rounded-control px-2.5 text-12 aria-selected:bg-accent-weak max-md:h-11"
            >
              <span className="shrink-0 font-medium">{`/${reply.shortcut}`}</span>
              <span className="min-w-0 truncate text-text-2">{reply.content}</span>
              {reply.source ? (
                <span className="ml-auto shrink-0 text-11 text-text-3">{sourceTexts[reply.source]}</span>
              ) : null}
            </ListboxOption>
          ))}
        </Listbox>
        <p className="min-h-0 overflow-y-auto p-3 text-12 whitespace-pre-wrap text-text-2 max-md:hidden">
          {combobox.active
            ? textOf(combobox.active)
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
          Edit replies
        </button>
      </div>
    </section>
  );
}
