/** A slider with marked stops; reached stops are filled, and each has its value below. */
import { Slider as Radix } from 'radix-ui';

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

export function Slider({ label, min, max, step, value, onChange, stops, format }: SliderProps) {
  // Radix keeps the thumb inside the track, so a stop lies half a thumb in from either end.
  const positionOf = (stop: number) => {
    const share = (stop - min) / (max - min);
    return `calc(${share * 100}% + ${thumbPx / 2 - share * thumbPx}px)`;
  };
  return (
    <div>
      <Radix.Root
        min={min}
        max={max}
        step={step}
        value={[value]}
        onValueChange={([next]) => next !== undefined && onChange(next)}
        className="relative flex h-6 w-full touch-none items-center max-md:-my-2.5 max-md:h-11"
      >
        <Radix.Track className="relative h-1 grow rounded-full bg-line">
          <Radix.Range className="absolute h-full rounded-full bg-accent" />
        </Radix.Track>
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
        <Radix.Thumb
          aria-label={label}
          aria-valuetext={format(value)}
          className="relative block size-[18px] rounded-full border-4 border-accent bg-on-fill transition-shadow hover:shadow-[0_0_0_4px_var(--accent-weak)] max-md:size-6 max-md:after:absolute max-md:after:-inset-2.5"
        />
      </Radix.Root>
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
