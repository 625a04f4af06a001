/** An internal note in the log, styled so that it cannot be mistaken for a message. */
import Lock from 'lucide-react/icons/lock';
import { formatClock } from '../../../shared/time/dates.ts';
import type { ChatNote } from './session-feed.ts';
import type { Team } from './team.ts';

/** A name after an at sign, as the server finds it. */
const mention = /(?<![\p{L}\p{N}_@.-])(@[\p{L}\p{N}_.-]+)/u;

/** The text with the names of agents in bold: the colleagues whom it notifies. */
function NoteText({ text, team }: { readonly text: string; readonly team: Team }) {
  const names = new Set(team.agents.map(({ username }) => `@${username.toLowerCase()}`));
  return text.split(mention).map((part, at) => {
    const name = part.toLowerCase();
    const isName = names.has(name) || names.has(name.replace(/[.-]+$/, ''));
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
    return isName ? <b key={at}>{part}</b> : part;
  });
}

interface NoteLineProps {
  readonly note: ChatNote;
  readonly me: string;
  readonly team: Team;
}

export function NoteLine({ note, me, team }: NoteLineProps) {
  return (
    <div className="my-2 flex justify-end">
      <div className="flex w-fit max-w-[min(508px,88%)] items-start gap-2 rounded-[12px] border border-dashed border-warn/60 bg-warn-weak px-3 py-2 text-13">
        <Lock size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
        <p className="min-w-0 wrap-anywhere whitespace-pre-wrap">
          <span className="sr-only">Internal note: </span>
          <NoteText text={note.content} team={team} />
        </p>
        <span className="figures shrink-0 text-11 leading-5 text-text-2">
          {`${note.author_id === me ? 'You' : (note.author_name ?? 'Colleague')}, ${formatClock(note.created_at)}`}
        </span>
      </div>
    </div>
  );
}
