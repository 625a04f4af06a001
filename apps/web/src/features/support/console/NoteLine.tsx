/** An internal note in the log, styled so that it cannot be mistaken for a message. */
import Lock from 'lucide-react/icons/lock';
import { formatClock } from '../../../shared/time/dates.ts';
import type { ChatNote } from './session-feed.ts';

export function NoteLine({ note, me }: { readonly note: ChatNote; readonly me: string }) {
  return (
    <div className="my-2 flex justify-end">
      <div className="flex w-fit max-w-[min(508px,88%)] items-start gap-2 rounded-[12px] border border-dashed border-warn/60 bg-warn-weak px-3 py-2 text-13">
        <Lock size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
        <p className="min-w-0 wrap-anywhere whitespace-pre-wrap">
          <span className="sr-only">Internal note: </span>
          {note.content}
        </p>
        <span className="figures shrink-0 text-11 leading-5 text-text-2">
          {`${note.author_id === me ? 'You' : (note.author_name ?? 'Colleague')}, ${formatClock(note.created_at)}`}
        </span>
      </div>
    </div>
  );
}
