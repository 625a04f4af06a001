/** The engine section: trading or halted with time and reason, its counters, and the button to halt or resume. */
import { formatFigure } from '../../../../shared/numbers/index.ts';
import { formatClock, formatDay } from '../../../../shared/time/dates.ts';
import { Badge, Button } from '../../../../shared/ui/index.ts';
import type { OperationsStatus } from '../useOverview.ts';

const engineFigures = ({ open_positions, waiting_orders, queued, commands }: OperationsStatus['engine']) =>
  [
    ['Open positions', open_positions],
    ['Waiting orders', waiting_orders],
    ['In the queue', queued],
    ['Commands since start', commands],
  ] as const;

export function Engine({
  engine,
  onHalt,
}: {
  readonly engine: OperationsStatus['engine'];
  readonly onHalt: () => void;
}) {
  const { halt } = engine;
  return (
    <section aria-label="Engine" className="border-t border-line px-4 pb-3">
      <div className="flex min-h-11 items-center justify-between gap-2">
        <div className="flex items-center gap-2">
          <h3 className="text-11 font-normal text-text-3">Engine</h3>
          <Badge tone={halt === null ? 'up' : 'down'}>{halt === null ? 'Trading' : 'Halted'}</Badge>
        </div>
        <Button size="compact" tone="secondary" onClick={onHalt}>
          {halt === null ? 'Halt trading' : 'Resume trading'}
        </Button>
      </div>
      {halt === null ? null : (
        <div className="mb-2 rounded-control border border-down/40 bg-down-weak px-3 py-2 text-12">
          <p className="font-medium break-words">{halt.reason}</p>
          <p className="figures mt-0.5 text-text-2">
            {`${halt.by ?? 'The engine itself'}, ${formatDay(halt.at)} ${formatClock(halt.at)}`}
          </p>
        </div>
      )}
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
        {engineFigures(engine).map(([term, value]) => (
          <div key={term}>
            <dt className="text-11 text-text-3">{term}</dt>
            <dd className="figures text-16 font-semibold">{formatFigure(value, 0)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
