/** A slider with marked stops; reached stops are filled, and each has its value below. */
import type { CSSProperties } from 'react';

interface SliderProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
  /** Marked values between `min` and `max`, ascending. */
  readonly stops: readonly number[];
  readonly format: (value: number) => string;
}

const thumbPx = 18;
/** The track lies below, under the marks of the stops. */
const ownTrack = { '--track': 'transparent' } as CSSProperties;

export function Slider({ label, min, max, step, value, onChange, stops, format }: SliderProps) {
  // The browser keeps the thumb inside the track, so a stop lies half a thumb in from either end.
  const positionOf = (stop: number) => {
    const share = (stop - min) / (max - min);
    return `calc(${share * 100}% + ${thumbPx / 2 - share * thumbPx}px)`;
  };
  return (
    <div>
      <div className="relative flex h-6 items-center max-md:-my-2.5 max-md:h-11">
        <div className="h-1 grow overflow-hidden rounded-full bg-line">
          <div style={{ width: positionOf(value) }} className="h-full bg-accent" />
        </div>
        {stops.map((stop) => (
          <span
            key={stop}
            aria-hidden="true"
            style={{ left: positionOf(stop) }}
            className={`pointer-events-none absolute size-2 -translate-x-1/2 rounded-full border ${
              stop <= value ? 'border-accent bg-accent' : 'border-line-control bg-surface'
            }`}
          />
        ))}
        <input
          type="range"
          aria-label={label}
          aria-valuetext={format(value)}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-valuenow={value}
          min={min}
          max={max}
          step={step}
          value={value}
          onChange={({ target }) => onChange(target.valueAsNumber)}
          style={ownTrack}
          className="range absolute inset-x-0 max-md:h-11"
        />
      </div>
      <div className="relative mt-0.5 h-4 text-11 text-text-3">
        {stops.map((stop, index) => (
          <button
            key={stop}
            type="button"
            tabIndex={-1}
            aria-hidden="true"
            onClick={() => onChange(stop)}
            style={{ left: positionOf(stop) }}
            className={`figures absolute hover:text-text after:absolute after:-inset-x-2 after:top-0 after:-bottom-2 max-md:after:-bottom-3 ${stop === value ? 'font-medium text-text' : ''} ${
              index === 0
                ? '-translate-x-2'
                : index === stops.length - 1
                  ? '-translate-x-[75%]'
                  : '-translate-x-1/2'
            }`}
          >
            {format(stop)}
          </button>
        ))}
      </div>
    </div>
  );
}
