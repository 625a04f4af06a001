/** The filters of a positions table: part of a symbol, a range of days; and the CSV export (ADMIN-74 to ADMIN-76). */
import ChevronDown from 'lucide-react/icons/chevron-down';
import Download from 'lucide-react/icons/download';
import { SearchField } from '../../../shared/table/SearchField.tsx';
import { DayField } from '../../../shared/time/DayField.tsx';
import { Button, IconButton, Menu, MenuItem } from '../../../shared/ui/index.ts';
import { type PositionsQuery, symbolCharsMax } from './positions-query.ts';

type Filter = Pick<PositionsQuery, 'symbol' | 'from' | 'to'>;

interface PositionFiltersProps {
  /** `open positions`. */
  readonly what: string;
  readonly query: Filter;
  readonly onSymbol: (symbol: string) => void;
  readonly onDays: (change: Partial<Pick<Filter, 'from' | 'to'>>) => void;
  readonly isExporting: boolean;
  readonly onExport: (isWithIds: boolean) => void;
}

export function PositionFilters(props: PositionFiltersProps) {
  const { what, query, onSymbol, onDays, isExporting, onExport } = props;
  return (
    <div className="ml-auto flex min-w-0 flex-wrap items-center gap-x-2 gap-y-2 max-md:ml-0 max-md:w-full">
      <SearchField
        label={`Symbol of ${what}`}
        placeholder="Symbol"
        value={query.symbol}
        onSearch={onSymbol}
        hotKey={null}
        maxLength={symbolCharsMax}
        className="!h-7 w-24 max-md:!h-11 max-md:w-full"
      />
      <fieldset aria-label={`Days of ${what}`} className="flex min-w-0 items-center gap-2 max-md:w-full">
        <DayField
          className="h-7 w-[112px] pointer-coarse:w-[136px]"
          label="From"
          value={query.from}
          onChange={(from) => onDays({ from })}
        />
        <DayField
          className="h-7 w-[112px] pointer-coarse:w-[136px]"
          label="To"
          value={query.to}
          onChange={(to) => onDays({ to })}
        />
      </fieldset>
      <span className="flex max-md:w-full">
        <Button
          size="compact"
          className="rounded-r-none max-md:grow"
          aria-label={`CSV Export of ${what}`}
          pending={isExporting}
          onClick={() => onExport(false)}
        >
          {isExporting ? null : <Download size={14} aria-hidden="true" />}
          CSV Export
        </Button>
        <Menu
          label={`Other exports of ${what}`}
          align="end"
          trigger={
            <IconButton
              label={`Other exports of ${what}`}
              className="!size-7 rounded-l-none border border-l-0 border-line-strong max-md:!size-11"
            >
              <ChevronDown size={14} aria-hidden="true" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => onExport(true)}>Export with users, ids and UTC times</MenuItem>
        </Menu>
      </span>
    </div>
  );
}
