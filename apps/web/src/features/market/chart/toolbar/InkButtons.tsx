/** One button per colour. */
import { type Ink, inks } from '../settings/inks.ts';

const inkStyles: Readonly<Record<Ink, string>> = {
  accent: 'bg-accent',
  series1: 'bg-series-1',
  series2: 'bg-series-2',
  warn: 'bg-warn',
  text: 'bg-text',
};

interface InkButtonsProps {
  readonly ink: Ink | null;
  readonly onChoose: (ink: Ink) => void;
}

export function InkButtons({ ink, onChoose }: InkButtonsProps) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Colour</legend>
      {inks.map((one, index) => (
        <button
          key={one}
          type="button"
          aria-label={`Colour ${index + 1} of ${inks.length}`}
          aria-pressed={ink === one}
          onClick={() => onChoose(one)}
          className="grid size-6 place-items-center rounded-full border border-transparent aria-pressed:border-text max-lg:size-11"
        >
          <span aria-hidden="true" className={`size-3.5 rounded-full ${inkStyles[one]}`} />
        </button>
      ))}
    </fieldset>
  );
}
