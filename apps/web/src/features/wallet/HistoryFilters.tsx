/** The history's filters, a type and a range of days, and the export of the filtered entries. */
import type { TransactionType } from '@fulcrum/domain';
import Download from 'lucide-react/icons/download';
import { DayField } from '../../shared/time/DayField.tsx';
import { Button } from '../../shared/ui/index.ts';
import { type HistoryFilter, isFiltered } from './history-filter.ts';
import { typeStyles } from './type-styles.ts';

interface HistoryFiltersProps {
  readonly filter: HistoryFilter;
  readonly onChange: (change: Partial<HistoryFilter>) => void;
  /** To choose from. */
  readonly types: readonly TransactionType[];
  /** The number of matching entries. */
  readonly count: number;
  readonly onExport: () => void;
}

export function HistoryFilters({ filter, onChange, types, count, onExport }: HistoryFiltersProps) {
  const options: readonly (TransactionType | null)[] = [null, ...types];
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
            {type === null ? 'All' : typeStyles[type].filter}
          </button>
        ))}
      </fieldset>
      <fieldset aria-label="Days" className="flex min-w-0 items-center gap-3 max-md:w-full">
        <DayField className="h-8" label="From" value={filter.from} onChange={(from) => onChange({ from })} />
        <DayField className="h-8" label="To" value={filter.to} onChange={(to) => onChange({ to })} />
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
