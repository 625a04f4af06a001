/** Candles in SVG with an example position's lines: a preview without the size of a chart library. */
import type { Candle } from '@fulcrum/contract';
import { formatFigure, formatPercent, formatPrice } from '../../shared/numbers/index.ts';
import type { ExamplePosition } from './example.ts';

const axisWidth = 78;
const axisHeight = 24;
const gridLinesAbout = 6;
/** A narrower plot leaves the size out of the entry's pill. */
const roomForSize = 400;
const freeBars = 10;
/**
 * A liquidation price farther below the candles than this share of their range is shown at the edge, with an arrow.
 */
const reach = 0.9;
/** Distance between the middles of two pills, below which they overlap. */
const pillStep = 24;
const volumeShare = 0.13;
const hoursBetweenLabels = 4;

interface CandlePlotProps {
  readonly candles: readonly Candle[];
  readonly example: ExamplePosition | null;
  readonly width: number;
  readonly height: number;
  readonly tickSize: number;
}

const directions = ['up', 'down'] as const;
const noShapes = { bodies: '', wicks: '', volumes: '' };
/** Simple moving averages in the colours of the trading screen. */
const averages = [
  { bars: 20, colour: 'var(--series-1)' },
  { bars: 50, colour: 'var(--series-2)' },
] as const;

const tagHeight = 18;
/** Moves a tag that would cover the one at `other` beside it, on its own side. */
const besideTag = (at: number, other: number): number => {
  if (Math.abs(at - other) >= tagHeight) return at;
  return at >= other ? other + tagHeight : other - tagHeight;
};

