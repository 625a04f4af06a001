/**
 * The closed trades behind a bar, a day of the curve or a row, latest first, each with its way into the journal. Limit: the browser
 * holds the latest 500 closed positions; the table says so where older ones may be missing.
 */
import { texts } from '@fulcrum/contract/texts';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState } from 'react';
import { sideLabel, toNetPnl, toRMultiple, useClosedPositions } from '../../shared/account/index.ts';
import { JournalLink } from '../../shared/journal-link/JournalLink.tsx';
import { formatExact } from '../../shared/numbers/exact.ts';
import { formatFigure, Pnl } from '../../shared/numbers/index.ts';
import { closedListLimit } from '../../shared/realtime/changes.ts';
import type { Position } from '../../shared/supabase/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Badge, Button, EmptyState, IconButton } from '../../shared/ui/index.ts';
import { ReviewButton } from '../coach/index.ts';
import { describeSelection, isBehind, type TradeSelection } from './trade-selection.ts';

const pageRows = 20;
function formatR(position: Position): string {
  const multiple = toRMultiple(position);
  return multiple === null ? '–' : `${formatFigure(multiple, 2)} R`;
}

const columns: readonly Column<Position>[] = [
  {
    head: 'Symbol',
    width: '80px',
    card: '1 start',
    cell: ({ symbol }) => <b className="font-medium">{symbol}</b>,
  },
  {
    head: 'Side',
    width: '48px',
    card: '1 start',
    cell: ({ side }) => <Badge tone={side === 'BUY' ? 'up' : 'down'}>{sideLabel(side)}</Badge>,
  },
  {
    head: 'Size',
    width: '64px',
    numeric: true,
    card: '2 start',
    cell: ({ size, leverage }) => `${size} · ${leverage}×`,
  },
  {
    head: 'Entry',
    width: '72px',
    numeric: true,
    card: 'line',
    cell: ({ entryPrice }) => formatExact(entryPrice),
  },
  {
    head: 'Exit',
    width: '72px',
    numeric: true,
    card: 'line',
    cell: ({ closePrice }) => formatExact(closePrice),
  },
  { head: 'R', width: '48px', numeric: true, card: '2 end', cell: formatR },
  {
    head: 'Net, USDT',
    width: '72px',
    numeric: true,
    card: '1 end',
    cell: (position) => <Pnl value={toNetPnl(position)} className="font-semibold" />,
  },
  {
    head: 'Closed',
    width: '120px',
    numeric: true,
    card: 'wide line',
    cellClassName: 'text-text-2',
    cell: (position) => (
      <span className="inline-flex items-center gap-1.5">
        <DateTime iso={position.closedAt} />
        <ReviewButton of={position} />
        <JournalLink position={position} page="/journal" />
      </span>
    ),
  },
];

interface SelectedTradesProps {
  readonly selection: TradeSelection;
  /** The beginning of the range, ISO 8601; null for no bound. */
  readonly from: string | null;
  readonly onClose: () => void;
}

export function SelectedTrades({ selection, from, onClose }: SelectedTradesProps) {
  const closed = useClosedPositions();
  const [limit, setLimit] = useState(pageRows);
  const heading = useRef<HTMLHeadingElement>(null);
  const title = describeSelection(selection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new selection leads to its trades
  useEffect(() => {
    setLimit(pageRows);
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
  }, [title]);
  const start = from === null ? null : Date.parse(from);
  const found = closed.data?.filter((position) => isBehind(selection, position, start));
  const mayLackOlder = (closed.data?.length ?? 0) >= closedListLimit;
  return (
    <section aria-label={title} className="scroll-mt-20 border-t border-line">
      <div className="flex min-h-11 items-center justify-between gap-3 pr-2 pl-4">
        <h3 ref={heading} tabIndex={-1} className="text-13 font-semibold outline-none">
          {title}
          {found ? <span className="ml-2 font-normal text-text-3">{found.length}</span> : null}
        </h3>
        <IconButton label="Close the list of trades" onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <DataTable
        caption={`${title}, latest first`}
        columns={columns}
        rows={found?.slice(0, limit)}
        reading={closed}
        failed={texts.fetchPositionsFailed}
        empty={
          <EmptyState title="No trades in this range">Choose another range, or close this list.</EmptyState>
        }
        rowHeight={38}
        cardHeight={76}
        placeholders={3}
        cellClassName=""
        cardClassName="border-b border-line/65 px-4 py-2.5 last:border-b-0"
      />
      {found && found.length > limit ? (
        <div className="flex justify-center border-t border-line p-2">
          <Button tone="quiet" onClick={() => setLimit(limit + pageRows)}>
            Show more
          </Button>
        </div>
      ) : null}
      {mayLackOlder ? (
        <p className="border-t border-line px-4 py-3 text-12 text-text-2">
          {`The latest ${closedListLimit} closed positions are listed; the plots count older ones, too.`}
        </p>
      ) : null}
    </section>
  );
}
