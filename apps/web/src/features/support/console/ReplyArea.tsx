/**
 * The reply area: a reply to the trader, or a note for colleagues. The two have separate fields and drafts, so that
 * switching never turns one into the other.
 */
import Zap from 'lucide-react/icons/zap';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Keys, useActions } from '../../../shared/actions/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { TabPanel, Tabs } from '../../../shared/ui/index.ts';
import {
  Composer,
  type ComposerHandle,
  type ComposerProps,
  type Conversation,
  useSuggestedAnswer,
} from '../conversation/index.ts';
import { CannedPicker } from './CannedPicker.tsx';
import { consoleAction } from './console-action.ts';
import { NoteField } from './NoteField.tsx';
import { OwnReplies } from './OwnReplies.tsx';
import type { Team } from './team.ts';

const modes = [
  { value: 'reply', label: 'Reply' },
  { value: 'note', label: 'Internal note' },
] as const;
type Mode = (typeof modes)[number]['value'];

interface ReplyAreaProps {
  readonly conversation: Conversation;
  readonly sessionId: string;
  readonly username: string;
  readonly team: Team;
  /** The reason why the agent cannot write; null if writing is possible. */
  readonly disabledBecause: string | null;
  readonly onNoted: () => void;
  readonly getWarning: NonNullable<ComposerProps['getWarning']>;
  /** Called with each key of a reply, and when it is sent. */
  readonly onTyped: () => void;
  readonly onSent: () => void;
}

export function ReplyArea({
  conversation,
  sessionId,
  username,
  team,
  disabledBecause,
  onNoted,
  getWarning,
  onTyped,
  onSent,
}: ReplyAreaProps) {
  const { user } = useSignedIn();
  const [mode, setMode] = useState<Mode>('reply');
  const [picks, setPicks] = useState(false);
  const [manages, setManages] = useState(false);
  const composer = useRef<ComposerHandle | null>(null);
  const area = useRef<HTMLDivElement>(null);

  const last = conversation.messages.at(-1);
  const unanswered = last?.sender_role === 'trader' && last.content.trim() !== '' ? last : null;
  const suggestion = useSuggestedAnswer(picks ? unanswered : null);

  const openPicker = () => {
    if (disabledBecause !== null) return;
    setMode('reply');
    setPicks(true);
  };
  // The field exists only after the tab has changed.
  const focusField = (next: Mode) => {
    setMode(next);
    requestAnimationFrame(() => area.current?.querySelector('textarea')?.focus());
  };
  const closePicker = () => {
    setPicks(false);
    composer.current?.focus();
  };
  const insert = (text: string) => {
    setPicks(false);
    composer.current?.insert(text);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (event.key !== '/' || event.currentTarget.value !== '' || disabledBecause !== null) return false;
    event.preventDefault();
    openPicker();
    return true;
  };
  useActions([
    consoleAction('reply', 'Write a reply', 'r', () => focusField('reply')),
    consoleAction('note', 'Write an internal note', 'n', () => focusField('note')),
    consoleAction('replies', 'Canned replies', '/', openPicker),
  ]);
  const tools = (
    <button
      type="button"
      onClick={picks ? closePicker : openPicker}
      aria-expanded={picks}
      aria-keyshortcuts="/"
      className="inline-flex h-8 items-center gap-2 rounded-control bg-accent-weak px-2.5 text-12 font-medium text-accent max-md:h-11"
    >
      <Zap size={14} aria-hidden="true" />
      Replies
      <span className="max-md:hidden">
        <Keys keys="/" />
      </span>
    </button>
  );
  const hint = (
    <span className="px-2 text-11 whitespace-nowrap text-text-3 max-lg:hidden">
      {mode === 'reply' ? 'Enter sends' : 'Enter saves'}, Shift+Enter is a new line
    </span>
  );
  return (
    <>
      {picks ? (
        <CannedPicker
          variables={{ username, agent: user.username }}
          suggestion={suggestion?.text ?? null}
          onInsert={insert}
          onClose={closePicker}
          onManage={() => setManages(true)}
        />
      ) : null}
      <div ref={area} className="shrink-0 px-3 pb-3">
        <Tabs
          label="What you write"
          tabs={modes}
          value={mode}
          onChange={(next) => {
            setMode(next);
            setPicks(false);
          }}
          aside={hint}
        >
          <TabPanel value="reply" tabIndex={-1} className="pt-2 outline-none">
            <Composer
              ref={composer}
              conversation={{
                ...conversation,
                typed: () => {
                  conversation.typed();
                  onTyped();
                },
                send: (content, attachmentId) => {
                  conversation.send(content, attachmentId);
                  onSent();
                },
              }}
              getWarning={getWarning}
              label={`Reply to ${username}`}
              disabledBecause={disabledBecause}
              onKey={onKey}
              tools={tools}
            />
          </TabPanel>
          <TabPanel value="note" tabIndex={-1} className="pt-2 outline-none">
            <NoteField team={team} key={sessionId} sessionId={sessionId} onWritten={onNoted} />
          </TabPanel>
        </Tabs>
      </div>
      <OwnReplies open={manages} onOpenChange={setManages} />
    </>
  );
}
