/** The search field of the pair selector and of the market list; it controls their rows. */
import Search from 'lucide-react/icons/search';
import type { KeyboardEvent } from 'react';
import { ComboboxField } from '../../../shared/combobox/index.ts';
import type { PairSearch } from './usePairSearch.ts';

const searchPlaceholder = 'Search by symbol, name, or asset...';

interface PairSearchFieldProps {
  readonly label: string;
  readonly search: Pick<PairSearch, 'field' | 'listId' | 'activeId' | 'query' | 'search'>;
  /** Whether the rows are shown. */
  readonly expanded: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Called when the field is clicked or focused. */
  readonly onEnter?: () => void;
  readonly onLeave?: () => void;
  /** The shortcut that focuses the field. */
  readonly hotkey?: string;
  readonly className?: string;
}

export function PairSearchField({
  label,
  search,
  expanded,
  onKeyDown,
  onEnter,
  onLeave,
  hotkey,
  className = '',
}: PairSearchFieldProps) {
  return (
    <div className={`control flex h-[34px] items-center gap-2 px-2.5 max-md:h-11 ${className}`}>
      <Search size={15} aria-hidden="true" className="shrink-0 text-text-3" />
      <ComboboxField
        combobox={search}
        label={label}
        expanded={expanded}
        ref={search.field}
        placeholder={searchPlaceholder}
        value={search.query}
        onChange={(event) => search.search(event.target.value)}
        onFocus={onEnter}
        onClick={onEnter}
        onBlur={onLeave}
        onKeyDown={onKeyDown}
        className="min-w-0 grow bg-transparent text-13 text-ellipsis outline-none max-md:text-16 pointer-coarse:text-16"
      />
      {hotkey === undefined ? null : (
        <kbd className="rounded-[4px] border border-line-strong px-1.5 text-11 text-text-3 max-md:hidden">
          {hotkey}
        </kbd>
      )}
    </div>
  );
}
