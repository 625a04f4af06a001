/** Opens the dialog of a bulk action. Users who were refused, or who have no answer, stay selected for another attempt. */
import { type ComponentProps, useState } from 'react';
import { BulkDialog } from './BulkDialog.tsx';
import { refusedIds } from './report.ts';
import type { Selection } from './useSelection.ts';

type DialogProps = ComponentProps<typeof BulkDialog>;
type BulkRequest = Pick<DialogProps, 'kind' | 'ids'>;

interface BulkOptions extends Pick<DialogProps, 'inClass' | 'fallbackFocus'> {
  readonly selection: Selection;
  /** Called once users may have changed. */
  readonly onChanged?: () => void;
}

export function useBulkDialog({ selection, onChanged, ...options }: BulkOptions) {
  const [bulk, setBulk] = useState<BulkRequest | null>(null);
  const keep = (ids: readonly string[]) => {
    onChanged?.();
    selection.replace(ids);
  };
  const dialog =
    bulk === null ? null : (
      <BulkDialog
        {...bulk}
        {...options}
        onDone={(rows) => keep(refusedIds(rows))}
        onStopped={keep}
        onClose={() => setBulk(null)}
      />
    );
  return { dialog, openBulk: (request: BulkRequest) => setBulk(request) } as const;
}
