/** The journal's search field, tag filters with their counts, and export menu. */
import Ellipsis from 'lucide-react/icons/ellipsis';
import Search from 'lucide-react/icons/search';
import { useEffect, useRef, useState } from 'react';
import { downloadText, formatDayStamp } from '../../shared/download/index.ts';
import { useSaving } from '../../shared/download/useSaving.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { IconButton, Menu, MenuItem, showToast } from '../../shared/ui/index.ts';
import { readAllEntries } from './entries.ts';
import { searchChars, type TagCount } from './filter.ts';
import { journalCsv, journalMarkdown } from './journal-files.ts';

const searchDelayMs = 300;

interface SearchFieldProps {
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly className?: string;
}

/** Searches once typing pauses. */
export function SearchField({ text, onSearch, className = '' }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Changed from outside of this field, such as by 'Show all'.
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (next: string) => {
    clearTimeout(timer.current);
    sent.current = next;
    onSearch(next);
  };
  return (
    <div className={`control flex h-8 items-center gap-2 px-2.5 max-md:h-11 ${className}`}>
      <Search size={14} aria-hidden="true" className="shrink-0 text-text-3" />
      <input
        type="search"
        aria-label="Search the whole journal"
        placeholder="Search the whole journal"
        maxLength={searchChars}
        autoComplete="off"
        value={typed}
        onChange={({ target: { value } }) => {
          setTyped(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(value), searchDelayMs);
        }}
        onKeyDown={(event) => event.key === 'Enter' && send(typed)}
        className="min-w-0 grow bg-transparent text-13 text-text outline-none max-md:text-16 pointer-coarse:text-16"
      />
    </div>
  );
}

/** The number of tags before the user expands them. */
const fewTags = 10;
const mostTags = 200;

interface TagFilterProps {
  readonly tags: readonly TagCount[];
  readonly chosen: string | null;
  readonly onChoose: (tag: string | null) => void;
}

export function TagFilter({ tags, chosen, onChoose }: TagFilterProps) {
  const [showsMore, setShowsMore] = useState(false);
  const isChosen = ({ spellings }: TagCount) => chosen !== null && spellings.includes(chosen);
  const shown = tags.filter((tag, index) => index < (showsMore ? mostTags : fewTags) || isChosen(tag));
  if (tags.length === 0) return null;
  const chipStyles =
    'inline-flex h-6 items-center gap-1.5 rounded-badge border px-2 text-12 transition-colors max-md:relative max-md:h-9 max-md:shrink-0 max-md:px-3 max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-1';
  return (
    <fieldset className="flex gap-1.5 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1 md:flex-wrap">
      <legend className="sr-only">Tags</legend>
      {shown.map((counted) => {
        const isSelected = isChosen(counted);
        return (
          <button
            key={counted.tag}
            type="button"
            aria-pressed={isSelected}
            onClick={() => onChoose(isSelected ? null : counted.tag)}
            className={`${chipStyles} ${isSelected ? 'border-accent bg-accent-weak text-text' : 'border-line text-text-2 hover:border-text-3 hover:text-text'}`}
          >
            <span className="max-w-40 truncate">{counted.tag}</span>
            <span className="figures text-text-3">{counted.count}</span>
          </button>
        );
      })}
      {tags.length > fewTags ? (
        <button
          type="button"
          aria-expanded={showsMore}
          onClick={() => setShowsMore(!showsMore)}
          className={`${chipStyles} border-transparent text-accent`}
        >
          {showsMore ? 'Fewer tags' : `All ${Math.min(tags.length, mostTags)} tags`}
        </button>
      ) : null}
    </fieldset>
  );
}

const files = {
  Markdown: { of: journalMarkdown, ending: 'md', type: 'text/markdown' },
  CSV: { of: journalCsv, ending: 'csv', type: 'text/csv' },
} as const;

/** Exports the whole journal, whatever the filter. */
export function ExportMenu() {
  const { user, accountId, supabase } = useSignedIn();
  const { save, pending } = useSaving('Failed to export the journal');
  const saveAs = (kind: keyof typeof files) =>
    save(async () => {
      const entries = await readAllEntries(supabase, accountId);
      const { of, ending, type } = files[kind];
      downloadText(`journal_${user.username}_${formatDayStamp(new Date())}.${ending}`, of(entries), type);
      showToast('success', `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'} exported`);
    });
  return (
    <Menu
      label="Export the journal"
      align="end"
      trigger={
        <IconButton label="Export the journal" aria-busy={pending || undefined}>
          <Ellipsis size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      {(['Markdown', 'CSV'] as const).map((kind) => (
        <MenuItem key={kind} disabled={pending} onSelect={() => saveAs(kind)}>
          {`Export all as ${kind}`}
        </MenuItem>
      ))}
    </Menu>
  );
}
