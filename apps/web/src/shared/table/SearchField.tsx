/**
 * The search field of a list. A search runs once typing pauses. Escape clears the field; `/` focuses it from anywhere on the
 * page where it is the page's only search. Invariant: a change of the search from elsewhere (back button, Clear filters)
 * replaces text that was typed before it and not searched yet; text that is typed after it stays, however late it is shown.
 */
import Search from 'lucide-react/icons/search';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Keys, useActions } from '../actions/index.ts';

/** The input debounce of X-13. */
const debounceMs = 300;
const searchKey = '/';

export interface SearchFieldProps {
  readonly label: string;
  /** Defaults to the label. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Lets the parent focus the field. */
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly hotKey?: typeof searchKey | null;
  readonly maxLength?: number;
  readonly className?: string;
}

export function SearchField({
  label,
  placeholder = label,
  value,
  onSearch,
  inputRef,
  hotKey = searchKey,
  maxLength = 100,
  className = '',
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const ownInput = useRef<HTMLInputElement>(null);
  const input = inputRef ?? ownInput;
  const debounceTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The last search: the same value in the URL is no change from elsewhere. */
  const lastSearch = useRef(value);
  /** The query string when the text that is not searched yet was typed; null without one. */
  const typedAt = useRef<string | null>(null);
  /** The current callback, not that of the key press: the URL may have changed during the pause. */
  const latestOnSearch = useRef(onSearch);
  useLayoutEffect(() => {
    latestOnSearch.current = onSearch;
  });
  useEffect(() => {
    if (value === lastSearch.current) return;
    lastSearch.current = value;
    // The URL changes at once, what is shown of it later.
    if (typedAt.current === window.location.search) return;
    typedAt.current = null;
    clearTimeout(debounceTimer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(debounceTimer.current), []);
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
    typedAt.current = window.location.search;
    clearTimeout(debounceTimer.current);
    debounceTimer.current = setTimeout(() => {
      typedAt.current = null;
      lastSearch.current = next.trim();
      latestOnSearch.current(lastSearch.current);
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
        onChange={({ target }) => search(target.value, debounceMs)}
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
