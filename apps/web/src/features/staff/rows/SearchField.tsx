/**
 * A search of a list: what is typed counts once the typing has paused. Escape empties it, `/` comes here from anywhere on
 * the page where it is the page's one search. Invariant: what the list is set to from elsewhere (a step back, Clear filters)
 * takes the place of what was typed and not asked yet.
 */
import Search from 'lucide-react/icons/search';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Keys, useActions } from '../../../shared/actions/index.ts';

/** The stated pause. */
const settleMs = 300;
const searchKey = '/';

export interface SearchFieldProps {
  readonly label: string;
  /** Left out: the label. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** For whoever gives it the focus. */
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly hotKey?: typeof searchKey | null;
  readonly maxLength?: number;
  readonly className?: string;
}

export function SearchField({
  label,
  placeholder = label,
  value,
  onSearch,
  field,
  hotKey = searchKey,
  maxLength = 100,
  className = '',
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What was asked for last: an address that says the same is no news. */
  const asked = useRef(value);
  /** As of now, not as of the key press: the address may have changed in the pause, and an old one must not come back. */
  const latest = useRef(onSearch);
  useLayoutEffect(() => {
    latest.current = onSearch;
  });
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    clearTimeout(waiting.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  useActions(
    hotKey === null
      ? []
      : [
          {
            id: 'staff-search',
            label: 'Search the list',
            group: 'General',
            keys: [hotKey],
            perform: () => input.current?.focus(),
          },
        ],
  );
  const search = (next: string, afterMs: number) => {
    setText(next);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => {
      asked.current = next.trim();
      latest.current(asked.current);
    }, afterMs);
  };
  return (
    <label
      className={`control flex h-8 min-w-0 items-center gap-2 px-2.5 text-12 focus-within:border-accent max-md:h-11 max-md:grow ${className}`}
    >
      <Search size={14} aria-hidden="true" className="shrink-0 text-text-3" />
      <span className="sr-only">{label}</span>
      <input
        ref={input}
        type="search"
        value={text}
        maxLength={maxLength}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => search(target.value, settleMs)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault();
            search('', 0);
          }
        }}
        className="w-36 min-w-0 grow bg-transparent text-text outline-none placeholder:text-text-3 max-md:text-16 pointer-coarse:text-16 [&::-webkit-search-cancel-button]:appearance-none"
      />
      {hotKey !== null && text === '' ? (
        <span aria-hidden="true" className="max-lg:hidden">
          <Keys keys={hotKey} />
        </span>
      ) : null}
    </label>
  );
}
