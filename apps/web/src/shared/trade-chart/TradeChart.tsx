/**
 * The candles around a trade, with its entry and exit marked, and on request another level such as a stop. It is decorative: its
 * figures are beside it as text.
 */
import type { Candle } from '@fulcrum/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sideLabel } from '../account/index.ts';
import { formatPrice } from '../numbers/index.ts';
import { createScale, ValueAxis } from '../plot/index.ts';
import { useSignedIn } from '../session/index.ts';
import { type Position, unwrap } from '../supabase/index.ts';
import { formatClock, formatDay } from '../time/dates.ts';
import { ReadError, Skeleton, useWidth } from '../ui/index.ts';
import { spreadTags } from './spread-tags.ts';
import { findBarIndex, getTradeWindow } from './trade-window.ts';

const chartHeight = 176;
const edge = { top: 10, right: 74, bottom: 28, left: 2 };
const barShare = 0.64;
const markSize = 6;
const tagGap = 14;

interface Mark {
  readonly label: string;
  readonly price: number;
  readonly index: number | null;
  readonly colour: string;
}

/** A price without a moment, such as a stop. */
export interface Level {
  readonly label: string;
  readonly price: number;
}

interface PlotProps {
  readonly position: Position;
  readonly candles: readonly Candle[];
  readonly timeframe: string;
  readonly level: Level | null;
  readonly tickSize: number;
  readonly width: number;
}

function Plot({ position, candles, timeframe, level, tickSize, width }: PlotProps) {
  const { symbol, side, entryPrice, closePrice, createdAt, closedAt } = position;
  const openings = candles.map(({ open_time }) => Date.parse(open_time));
  const entry: Mark = {
    label: 'Entry',
    price: entryPrice,
    index: findBarIndex(openings, Date.parse(createdAt)),
    colour: 'var(--accent)',
  };
  const exit: Mark | null =
    closePrice === null || closedAt === null
      ? null
      : {
          label: 'Exit',
          price: closePrice,
          index: findBarIndex(openings, Date.parse(closedAt)),
          colour: 'var(--text)',
        };
  const drawn: Mark | null = level && { ...level, index: null, colour: 'var(--warn)' };
  const marks = [entry, exit, drawn].filter((mark) => mark !== null);
  const prices = [...candles.flatMap(({ high, low }) => [high, low]), ...marks.map(({ price }) => price)];
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const [right, bottom] = [width - edge.right, chartHeight - edge.bottom];
  const y = createScale([high, low], [edge.top, bottom]);
  const slot = (right - edge.left) / candles.length;
  const x = (index: number) => edge.left + (index + 0.5) * slot;
  const tags = spreadTags(
    marks.map(({ price }) => y(price)),
    tagGap,
  );
  const ticks = [...new Set([high, low])].map((value) => {
    const isFree = tags.every((tag) => Math.abs(tag - y(value)) >= tagGap);
    return { value, label: isFree ? formatPrice(value, tickSize) : '' };
  });
  const ends = [openings[0], openings.at(-1)];
  const description =
    `${symbol} ${timeframe} candles. Entry at ${formatPrice(entryPrice, tickSize)} on ${formatDay(createdAt)} ` +
    `${formatClock(createdAt)}${exit === null ? ', still open' : `, exit at ${formatPrice(exit.price, tickSize)} on ${formatDay(closedAt)} ${formatClock(closedAt)}`}` +
    `${level === null ? '' : `, ${level.label.toLowerCase()} at ${formatPrice(level.price, tickSize)}`}.`;
  const isLong = side === 'BUY';
  return (
    <svg
      role="img"
      aria-label={`${sideLabel(side)} trade. ${description}`}
      width={width}
      height={chartHeight}
      className="figures block text-11"
    >
      <ValueAxis ticks={ticks} y={y} right={right} width={width} />
      {candles.map((bar, index) => {
        const direction = bar.close >= bar.open ? 'up' : 'down';
        const [top, bottom] = [y(Math.max(bar.open, bar.close)), y(Math.min(bar.open, bar.close))];
        return (
          <g key={bar.open_time} fill={`var(--${direction})`} stroke={`var(--${direction})`}>
            <path d={`M${x(index)} ${y(bar.high)}V${y(bar.low)}`} />
            <rect
              x={x(index) - (slot * barShare) / 2}
              y={top}
              width={slot * barShare}
              height={Math.max(1, bottom - top)}
              stroke="none"
            />
          </g>
        );
      })}
      {marks.map(({ label, price, index, colour }, nth) => {
        const tip = y(price);
        const at = index === null ? edge.left : x(index);
        // An arrow in the direction of the deal: a long is bought from below and sold from above.
        const isUp = (label === 'Entry') === isLong;
        const back = isUp ? tip + markSize * 1.6 : tip - markSize * 1.6;
        const tag = tags[nth] ?? tip;
        return (
          <g key={label}>
            <line x1={at} x2={right} y1={tip} y2={tip} stroke={colour} strokeDasharray="3 3" opacity="0.8" />
            {index === null ? null : (
              <path
                d={`M${at} ${tip}L${at - markSize} ${back}H${at + markSize}Z`}
                fill={colour}
                stroke="var(--surface)"
              />
            )}
            <text x={right + 6} y={tag + 4} fill={colour} fontWeight="600">
              {label}
            </text>
          </g>
        );
      })}
      {ends.map((opening, index) =>
        opening === undefined ? null : (
          <text
            key={index === 0 ? 'first' : 'last'}
            x={index === 0 ? edge.left : right}
            y={chartHeight - 6}
            textAnchor={index === 0 ? 'start' : 'end'}
            fill="var(--text-3)"
          >
            {`${formatDay(new Date(opening).toISOString())} ${formatClock(new Date(opening).toISOString())}`}
          </text>
        ),
      )}
      <text x={right + 6} y={chartHeight - 6} fill="var(--text-3)">
        {timeframe}
      </text>
    </svg>
  );
}

interface TradeChartProps {
  readonly position: Position;
  readonly tickSize: number;
  readonly level?: Level | null;
}

export function TradeChart({ position, tickSize, level = null }: TradeChartProps) {
  const { supabase } = useSignedIn();
  const [ref, width] = useWidth();
  // Taken once: the picture does not change while it is shown.
  const [now] = useState(() => Date.now());
  const entry = Date.parse(position.createdAt);
  const exit = position.closedAt === null ? null : Date.parse(position.closedAt);
  const { timeframe, bars, before } = getTradeWindow(entry, exit, now);
  const query = useQuery({
    queryKey: ['journal-bars', position.id, timeframe, before],
    queryFn: ({ signal }) =>
      unwrap(
        supabase.rest
          .rpc('get_candles', {
            p_symbol: position.symbol,
            p_timeframe: timeframe,
            p_limit: bars,
            p_before: new Date(before).toISOString(),
          })
          .abortSignal(signal),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const content = () => {
    if (query.data === undefined) {
      if (!query.isError) return <Skeleton className="h-full w-full" />;
      return <ReadError shape="line" title="Failed to fetch candles" reading={query} />;
    }
    if (query.data.length === 0) return <p className="text-12 text-text-3">No candles for that time.</p>;
    if (width === 0) return null;
    return (
      <Plot
        position={position}
        candles={query.data}
        timeframe={timeframe}
        level={level}
        tickSize={tickSize}
        width={width}
      />
    );
  };
  return (
    <div ref={ref} className="grid min-w-0 items-center" style={{ height: chartHeight }}>
      {content()}
    </div>
  );
}
