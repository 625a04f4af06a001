/** The expected impact of an event: three bars and a label, so that it depends neither on colour nor on counting. */
import type { CalendarEvent } from '@fulcrum/contract';

type Level = CalendarEvent['impact'];

const levels: Readonly<
  Record<Level, { readonly label: string; readonly bars: number; readonly colour: string }>
> = {
  high: { label: 'High', bars: 3, colour: 'var(--down)' },
  medium: { label: 'Medium', bars: 2, colour: 'var(--warn)' },
  low: { label: 'Low', bars: 1, colour: 'var(--text-3)' },
};
const heights = [4, 7, 10];

export function Impact({ impact }: { readonly impact: Level }) {
  const { label, bars, colour } = levels[impact];
  return (
    <span className="inline-flex items-center gap-1.5 text-12 whitespace-nowrap text-text-2">
      <svg width="11" height="10" viewBox="0 0 11 10" aria-hidden="true" className="shrink-0">
        {heights.map((height, index) => (
          <rect
            key={height}
            x={index * 4}
            y={10 - height}
            width="3"
            height={height}
            rx="1"
            fill={index < bars ? colour : 'var(--line-strong)'}
          />
        ))}
      </svg>
      {label}
    </span>
  );
}
