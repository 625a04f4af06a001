/** Saves the closed positions that the panel shows as a CSV file and says how many they are. */
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { dayStamp, downloadText } from '../../../shared/download/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, type Position } from '../../../shared/supabase/index.ts';
import { announce, Button } from '../../../shared/ui/index.ts';
import { closedCsv, isCut, readClosed } from './closed-export.ts';
import { ofPair } from './RowList.tsx';

interface ExportButtonProps {
  /** As they are listed, of all pairs. */
  readonly closed: readonly Position[];
  readonly only: string | null;
}

export function ExportButton({ closed, only }: ExportButtonProps) {
  const { user, supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const listed = ofPair(closed, only).length;
  const label = isCut(closed)
    ? 'Download all closed positions as CSV'
    : `Download ${listed} closed ${listed === 1 ? 'position' : 'positions'} as CSV`;

  const save = async () => {
    setPending(true);
    try {
      const rows = isCut(closed)
        ? await readClosed(supabase, { userId: user.id, only })
        : ofPair(closed, only);
      const name = `closed_positions_${user.username}_${dayStamp(new Date())}.csv`;
      downloadText(name, closedCsv(rows), 'text/csv');
      announce('success', `${rows.length} closed ${rows.length === 1 ? 'position' : 'positions'} exported`);
    } catch (cause) {
      log.warn('The closed positions could not be read for the file', cause);
      announce('error', messageOf(cause, 'Failed to export positions'));
    } finally {
      setPending(false);
    }
  };
  if (listed === 0 && !isCut(closed)) return null;
  return (
    <Button size="compact" aria-label={label} title={label} onClick={save} pending={pending}>
      <Download size={14} aria-hidden="true" />
      CSV
    </Button>
  );
}
