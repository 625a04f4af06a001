/** The head of the market list: a button per column that orders the rows, and the menu of the columns. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Columns from 'lucide-react/icons/columns-3';
import {
  type MarketColumn,
  type MarketSort,
  marketColumns,
  setPreference,
  usePreference,
} from '../../../shared/preferences/index.ts';
import { IconButton, Menu, MenuOption } from '../../../shared/ui/index.ts';
import { listColumns } from '../pairs/PairList.tsx';
import { nextSort } from '../pairs/sort-pairs.ts';

const columnNames: Readonly<Record<MarketColumn, string>> = {
  sparkline: 'Curve of the last 24 hours',
  change: '24h change',
  volume: '24h volume',
};

interface SortButtonProps {
  readonly by: MarketSort['by'];
  readonly label: string;
  readonly sort: MarketSort | null;
}

function SortButton({ by, label, sort }: SortButtonProps) {
  const isSorted = sort?.by === by;
  const Icon = sort?.descending === true ? ArrowDown : ArrowUp;
  const order = isSorted ? `, ${sort.descending ? 'descending' : 'ascending'}` : '';
  return (
    <button
      type="button"
      aria-pressed={isSorted}
      aria-label={`Sort by ${label.toLowerCase()}${order}`}
      onClick={() => setPreference('marketSort', nextSort(sort, by))}
      className="inline-flex h-6 items-center gap-0.5 rounded-badge font-medium whitespace-nowrap hover:text-text aria-pressed:text-text max-md:h-11"
    >
      {label}
      {isSorted ? <Icon size={11} aria-hidden="true" /> : null}
    </button>
  );
}

export function ListHeader() {
  const sort = usePreference('marketSort');
  const columns = usePreference('marketColumns');
  return (
    <div className="@container shrink-0 border-b border-line text-11 text-text-3">
      <div className="flex h-7 items-center gap-x-2 pr-4 pl-1.5 max-md:h-11">
        <Menu
          label="Columns of the market list"
          trigger={
            <IconButton label="Columns of the market list" className="size-6! max-md:size-11!">
              <Columns size={13} aria-hidden="true" />
            </IconButton>
          }
        >
          {marketColumns.map((column) => (
            <MenuOption
              key={column}
              checked={columns.includes(column)}
              onChange={(checked) =>
                setPreference(
                  'marketColumns',
                  marketColumns.filter((one) => (one === column ? checked : columns.includes(one))),
                )
              }
            >
              {columnNames[column]}
            </MenuOption>
          ))}
        </Menu>
        <span className="min-w-0 grow">
          <SortButton by="symbol" label="Symbol" sort={sort} />
        </span>
        {columns.includes('sparkline') ? (
          <span className={`text-center ${listColumns.curve}`}>24h</span>
        ) : null}
        {columns.includes('volume') ? (
          <span className={listColumns.volume}>
            <SortButton by="volume" label="Volume" sort={sort} />
          </span>
        ) : null}
        <span className="flex shrink-0 justify-end gap-1.5 @min-[300px]:w-22">
          <SortButton by="price" label="Price" sort={sort} />
          {columns.includes('change') ? <SortButton by="change" label="24h %" sort={sort} /> : null}
        </span>
      </div>
    </div>
  );
}
