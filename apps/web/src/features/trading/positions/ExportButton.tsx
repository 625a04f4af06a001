/** Saves the closed positions that the panel shows as one of two CSV files and reports their number. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import Download from 'lucide-react/icons/download';
import { downloadText, formatDayStamp } from '../../../shared/download/index.ts';
import { useSaving } from '../../../shared/download/useSaving.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, IconButton, Menu, MenuItem, showToast } from '../../../shared/ui/index.ts';
import { closedCsv, exactClosedCsv, readClosed } from './closed-export.ts';
import { type HistoryFilter, isFiltered } from './history-filter.ts';
import type { HistoryRows } from './history-rows.ts';

interface ExportButtonProps {
  readonly closed: HistoryRows<Position>;
  readonly filter: HistoryFilter;
}

export function ExportButton({ closed: { rows, isShort }, filter }: ExportButtonProps) {
  const { user, accountId, supabase } = useSignedIn();
  const { save, pending } = useSaving('Failed to export positions');
  if (!rows) return null;
  const label = isShort
    ? `Download all closed positions${isFiltered(filter) ? ' of this filter' : ''} as CSV`
    : `Download ${rows.length} closed ${rows.length === 1 ? 'position' : 'positions'} as CSV`;

  const saveAs = (toText: typeof closedCsv) =>
    save(async () => {
      const saved = isShort ? await readClosed(supabase, { accountId, ...filter }) : rows;
      const name = `closed_positions_${user.username}_${formatDayStamp(new Date())}.csv`;
      downloadText(name, toText(saved), 'text/csv');
      showToast(
        'success',
        `${saved.length} closed ${saved.length === 1 ? 'position' : 'positions'} exported`,
      );
    });
  if (rows.length === 0 && !isShort) return null;
  return (
    <span className="flex">
      <Button
        size="compact"
        className="rounded-r-none"
        aria-label={label}
        title={label}
        onClick={() => saveAs(closedCsv)}
        pending={pending}
      >
        <Download size={14} aria-hidden="true" />
        CSV
      </Button>
      <Menu
        label="Other files"
        align="end"
        trigger={
          <IconButton
            label="Other files"
            className="!size-7 rounded-l-none border border-l-0 border-line-strong max-md:!size-11"
          >
            <ChevronDown size={14} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => saveAs(exactClosedCsv)}>With UTC times, fees and ids</MenuItem>
      </Menu>
    </span>
  );
}
