/** One entry of the list: one line, which expands to the whole entry with its trade and its actions. */
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { toNetPnl } from '../../shared/account/index.ts';
import { Pnl } from '../../shared/numbers/index.ts';
import type { Position } from '../../shared/supabase/index.ts';
import { formatClock, formatDay } from '../../shared/time/dates.ts';
import { Badge, Button, buttonStyles } from '../../shared/ui/index.ts';
import { ReviewButton } from '../coach/index.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { EntryContent } from './EntryContent.tsx';
import { EntryForm } from './EntryForm.tsx';
import type { JournalEntry } from './entries.ts';
import { toExcerpt } from './excerpt.ts';
import { LiveResult } from './LiveResult.tsx';
import { TradeFigures } from './TradeFigures.tsx';

function Result({ position }: { readonly position: Position | null }) {
  if (position === null) return <span className="text-12 text-text-3">No trade</span>;
  if (position.status === 'closed') {
    return (
      <span title="After fees">
        <Pnl value={toNetPnl(position)} className="text-13 font-semibold" />
        <span className="sr-only"> USDT after fees</span>
      </span>
    );
  }
  return (
    <span className="inline-flex items-center gap-1.5">
      <LiveResult position={position} className="text-13 font-semibold" />
      <Badge>open</Badge>
    </span>
  );
}

function ExpandedEntry({ entry, position, onEdit, onDelete }: ExpandedEntryProps) {
  return (
    <>
      <EntryContent text={entry.content} />
      {position === null ? null : <TradeFigures position={position} />}
      <div className="flex gap-2">
        {position?.status === 'closed' ? (
          <ReviewButton of={position} className={buttonStyles({ size: 'compact' })}>
            Review
          </ReviewButton>
        ) : null}
        <Button size="compact" aria-label={`Edit ${entry.title}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="compact" aria-label={`Delete ${entry.title}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </>
  );
}

interface ExpandedEntryProps {
  readonly entry: JournalEntry;
  readonly position: Position | null;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

interface EntryRowProps {
  readonly entry: JournalEntry;
  /** The linked position as it is now. */
  readonly position: Position | null;
  readonly isOpen: boolean;
  readonly onToggle: (id: string) => void;
  /** Receives the focus when the entry is gone. */
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

export function EntryRow({ entry, position, isOpen, onToggle, fallbackFocus }: EntryRowProps) {
  const { id, title, tags, content, createdAt } = entry;
  const bodyId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const [mode, setMode] = useState<'read' | 'edit' | 'delete'>('read');
  const root = useRef<HTMLLIElement>(null);
  // A deleted entry stays here until the list has been read again, so the focus moves elsewhere first.
  const next = useRef(fallbackFocus);
  useLayoutEffect(() => {
    const row = root.current;
    return () => {
      if (row?.contains(row.ownerDocument.activeElement)) next.current()?.focus({ preventScroll: true });
    };
  }, []);
  const endEdit = () => {
    setMode('read');
    toggle.current?.focus();
  };
  return (
    <li ref={root} className="border-b border-line/65 last:border-b-0">
      <button
        ref={toggle}
        type="button"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => onToggle(id)}
        className="grid w-full grid-cols-[124px_minmax(0,1fr)_auto] gap-x-3 px-4 py-3 text-left -outline-offset-2 hover:bg-raised max-md:grid-cols-[minmax(0,1fr)_auto]"
      >
        <time
          dateTime={createdAt}
          title={createdAt}
          className="figures text-12 leading-5 text-text-2 max-md:col-span-2"
        >
          {formatDay(createdAt)} <span className="text-text-3">{formatClock(createdAt)}</span>
        </time>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="max-w-full min-w-0 truncate text-13 font-semibold">{title}</span>
          {[...new Set(tags)].slice(0, 6).map((tag) => (
            <Badge key={tag}>
              <span className="max-w-40 truncate">{tag}</span>
            </Badge>
          ))}
          {tags.length > 6 ? <span className="text-11 text-text-3">{`+${tags.length - 6}`}</span> : null}
        </span>
        <span className="text-right">
          <Result position={position} />
        </span>
        {isOpen ? null : (
          <span className="col-start-2 mt-1 truncate text-13 text-text-2 max-md:col-span-2 max-md:col-start-1">
            {toExcerpt(content)}
          </span>
        )}
      </button>
      <div id={bodyId} className="empty:hidden">
        {isOpen ? (
          <div className="flex flex-col gap-4 px-4 pt-1 pb-4 md:pl-[152px]">
            {mode === 'edit' ? (
              <EntryForm key={id} entry={entry} onEnd={endEdit} />
            ) : (
              <ExpandedEntry
                entry={entry}
                position={position}
                onEdit={() => setMode('edit')}
                onDelete={() => setMode('delete')}
              />
            )}
          </div>
        ) : null}
      </div>
      {mode === 'delete' ? (
        <DeleteDialog entry={entry} onEnd={() => setMode('read')} fallbackFocus={fallbackFocus} />
      ) : null}
    </li>
  );
}
