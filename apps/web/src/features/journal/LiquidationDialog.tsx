/**
 * What happened to a liquidated position: its figures, its path, and where a stop loss would have ended it with which result.
 * Known limitation: the stop's result is that of its own price; a market that gaps closes at a worse one.
 */
import {
  asFeeRate,
  asPercent,
  asPrice,
  isLiquidated,
  parseDecimal,
  stopOutcome,
  toNumber,
} from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sideLabel, sumAmounts, toNetPnl, toTerms, useClosedPositions } from '../../shared/account/index.ts';
import { FigureLine, FigureLines } from '../../shared/figure-lines/FigureLines.tsx';
import { Amount, Pnl, Price } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { fromWire, type Position, unwrap } from '../../shared/supabase/index.ts';
import { formatDuration } from '../../shared/time/duration.ts';
import { TradeChart } from '../../shared/trade-chart/index.ts';
import { ButtonLink, Dialog, ReadError, Segmented, Skeleton } from '../../shared/ui/index.ts';

interface Steps {
  readonly tickSize: number;
}

/** Distances of a stop from the entry that are offered, in per cent. */
const distances = ['0.1', '0.25', '0.5', '1', '2', '5', '10'] as const;
type Distance = (typeof distances)[number];
const usual: Distance = '1';

/** A stop at each offered distance that stood between entry and liquidation. */
function stopsOf(position: Position, { tickSize }: Steps) {
  const terms = {
    ...toTerms(position),
    rules: position.rules,
    feeRate: asFeeRate(parseDecimal(position.feeRate)),
    liquidationPrice: asPrice(parseDecimal(position.liquidationPrice)),
    tickSize: asPrice(parseDecimal(tickSize)),
  };
  return distances.flatMap((distance) => {
    const outcome = stopOutcome(terms, asPercent(parseDecimal(distance)));
    return outcome ? [{ distance, price: toNumber(outcome.price), net: toNumber(outcome.net) }] : [];
  });
}

/** Whether the market reached its liquidation price; else it closed for the loss of the symbol's other side (A111). */
function hasReached({ side, liquidationPrice, closePrice }: Position): boolean {
  if (closePrice === null) return false;
  return isLiquidated(side, asPrice(parseDecimal(liquidationPrice)), asPrice(parseDecimal(closePrice)));
}

function Explanation({ position, steps }: { readonly position: Position; readonly steps: Steps }) {
  const { symbol, leverage, entryPrice, closePrice, margin, createdAt, closedAt } = position;
  const { tickSize } = steps;
  const reached = hasReached(position);
  const stops = reached ? stopsOf(position, steps) : [];
  const [chosen, setChosen] = useState<Distance>(usual);
  const stop = stops.find(({ distance }) => distance === chosen) ?? stops.at(-1) ?? null;
  const net = toNetPnl(position);
  const held = closedAt === null ? null : (Date.parse(closedAt) - Date.parse(createdAt)) / 1000;
  return (
    <div className="flex flex-col gap-4">
      <TradeChart
        position={position}
        tickSize={tickSize}
        level={stop && { label: 'Stop', price: stop.price }}
      />
      <FigureLines>
        <FigureLine label="Entry">
          <Price value={entryPrice} tickSize={tickSize} />{' '}
          <span className="font-normal text-text-3">{leverage}×</span>
        </FigureLine>
        <FigureLine label="Liquidated at">
          <Price value={closePrice} tickSize={tickSize} />
        </FigureLine>
        {held === null ? null : (
          <FigureLine label="Held">
            <span className="figures">{formatDuration(held)}</span>
          </FigureLine>
        )}
        <FigureLine label="Margin">
          <Amount value={margin} unit="USDT" />
        </FigureLine>
        <FigureLine label="Result after fees">
          <Pnl value={net} unit="USDT" className="font-semibold" />
        </FigureLine>
      </FigureLines>
      {reached ? null : (
        <p className="text-13 text-text-2">
          {`The market did not reach the liquidation price. The position paid for the loss of your other side of ${symbol}.`}
        </p>
      )}
      {reached && stop === null ? (
        <p className="text-13 text-text-2">
          {`At ${leverage}× the liquidation was so near that no stop of ${distances[0]} % or more fits before it. A lower leverage leaves room for one.`}
        </p>
      ) : null}
      {stop === null || net === null ? null : (
        <section aria-label="With a stop loss" className="rounded-control bg-inset p-3">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h3 className="text-13 font-semibold">With a stop loss</h3>
            <Segmented<Distance>
              label="Distance of the stop from the entry"
              size="compact"
              options={stops.map(({ distance }) => ({ value: distance, label: `${distance}%` }))}
              value={stop.distance}
              onChange={setChosen}
            />
          </div>
          <div className="mt-2" aria-live="polite">
            <FigureLines>
              <FigureLine label="Closes at">
                <Price value={stop.price} tickSize={tickSize} />
              </FigureLine>
              <FigureLine label="Result after fees, about">
                <Pnl value={stop.net} unit="USDT" className="font-semibold" />
              </FigureLine>
              <FigureLine label="You would have kept, about">
                <Pnl value={sumAmounts([stop.net, -net])} unit="USDT" />
              </FigureLine>
            </FigureLines>
          </div>
          <p className="mt-2 text-12 text-text-2">
            A market that jumps beyond the stop closes at a worse price.
          </p>
        </section>
      )}
    </div>
  );
}

/** From the list, or read by its id when it is older than the list; null when it is no liquidated position of the user. */
function useLiquidated(id: string) {
  const { accountId, supabase } = useSignedIn();
  const closed = useClosedPositions();
  const listed = closed.data?.find((position) => position.id === id);
  const older = useQuery({
    queryKey: ['liquidated-position', accountId, id],
    enabled: closed.isSuccess && listed === undefined,
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('positions').select('*').eq('user_id', accountId).eq('id', id);
      const [row] = await unwrap(request.limit(1).abortSignal(signal));
      return row ? fromWire(row) : null;
    },
  });
  const found = listed ?? older.data;
  const position = found && found.closeReason !== 'liquidation' ? null : found;
  return { position, reading: closed.isError ? closed : older };
}

interface LiquidationDialogProps {
  readonly positionId: string;
  readonly stepsOf: (symbol: string) => Steps;
  readonly onEnd: () => void;
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

export default function LiquidationDialog({
  positionId,
  stepsOf,
  onEnd,
  fallbackFocus,
}: LiquidationDialogProps) {
  const { position, reading } = useLiquidated(positionId);
  const content = () => {
    if (position) return <Explanation position={position} steps={stepsOf(position.symbol)} />;
    if (position === null)
      return (
        <p className="text-13 text-text-2">
          You have no liquidated position with this address. Open the position history to find it.
        </p>
      );
    if (reading.isError) return <ReadError title="Failed to load the position" reading={reading} />;
    return <Skeleton className="h-64 w-full" />;
  };
  const what = position ? `${position.symbol} ${sideLabel(position.side).toLowerCase()}` : 'Position';
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onEnd()}
      title={`${what}: liquidated`}
      fallbackFocus={fallbackFocus}
      actions={
        position ? (
          <ButtonLink tone="primary" to={`/dashboard?entry=new&position=${position.id}#journal`}>
            Write it down
          </ButtonLink>
        ) : null
      }
    >
      {content()}
    </Dialog>
  );
}
