/** What the history shows: a type, a range of days, and the way to take that along as a file. */
import Download from 'lucide-react/icons/download';
import { useId } from 'react';
import { Button } from '../../shared/ui/index.ts';
import { type EntryType, entryTypes } from './history.ts';
import { type HistoryFilter, isFiltered } from './range.ts';
import { typeLooks } from './typeLooks.ts';

interface DayFieldProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (day: string | null) => void;
}

function DayField({ label, value, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <span className="flex items-center gap-1.5 max-md:min-w-0 max-md:flex-1 max-md:flex-col max-md:items-start max-md:gap-1">
      <label htmlFor={id} className="text-12 text-text-2">
        {label}
      </label>
      <input
        id={id}
        type="date"
        max="9999-12-31"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
        className="control figures h-8 min-w-0 px-2 text-12 max-md:h-11 max-md:w-full max-md:text-16 pointer-coarse:text-16"
      />
    </span>
  );
}

interface HistoryFiltersProps {
  readonly filter: HistoryFilter;
  readonly onChange: (change: Partial<HistoryFilter>) => void;
  /** Where no fees are charged there is nothing to choose. */
  readonly hasFees: boolean;
  /** How many match. */
  readonly count: number;
  readonly onExport: () => void;
}

export function HistoryFilters({ filter, onChange, hasFees, count, onExport }: HistoryFiltersProps) {
  const options: readonly (EntryType | null)[] = [
    null,
    ...entryTypes.filter((type) => type !== 'fee' || hasFees),
  ];
  const clear = () => onChange({ type: null, from: null, to: null });
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 max-md:w-full">
      <fieldset aria-label="Show" className="flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none]">
        {options.map((type) => (
          <button
            key={type ?? 'all'}
            type="button"
            aria-pressed={type === filter.type}
            onClick={() => onChange({ type })}
            className="h-8 shrink-0 rounded-control px-2.5 text-13 font-medium text-text-2 -outline-offset-2 transition-colors hover:text-text aria-pressed:bg-accent-weak aria-pressed:text-accent max-md:h-11"
          >
            {type === null ? 'All' : typeLooks[type].filter}
          </button>
        ))}
      </fieldset>
      <fieldset aria-label="Days" className="flex min-w-0 items-center gap-3 max-md:w-full">
        <DayField label="From" value={filter.from} onChange={(from) => onChange({ from })} />
        <DayField label="To" value={filter.to} onChange={(to) => onChange({ to })} />
      </fieldset>
      <span className="flex items-center gap-2">
        {isFiltered(filter) ? (
          <Button tone="quiet" size="compact" onClick={clear}>
            Clear
          </Button>
        ) : null}
        {count > 0 ? (
          <Button
            size="compact"
            aria-label={`Download ${count} ${count === 1 ? 'transaction' : 'transactions'} as CSV`}
            onClick={onExport}
          >
            <Download size={14} aria-hidden="true" />
            CSV
          </Button>
        ) : null}
      </span>
    </div>
  );
}
