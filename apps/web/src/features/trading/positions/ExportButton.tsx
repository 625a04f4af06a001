/** Saves the closed positions that the panel shows as a CSV file and reports their number. */
import Download from 'lucide-react/icons/download';
import { downloadText, formatDayStamp } from '../../../shared/download/index.ts';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, showToast } from '../../../shared/ui/index.ts';
import { closedCsv, isTruncated, readClosed } from './closed-export.ts';
import { filterByPair } from './RowList.tsx';

interface ExportButtonProps {
  /** The listed closed positions of all pairs. */
  readonly closed: readonly Position[];
  readonly only: string | null;
}

export function ExportButton({ closed, only }: ExportButtonProps) {
  const { user, supabase } = useSignedIn();
  const { run, pending } = useRequest();
  const listed = filterByPair(closed, only).length;
  const label = isTruncated(closed)
    ? 'Download all closed positions as CSV'
    : `Download ${listed} closed ${listed === 1 ? 'position' : 'positions'} as CSV`;

  const save = () =>
    run(
      async () => {
        const rows = isTruncated(closed)
          ? await readClosed(supabase, { userId: user.id, only })
          : filterByPair(closed, only);
        const name = `closed_positions_${user.username}_${formatDayStamp(new Date())}.csv`;
        downloadText(name, closedCsv(rows), 'text/csv');
        showToast(
          'success',
          `${rows.length} closed ${rows.length === 1 ? 'position' : 'positions'} exported`,
        );
      },
      (cause) => {
        showToast('error', failedWith('Failed to export positions')(cause));
        return null;
      },
    );
  if (listed === 0 && !isTruncated(closed)) return null;
  return (
    <Button size="compact" aria-label={label} title={label} onClick={save} pending={pending}>
      <Download size={14} aria-hidden="true" />
      CSV
    </Button>
  );
}
