/** The gauge: five arcs, of which the value's has full strength, and the value with its label in the middle. */
import { type FearAndGreedLabel, getFearAndGreedLabel } from '@fulcrum/domain';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { arcs, getPointAt } from './gauge.ts';

const colours: Record<FearAndGreedLabel, string> = {
  'Extreme Fear': 'var(--down)',
  Fear: 'color-mix(in srgb, var(--down) 62%, var(--warn))',
  Neutral: 'var(--text-2)',
  Greed: 'color-mix(in srgb, var(--up) 78%, var(--text))',
  'Extreme Greed': 'var(--up)',
};

export function Gauge({ value }: { readonly value: number | null }) {
  const label = value === null ? null : getFearAndGreedLabel(value);
  const point = value === null ? null : getPointAt(value);
  return (
    <div className="relative mx-auto w-52">
      <svg viewBox="0 0 200 118" aria-hidden="true" className="figures block w-full text-11">
        {arcs.map((arc) => (
          <path
            key={arc.label}
            d={arc.path}
            fill="none"
            stroke={colours[arc.label]}
            strokeWidth="11"
            opacity={arc.label === label ? 1 : 0.28}
          />
        ))}
        <text x="16" y="116" textAnchor="middle" fill="var(--text-3)">
          0
        </text>
        <text x="184" y="116" textAnchor="middle" fill="var(--text-3)">
          100
        </text>
        {point === null ? null : (
          <circle
            cx={point.x}
            cy={point.y}
            r="7"
            fill="var(--text)"
            stroke="var(--surface)"
            strokeWidth="3"
          />
        )}
      </svg>
      <p className="absolute inset-x-0 bottom-0 flex flex-col items-center">
        <span
          className={`figures text-44 leading-none font-semibold tracking-[-0.02em] ${value === null ? 'text-text-3' : ''}`}
        >
          {formatFigure(value, 0)}
        </span>
        {label === null ? (
          <span className="text-12 text-text-2">Not enough bars yet</span>
        ) : (
          <span className="text-14 font-semibold" style={{ color: colours[label] }}>
            {label}
          </span>
        )}
      </p>
    </div>
  );
}
