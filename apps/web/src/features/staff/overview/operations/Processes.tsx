/** The processes of a cluster with their roles. Nothing where the server is alone. */
import { formatFigure } from '../../../../shared/numbers/index.ts';
import { formatClock, formatDay } from '../../../../shared/time/dates.ts';
import { Badge } from '../../../../shared/ui/index.ts';
import type { OperationsStatus } from '../useOverview.ts';
import { capitalize } from './labels.ts';

type Process = NonNullable<OperationsStatus['processes']>[number];

const figuresOf = ({ slots, queued, sockets }: Process) =>
  [
    ['Account slots', slots],
    ['In the queue', queued],
    ['Live connections', sockets],
  ] as const;

export function Processes({ processes }: Pick<OperationsStatus, 'processes'>) {
  // A gateway of the former release does not state them.
  if (processes == null) return null;
  return (
    <section aria-label="Processes" className="border-t border-line px-4 py-2 text-12">
      <h3 className="text-11 font-normal text-text-3">Processes</h3>
      <ul>
        {processes.map((process) => (
          <li key={process.id} className="border-t border-line py-2 first:border-t-0">
            <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
              <p className="font-medium break-words">
                {process.name} <span className="figures text-text-3">{process.id.slice(0, 8)}</span>
              </p>
              <p className="col-span-2 text-11 text-text-2">
                {process.roles.map(capitalize).join(', ')}
                {process.duties.length > 0 ? ` · holds ${process.duties.join(', ')}` : ''}
              </p>
              <span className="col-start-2 row-start-1">
                <Badge tone={process.silent ? 'down' : 'up'}>{process.silent ? 'Silent' : 'Running'}</Badge>
              </span>
            </div>
            {/* The last ones of a silent process are not of now: another one serves its slots. */}
            {process.silent ? null : (
              <dl className="mt-1 grid grid-cols-3 gap-x-2 text-11">
                {figuresOf(process).map(([term, value]) => (
                  <div key={term}>
                    <dt className="text-text-3">{term}</dt>
                    <dd className="figures">{formatFigure(value, 0)}</dd>
                  </div>
                ))}
              </dl>
            )}
            <p className="figures mt-1 text-11 text-text-3">
              {`Version ${process.version}, since ${formatDay(process.started_at)} ${formatClock(process.started_at)}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
