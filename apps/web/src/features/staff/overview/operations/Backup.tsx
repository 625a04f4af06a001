/** When the last scheduled backup was made, and what is wrong with it. Nothing where the server has no folder for backups. */
import { formatClock, formatDay } from '../../../../shared/time/dates.ts';
import type { OperationsStatus } from '../useOverview.ts';
import { capitalize } from './labels.ts';

export function Backup({ backup }: Pick<OperationsStatus, 'backup'>) {
  if (backup === null) return null;
  const { last_at, trouble } = backup;
  return (
    <section aria-label="Backup" className="border-t border-line px-4 py-2 text-12">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h3 className="font-normal text-text-3">Last backup</h3>
        <span className="figures">
          {last_at === null ? 'None yet' : `${formatDay(last_at)} ${formatClock(last_at)}`}
        </span>
      </div>
      {trouble === null ? null : (
        <p className="text-down">{`${capitalize(trouble)}. Its reason is in the log of the server.`}</p>
      )}
    </section>
  );
}
