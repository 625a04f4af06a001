/** A choice of one among few, all visible. It is a radio group: arrow keys move and choose. */
import { RadioGroup } from 'radix-ui';

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** The colour of its word while it is chosen: that of a side. */
  readonly tone?: 'up' | 'down';
}
interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** `regular` fills its row and is 36 high, `compact` is as wide as its words and 24 high. */
  readonly size?: 'regular' | 'compact';
}

const sizes = {
  regular: {
    track: 'flex w-full',
    item: 'h-8 flex-1 text-13 max-md:relative max-md:h-10 max-md:after:absolute max-md:after:-inset-y-0.5 max-md:after:inset-x-0',
  },
  compact: {
    track: 'inline-flex',
    item: 'h-6 px-2 text-11 max-md:relative max-md:h-8 max-md:px-3 max-[389px]:px-2 max-md:text-12 max-md:after:absolute max-md:after:-inset-y-1.5 max-md:after:inset-x-0',
  },
} as const;

const tones = {
  plain: 'data-[state=checked]:text-text',
  up: 'data-[state=checked]:text-up',
  down: 'data-[state=checked]:text-down',
} as const;

export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  size = 'regular',
}: SegmentedProps<Value>) {
  const { track, item } = sizes[size];
  const choose = (next: string) => {
    const option = options.find((one) => one.value === next);
    if (option) onChange(option.value);
  };
  return (
    <RadioGroup.Root
      orientation="horizontal"
      aria-label={label}
      value={value}
      onValueChange={choose}
      className={`${track} gap-0.5 rounded-control border border-line bg-inset p-0.5`}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className={`${item} rounded-[4px] font-medium whitespace-nowrap text-text-2 transition-colors hover:text-text data-[state=checked]:bg-raised ${tones[option.tone ?? 'plain']} data-[state=checked]:ring-1 data-[state=checked]:ring-line-strong`}
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
