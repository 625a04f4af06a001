/** Saves the closed positions that the panel shows as a CSV file and reports their number. */
import Download from 'lucide-react/icons/download';
import { downloadText, formatDayStamp } from '../../../shared/download/index.ts';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, showToast } from '../../../shared/ui/index.ts';
import { closedCsv, readClosed } from './closed-export.ts';
import { type HistoryFilter, isFiltered } from './history-filter.ts';
import type { HistoryRows } from './history-rows.ts';

interface ExportButtonProps {
  readonly closed: HistoryRows<Position>;
  readonly filter: HistoryFilter;
}

export function ExportButton({ closed: { rows, isShort }, filter }: ExportButtonProps) {
  const { user, supabase } = useSignedIn();
  const { run, pending } = useRequest();
  if (!rows) return null;
  const label = isShort
    ? `Download all closed positions${isFiltered(filter) ? ' of this filter' : ''} as CSV`
    : `Download ${rows.length} closed ${rows.length === 1 ? 'position' : 'positions'} as CSV`;

  const save = () =>
    run(
      async () => {
        const saved = isShort ? await readClosed(supabase, { userId: user.id, ...filter }) : rows;
        const name = `closed_positions_${user.username}_${formatDayStamp(new Date())}.csv`;
        downloadText(name, closedCsv(saved), 'text/csv');
        showToast(
          'success',
          `${saved.length} closed ${saved.length === 1 ? 'position' : 'positions'} exported`,
        );
      },
      (cause) => {
        showToast('error', failedWith('Failed to export positions')(cause));
        return null;
      },
    );
  if (rows.length === 0 && !isShort) return null;
  return (
    <Button size="compact" aria-label={label} title={label} onClick={save} pending={pending}>
      <Download size={14} aria-hidden="true" />
      CSV
    </Button>
  );
}
