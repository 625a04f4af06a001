/** Closed positions, the latest closing first (TRADE-50, TRADE-51). */
import { toClosedRoe } from '../../../shared/account/index.ts';
import { Percent, Pnl, Price, Size } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge, type BadgeTone, InstrumentMark, Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { closeSourceTexts } from './closing.ts';
import { JournalLink } from './JournalLink.tsx';
import { AdjustedMark, SideBadge, tableStyles } from './PositionFigures.tsx';
import type { StepsOf } from './steps.ts';

interface HistoryProps {
  readonly positions: readonly Position[];
  readonly stepsOf: StepsOf;
}

const reasonBadges = {
  manual: null,
  liquidation: { text: 'Liquidated', tone: 'warn' },
  take_profit: { text: 'Take profit', tone: 'up' },
  stop_loss: { text: 'Stop loss', tone: 'down' },
  staff: { text: 'By staff', tone: 'neutral' },
} as const satisfies Record<
  NonNullable<Position['closeReason']>,
  { readonly text: string; readonly tone: BadgeTone } | null
>;

/** The note on a close that was not an ordinary one. */
function CloseNote({ position }: { readonly position: Position }) {
  const { closeReason, closePriceSource: source, splitFrom, editedAt } = position;
  const text = source === null ? null : closeSourceTexts[source];
  const reason = closeReason === null ? null : reasonBadges[closeReason];
  return (
    <>
      {reason === null ? null : <Badge tone={reason.tone}>{reason.text}</Badge>}
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

export const historyHead = (
  <>
    <Th>Symbol</Th>
    <Th>Side</Th>
    <Th numeric>Size</Th>
    <Th numeric>Entry Price</Th>
    <Th numeric>Exit Price</Th>
    <Th numeric>PnL</Th>
    <Th numeric>ROE%</Th>
    <Th numeric>Closed At</Th>
  </>
);

export function HistoryTable({ positions, stepsOf }: HistoryProps) {
  return (
    <Table caption="Closed positions, latest first" head={historyHead} className={tableStyles}>
      {positions.map((position) => {
        const { tickSize, stepSize } = stepsOf(position.symbol);
        return (
          <Tr key={position.id}>
            <Td>
              <span className="flex items-center gap-2.5 font-semibold">
                <span className="max-xl:hidden">
                  <InstrumentMark symbol={position.symbol} size={20} />
                </span>
                {position.symbol}
              </span>
            </Td>
            <Td>
              <SideBadge side={position.side} />
            </Td>
            <Td numeric>
              <Size value={position.size} stepSize={stepSize} className="font-medium" />{' '}
              <span className="text-text-3">{position.leverage}×</span>
            </Td>
            <Td numeric>
              <Price value={position.entryPrice} tickSize={tickSize} />
            </Td>
            <Td numeric>
              <span className="mr-1.5 inline-flex gap-1">
                <CloseNote position={position} />
              </span>
              <Price value={position.closePrice} tickSize={tickSize} />
            </Td>
            <Td numeric>
              <Pnl value={position.realizedPnl} className="font-semibold" />
            </Td>
            <Td numeric>
              <Percent value={toClosedRoe(position)} />
            </Td>
            <Td numeric>
              <span className="inline-flex items-center gap-1.5">
                <DateTime iso={position.closedAt} />
                <JournalLink position={position} />
              </span>
            </Td>
          </Tr>
        );
      })}
    </Table>
  );
}

export function HistoryCards({ positions, stepsOf }: HistoryProps) {
  return (
    <ul className="flex flex-col gap-2.5">
      {positions.map((position) => {
        const { tickSize, stepSize, baseAsset } = stepsOf(position.symbol);
        return (
          <li key={position.id} className="panel px-3.5 py-3">
            <div className="flex items-center justify-between gap-3">
              <span className="flex items-center gap-2.5 text-14 font-semibold">
                <InstrumentMark symbol={position.symbol} size={24} />
                {position.symbol}
                <SideBadge side={position.side} leverage={position.leverage} />
              </span>
              <Pnl value={position.realizedPnl} className="text-16 font-semibold" />
            </div>
            <div className="mt-1 flex justify-between text-12">
              <Size value={position.size} stepSize={stepSize} unit={baseAsset} className="text-text-2" />
              <span>
                <Percent value={toClosedRoe(position)} className="font-medium" />{' '}
                <span className="text-text-3">ROE</span>
              </span>
            </div>
            <div className="mt-1.5 flex items-center justify-between gap-3 text-12 text-text-2">
              <span>
                <Price value={position.entryPrice} tickSize={tickSize} /> →{' '}
                <Price value={position.closePrice} tickSize={tickSize} />
              </span>
              <span className="-my-3 -mr-3 inline-flex items-center">
                <DateTime iso={position.closedAt} />
                <JournalLink position={position} />
              </span>
            </div>
            <div className="mt-1.5 flex flex-wrap gap-1 empty:hidden">
              <CloseNote position={position} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
