/** A choice of one option among few visible ones. Native radio buttons: arrow keys move and select. */
import { type KeyboardEvent, useId } from 'react';

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** The text colour of the selected option: that of a side. */
  readonly tone?: 'up' | 'down';
}
interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** `regular` fills its row and is 36 high, `compact` is as wide as its labels and 24 high. */
  readonly size?: 'regular' | 'compact';
}

const sizes = {
  regular: {
    track: 'flex w-full',
    item: 'h-8 flex-1 text-13 max-md:h-10',
    target: 'inset-0 max-md:-inset-y-0.5',
  },
  compact: {
    track: 'inline-flex',
    item: 'h-6 px-2 text-11 max-md:h-8 max-md:px-3 max-[389px]:px-2 max-md:text-12',
    target: 'inset-0 max-md:-inset-y-1.5',
  },
} as const;

const tones = { plain: 'text-text', up: 'text-up', down: 'text-down' } as const;

/** Enter would submit the form; on a radio button it does nothing. */
const preventSubmit = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault();
};

export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  size = 'regular',
}: SegmentedProps<Value>) {
  const { track, item, target } = sizes[size];
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-orientation="horizontal"
      className={`${track} gap-0.5 rounded-control border border-line bg-inset p-0.5`}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={`${item} relative flex items-center justify-center rounded-[4px] font-medium whitespace-nowrap transition-colors ${
            option.value === value
              ? `bg-raised ring-1 ring-line-strong ${tones[option.tone ?? 'plain']}`
              : 'text-text-2 hover:text-text'
          }`}
        >
          {option.label}
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            onKeyDown={preventSubmit}
            className={`absolute ${target} m-0 cursor-pointer appearance-none rounded-[4px]`}
          />
        </label>
      ))}
    </div>
  );
}
