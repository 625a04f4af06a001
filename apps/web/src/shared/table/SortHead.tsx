/** The header button of a sortable column; only the current sort column shows an arrow. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import { Th } from '../ui/index.ts';
import type { Sorted } from './sort.ts';

export interface SortHeadProps<Column extends string> {
  readonly column: Column;
  readonly label: string;
  /** The current order of the list. */
  readonly sorted: Sorted<Column>;
  readonly onSort: (column: Column) => void;
  readonly numeric?: boolean;
  readonly className?: string;
}

export function SortHead<Column extends string>({
  column,
  label,
  sorted: { sort, order },
  onSort,
  numeric = false,
  className = '',
}: SortHeadProps<Column>) {
  const isSorted = sort === column;
  const Icon = isSorted ? (order === 'ascending' ? ArrowUp : ArrowDown) : ChevronsUpDown;
  return (
    <Th numeric={numeric} className={className} {...(isSorted && { 'aria-sort': order })}>
      <button
        type="button"
        onClick={() => onSort(column)}
        className={`-mx-1 inline-flex h-6 items-center gap-1 rounded-badge px-1 font-medium hover:text-text ${isSorted ? 'text-text' : ''}`}
      >
        {label}
        <Icon size={12} aria-hidden="true" className={isSorted ? '' : 'opacity-50'} />
      </button>
    </Th>
  );
}
