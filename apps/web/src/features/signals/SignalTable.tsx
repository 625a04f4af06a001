/** The last 100 signals with what became of each; a row opens to the body as it came in. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useCallback, useMemo, useState } from 'react';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Badge, EmptyState, IconButton } from '../../shared/ui/index.ts';
import { outcomeStyles } from './outcomes.ts';
import { type Signal, useSignals } from './queries.ts';

function Outcome({ outcome }: Pick<Signal, 'outcome'>) {
  const { label, tone } = outcomeStyles[outcome];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The plan, or the beginning of what could not be read. */
const getMeaning = ({ summary, body }: Signal): string =>
  summary ?? (body.trim() === '' ? 'An empty message' : body.trim().slice(0, 200));

function Meaning({ signal }: { readonly signal: Signal }) {
  return (
    <span className="flex min-w-0 flex-col py-1.5 max-md:py-0">
      <span
        className={`truncate max-md:whitespace-normal ${signal.summary === null ? 'text-text-3' : 'font-medium text-text'}`}
      >
        {getMeaning(signal)}
      </span>
      {signal.detail === null ? null : <span className="text-text-2 wrap-anywhere">{signal.detail}</span>}
    </span>
  );
}

function toColumns(openId: string | null, onToggle: (id: string) => void): readonly Column<Signal>[] {
  return [
    {
      head: 'Received',
      width: '120px',
      className: 'w-[180px]',
      card: '2 start',
      cell: ({ receivedAt }) => <DateTime iso={receivedAt} />,
    },
    {
      head: 'Outcome',
      width: '64px',
      className: 'w-[110px]',
      card: '2 end',
      cell: (signal) => <Outcome {...signal} />,
    },
    {
      head: 'Signal',
      width: '240px',
      className: 'max-w-0 min-w-[240px]',
      tooltip: getMeaning,
      card: '1 start',
      cell: (signal) => <Meaning signal={signal} />,
    },
    {
      head: 'Address',
      width: '80px',
      className: 'w-[160px]',
      card: 'line',
      cell: ({ hookName }) => (
        <span className="block max-w-[160px] truncate">
          <bdi>{hookName}</bdi>
        </span>
      ),
    },
    {
      head: 'Message',
      width: '24px',
      isPinned: true,
      className: 'w-11',
      card: 'edge',
      cell: ({ id }) => (
        <IconButton
          label={openId === id ? 'Hide the message' : 'Show the message'}
          aria-expanded={openId === id}
          onClick={() => onToggle(id)}
        >
          <ChevronDown size={16} aria-hidden="true" className={openId === id ? 'rotate-180' : undefined} />
        </IconButton>
      ),
    },
  ];
}

function Ids({ label, ids }: { readonly label: string; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <p className="text-12 wrap-anywhere">
      <span className="text-text-3">{label}</span> <span className="figures">{ids.join(', ')}</span>
    </p>
  );
}

function Detail({ signal }: { readonly signal: Signal }) {
  return (
    <div className="flex flex-col gap-2">
      <pre className="figures max-h-72 overflow-auto text-12 whitespace-pre-wrap wrap-anywhere">
        {signal.body}
      </pre>
      <Ids label="Signal" ids={[signal.id]} />
      <Ids label={signal.orderIds.length === 1 ? 'Order' : 'Orders'} ids={signal.orderIds} />
      <Ids label={signal.positionIds.length === 1 ? 'Position' : 'Positions'} ids={signal.positionIds} />
    </div>
  );
}

const empty = (
  <EmptyState title="No signals yet">
    They appear here as they arrive, with what became of each. Signals of the last 30 days are kept.
  </EmptyState>
);

export function SignalTable() {
  const signals = useSignals();
  const [openId, setOpenId] = useState<string | null>(null);
  const toggle = useCallback((id: string) => setOpenId((shown) => (shown === id ? null : id)), []);
  const columns = useMemo(() => toColumns(openId, toggle), [openId, toggle]);
  return (
    <section aria-labelledby="last-signals" className="panel overflow-hidden">
      <div className="border-b border-line px-[18px] py-4 max-md:px-4">
        <h2 id="last-signals" className="text-14 font-semibold">
          Last 100 signals
        </h2>
      </div>
      <DataTable
        caption="Signals, the newest first"
        columns={columns}
        rows={signals.data}
        reading={signals}
        failed="The signals failed to load"
        empty={empty}
        rowHeight={44}
        placeholders={5}
        detail={(signal) => (signal.id === openId ? <Detail signal={signal} /> : null)}
      />
    </section>
  );
}