const rounded = (value: number): number => Math.round(value * 10) / 10;
const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${rounded(y)}h${width}v${rounded(height)}h${-width}z`;
const directionOfBar = (bar: Candle): 'up' | 'down' => (bar.close >= bar.open ? 'up' : 'down');
/** Local time of a full hour; a formatter would take milliseconds. */
const fullHour = (at: Date): string => `${`${at.getHours()}`.padStart(2, '0')}:00`;

/** Multiples of 1, 2 or 5 times a power of ten between two prices. */
function roundPrices(low: number, high: number): readonly number[] {
  const rough = (high - low) / gridLinesAbout;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** The average close of each `bars` bars in a row; the first one ends at the bar with the index `bars` − 1. */
function movingAverage(candles: readonly Candle[], bars: number): readonly number[] {
  let sum = 0;
  return candles.flatMap(({ close }, index) => {
    sum += close - (candles[index - bars]?.close ?? 0);
    return index < bars - 1 ? [] : [sum / bars];
  });
}

interface TagProps {
  readonly y: number;
  readonly width: number;
  readonly price: string;
  readonly colour: string;
}

function AxisTag({ y, width, price, colour }: TagProps) {
  return (
    <g>
      <rect
        x={width - axisWidth}
        y={y - tagHeight / 2}
        width={axisWidth}
        height={tagHeight}
        rx={2}
        fill={colour}
      />
      <text x={width - 8} y={y + 4} textAnchor="end" fill="var(--on-fill)" fontWeight="600">
        {price}
      </text>
    </g>
  );
}

interface LineProps extends TagProps {
  /** The y of the line itself; null: beyond the plot. */
  readonly lineY: number | null;
  /** The y of its price on the axis; defaults to the line's. */
  readonly tagY?: number;
  readonly dash?: string;
  readonly parts: readonly { readonly text: string; readonly width: number; readonly colour?: string }[];
  readonly filledHead?: boolean;
}

function PositionLine({
  y,
  lineY,
  tagY = y,
  width,
  price,
  colour,
  dash,
  parts,
  filledHead = false,
}: LineProps) {
  const pillWidth = parts.reduce((sum, part) => sum + part.width, 0);
  const left = width - axisWidth - 10 - pillWidth;
  let x = left;
  return (
    <g>
      {lineY === null ? null : (
        <line
          x2={width - axisWidth}
          y1={lineY}
          y2={lineY}
          stroke={colour}
          strokeWidth="1.2"
          strokeDasharray={dash}
        />
      )}
      <rect x={left} y={y - 11} width={pillWidth} height={22} rx={5} fill="var(--surface)" stroke={colour} />
      {parts.map((part, index) => {
        const start = x;
        x += part.width;
        const isHead = index === 0 && filledHead;
        return (
          <g key={part.text}>
            {isHead ? (
              <path
                d={`M${start + part.width} ${y - 11}V${y + 11}H${start + 5}a5 5 0 0 1-5-5V${y - 6}a5 5 0 0 1 5-5z`}
                fill={colour}
              />
            ) : null}
            {index > 0 && !(index === 1 && filledHead) ? (
              <line x1={start} x2={start} y1={y - 11} y2={y + 11} stroke={colour} opacity="0.4" />
            ) : null}
            <text
              x={start + part.width / 2}
              y={y + 4}
              textAnchor="middle"
              fontWeight={index === 0 ? 600 : 500}
              fill={isHead ? 'var(--on-fill)' : (part.colour ?? 'var(--text-2)')}
            >
              {part.text}
            </text>
          </g>
        );
      })}
      <AxisTag y={tagY} width={width} price={price} colour={colour} />
    </g>
  );
}

export function CandlePlot({ candles, example, width, height, tickSize }: CandlePlotProps) {
  const last = candles.at(-1);
  if (!last) return null;
  const lows = candles.map((bar) => bar.low);
  const high = Math.max(...candles.map((bar) => bar.high));
  const lowest = Math.min(...lows);
  const farthest = lowest - (high - lowest) * reach;
  const liquidation = example?.liquidationPrice ?? lowest;
  // Limited by `reach`: a distant liquidation price would flatten the candles.
  const low = Math.max(farthest, Math.min(lowest, liquidation));
  const margin = (high - low) * 0.08;
  const [plotWidth, plotHeight] = [width - axisWidth, height - axisHeight];
  const y = (price: number) => ((high + margin - price) / (high - low + 2 * margin)) * plotHeight;
  const slot = plotWidth / (candles.length + freeBars);
  const body = Math.max(1, Math.round(slot * 0.66));
  const x = (index: number) => Math.round(slot * (index + 0.5));
  const volumeMax = Math.max(...candles.map((bar) => bar.volume), Number.MIN_VALUE);
  const volumeHeight = plotHeight * volumeShare;
  const colour = (bar: Candle) => `var(--${directionOfBar(bar)})`;
  // Three paths per direction instead of three shapes per bar.
  const shapes = { up: { ...noShapes }, down: { ...noShapes } };
  candles.forEach((bar, index) => {
    const shape = shapes[directionOfBar(bar)];
    const [top, bottom] = [y(Math.max(bar.open, bar.close)), y(Math.min(bar.open, bar.close))];
    const left = x(index) - body / 2;
    shape.bodies += rectangle(left, top, body, Math.max(1, bottom - top));
    shape.wicks += `M${x(index)} ${rounded(y(bar.high))}V${rounded(y(bar.low))}`;
    const volume = (bar.volume / volumeMax) * volumeHeight;
    shape.volumes += rectangle(left, plotHeight - volume, body, volume);
  });
  const grid = roundPrices(low - margin, high + margin);
  const entryY = y(example?.entryPrice ?? last.close);
  const isBeyond = liquidation < farthest;
  const liquidationY = isBeyond ? plotHeight - pillStep / 2 : Math.max(y(liquidation), entryY + pillStep);
  /** True for a figure that the edge of the plot would cut off. */
  const isCut = (getTagY: number) => getTagY < 8 || getTagY > plotHeight - 8;
  const tags = example ? [y(last.close), entryY, liquidationY] : [y(last.close)];
  const labels = candles
    .map((bar, index) => ({ at: new Date(bar.open_time), index }))
    .filter(({ at }) => at.getMinutes() === 0 && at.getHours() % hoursBetweenLabels === 0);
  const price = (value: number) => formatPrice(value, tickSize);

  return (
    <svg width={width} height={height} aria-hidden="true" className="figures block text-11">
      {grid.map((value) => (
        <g key={value}>
          <line x2={plotWidth} y1={y(value)} y2={y(value)} stroke="var(--grid)" />
          {isCut(y(value)) || tags.some((tag) => Math.abs(tag - y(value)) < 17) ? null : (
            <text x={width - 8} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
              {price(value)}
            </text>
          )}
        </g>
      ))}
      {labels.map(({ at, index }) => (
        <g key={index}>
          <line x1={x(index)} x2={x(index)} y2={plotHeight} stroke="var(--grid)" />
          <text x={x(index)} y={height - 8} textAnchor="middle" fill="var(--text-3)">
            {fullHour(at)}
          </text>
        </g>
      ))}
      {directions.map((direction) => (
        <g key={direction} fill={`var(--${direction})`} stroke={`var(--${direction})`}>
          <path d={shapes[direction].volumes} stroke="none" opacity="0.2" />
          <path d={shapes[direction].wicks} />
          <path d={shapes[direction].bodies} stroke="none" />
        </g>
      ))}
      {averages.map(({ bars, colour }) => (
        <polyline
          key={bars}
          points={movingAverage(candles, bars)
            .map((value, index) => `${x(index + bars - 1)},${y(value)}`)
            .join(' ')}
          fill="none"
          stroke={colour}
          strokeWidth="1.2"
        />
      ))}
      <line x1={plotWidth} x2={plotWidth} y2={height} stroke="var(--line)" />
      <line x2={width} y1={plotHeight} y2={plotHeight} stroke="var(--line)" />
      <line
        x2={plotWidth}
        y1={y(last.close)}
        y2={y(last.close)}
        stroke={colour(last)}
        strokeDasharray="1 3"
      />
      {example ? (
        <>
          <PositionLine
            y={liquidationY}
            lineY={isBeyond ? null : y(liquidation)}
            width={width}
            price={price(example.liquidationPrice)}
            colour="var(--warn)"
            dash="2 3"
            parts={[
              { text: isBeyond ? 'LIQ ↓' : 'LIQ', width: isBeyond ? 50 : 40, colour: 'var(--warn)' },
              { text: formatFigure(example.liquidationLoss, 2, 'always'), width: 78, colour: 'var(--warn)' },
            ]}
          />
          <PositionLine
            y={entryY}
            lineY={entryY}
            tagY={besideTag(entryY, y(last.close))}
            width={width}
            price={price(example.entryPrice)}
            colour="var(--accent)"
            filledHead
            parts={[
              { text: `LONG ${example.leverage}×`, width: 72 },
              ...(plotWidth < roomForSize ? [] : [{ text: formatFigure(example.size, 3), width: 50 }]),
              {
                text: example.isLiquidated
                  ? `Liquidated ${formatFigure(example.pnl, 2, 'always')}`
                  : `${formatFigure(example.pnl, 2, 'always')} (${formatPercent(example.roe)})`,
                width: 146,
                colour: example.pnl >= 0 ? 'var(--up)' : 'var(--down)',
              },
            ]}
          />
        </>
      ) : null}
      <AxisTag y={y(last.close)} width={width} price={price(last.close)} colour={colour(last)} />
    </svg>
  );
}
