/** A small curve without axes, stretched to the box around it, in that box's text colour; a dot marks its end. */
import { toAreaPath, toLinePath } from './points.ts';
import { createScale } from './scale.ts';

interface SparklineProps {
  /** The text alternative. */
  readonly label: string;
  /** At least two, oldest first. */
  readonly points: readonly { readonly at: number; readonly value: number }[];
  /** The least difference of values that fills the height, so that a tiny change does not look like a large one. */
  readonly leastSpan?: number;
  /** Whether a dotted line marks the first value. */
  readonly hasStartLine?: boolean;
}

/** The drawing's box; the margin keeps the line's width and the dot inside. */
const size = 100;
const margin = 7;

export function Sparkline({ label, points, leastSpan = 0, hasStartLine = false }: SparklineProps) {
  const values = points.map(({ value }) => value);
  const x = createScale([points[0]?.at ?? 0, points.at(-1)?.at ?? 0], [0, size]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spare = Math.max(0, leastSpan - (high - low)) / 2;
  const y = createScale([high + spare, low - spare], [margin, size - margin]);
  const placed = points.map(({ at, value }) => ({ x: x(at), y: y(value) }));
  return (
    <span className="relative block size-full">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${size} ${size}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        <path d={toAreaPath(placed, 'line', size)} fill="currentcolor" opacity="0.13" />
        {hasStartLine ? (
          <path
            d={`M0 ${placed[0]?.y ?? 0}H${size}`}
            stroke="var(--text-3)"
            strokeDasharray="1 4"
            vectorEffect="non-scaling-stroke"
          />
        ) : null}
        <path
          d={toLinePath(placed, 'line')}
          fill="none"
          stroke="currentcolor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <span
        aria-hidden="true"
        className="absolute -right-[3px] size-1.5 -translate-y-1/2 rounded-full bg-current"
        style={{ top: `${placed.at(-1)?.y ?? 0}%` }}
      />
    </span>
  );
}
