/** Closed positions, the latest closing first (TRADE-50, TRADE-51). */
import { texts } from '@fulcrum/contract/texts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { sideLabel, toClosedRoe } from '../../../shared/account/index.ts';
import { JournalLink } from '../../../shared/journal-link/JournalLink.tsx';
import { Percent, Pnl, Price } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { Column } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge, type BadgeTone } from '../../../shared/ui/index.ts';
import { ReviewButton } from '../../coach/index.ts';
import { FillsPopover } from '../../order-book/index.ts';
import { CardHead, CardSize } from './card-parts.tsx';
import { closeSourceTexts } from './closing.ts';
import { figureColumn, hiddenBelow, priceColumn, sideColumn, sizeColumn, symbolColumn } from './columns.tsx';
import { AdjustedMark } from './PositionFigures.tsx';
import type { PanelTable, RowOptions } from './RowList.tsx';

/** A liquidation has a button of its own. */
const reasonBadges: Readonly<
  Partial<Record<NonNullable<Position['closeReason']>, { readonly text: string; readonly tone: BadgeTone }>>
> = {
  take_profit: { text: 'Take profit', tone: 'up' },
  stop_loss: { text: 'Stop loss', tone: 'down' },
  staff: { text: 'By staff', tone: 'neutral' },
  program_end: { text: 'Contest or challenge ended', tone: 'neutral' },
};

/** Staff may have changed the times of an edited position. */
export const fillsOf = ({ id, createdAt, closedAt, editedAt, funding }: Position) => ({
  funding,
  positionId: id,
  from: editedAt === null ? createdAt : new Date(0).toISOString(),
  until: editedAt === null ? closedAt : null,
});

interface CloseNoteProps {
  readonly position: Position;
  readonly onExplain: RowOptions['onExplain'];
}

/** The badge of a liquidation, which opens its explanation. */
const LiquidatedBadge = ({ position, onExplain }: CloseNoteProps) => (
  <button
    type="button"
    title="What happened?"
    aria-label={`Liquidated: what happened to ${position.symbol} ${sideLabel(position.side).toLowerCase()}?`}
    onClick={() => onExplain(position)}
    className="relative inline-flex items-center rounded-badge after:absolute after:-inset-1 hover:brightness-110 max-md:after:-inset-x-2 max-md:after:-inset-y-3"
  >
    <Badge tone="warn">
      Liquidated
      <ChevronRight size={12} aria-hidden="true" />
    </Badge>
  </button>
);

/** The note on a close that was not an ordinary one. */
function CloseNote({ position, onExplain }: CloseNoteProps) {
  const { closeReason, closePriceSource: source, splitFrom, editedAt } = position;
  const text = source === null ? null : closeSourceTexts[source];
  const reason = closeReason && reasonBadges[closeReason];
  return (
    <>
      {closeReason === 'liquidation' ? (
        <LiquidatedBadge position={position} onExplain={onExplain} />
      ) : reason ? (
        <Badge tone={reason.tone}>{reason.text}</Badge>
      ) : null}
      {splitFrom === null ? null : (
        <span title="A part of a position; the rest stayed open.">
          <Badge>Part</Badge>
        </span>
      )}
      {text === null ? null : (
        <span title={text}>
          <Badge>{`at ${source}`}</Badge>
        </span>
      )}
      {editedAt === null ? null : <AdjustedMark />}
    </>
  );
}

const createColumns = ({ stepsOf, onExplain }: RowOptions): readonly Column<Position>[] => {
  const exitPrice = priceColumn<Position>('Exit Price', stepsOf, ({ closePrice }) => closePrice);
  return [
    symbolColumn(null),
    sideColumn,
    sizeColumn(stepsOf, hiddenBelow[640]),
    priceColumn('Entry Price', stepsOf, ({ entryPrice }) => entryPrice, '', hiddenBelow[800]),
    {
      ...exitPrice,
      cell: (position) => (
        <>
          <span className="mr-1.5 inline-flex gap-1">
            <CloseNote position={position} onExplain={onExplain} />
          </span>
          <FillsPopover of={fillsOf(position)}>{exitPrice.cell(position)}</FillsPopover>
        </>
      ),
    },
    figureColumn('PnL', '72px', ({ realizedPnl }) => <Pnl value={realizedPnl} className="font-semibold" />),
    figureColumn('ROE%', '52px', (position) => <Percent value={toClosedRoe(position)} />, hiddenBelow[640]),
    figureColumn('Closed At', '110px', (position) => (
      <span className="inline-flex items-center gap-1.5">
        <DateTime iso={position.closedAt} />
        <ReviewButton of={position} />
        <JournalLink position={position} />
      </span>
    )),
  ];
};

function ClosedCard({ row: position, stepsOf, onExplain }: RowOptions & { readonly row: Position }) {
  const steps = stepsOf(position.symbol);
  return (
    <>
      <CardHead row={position}>
        <Pnl value={position.realizedPnl} className="text-16 font-semibold" />
      </CardHead>
      <CardSize row={position} steps={steps} unit="ROE">
        <Percent value={toClosedRoe(position)} className="font-medium" />
      </CardSize>
      <div className="mt-1.5 flex items-center justify-between gap-3 text-12 text-text-2">
        <span>
          <Price value={position.entryPrice} tickSize={steps.tickSize} /> →{' '}
          <FillsPopover of={fillsOf(position)}>
            <Price value={position.closePrice} tickSize={steps.tickSize} />
          </FillsPopover>
        </span>
        <span className="-my-3 -mr-3 inline-flex items-center">
          <DateTime iso={position.closedAt} />
          <ReviewButton of={position} />
          <JournalLink position={position} />
        </span>
      </div>
      <div className="mt-1.5 flex flex-wrap gap-1 empty:hidden">
        <CloseNote position={position} onExplain={onExplain} />
      </div>
    </>
  );
}

export const positionHistory: PanelTable<Position> = {
  caption: 'Closed positions, latest first',
  failed: texts.fetchPositionsFailed,
  sortValues: {
    Symbol: ({ symbol }) => symbol,
    Side: ({ side }) => sideLabel(side),
    'Entry Price': ({ entryPrice }) => entryPrice,
    'Exit Price': ({ closePrice }) => closePrice,
    PnL: ({ realizedPnl }) => realizedPnl,
    'ROE%': toClosedRoe,
    'Closed At': ({ closedAt }) => closedAt && Date.parse(closedAt),
  },
  none: 'No closed positions',
  hint: 'What you close appears here with its result.',
  createColumns,
  Card: ClosedCard,
};
