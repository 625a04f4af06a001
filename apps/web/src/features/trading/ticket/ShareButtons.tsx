/** Buttons that set an amount to a share of a whole. */
interface ShareButtonsProps {
  readonly legend: string;
  /** Per cent, ascending. */
  readonly shares: readonly number[];
  readonly onTake: (sharePercent: number) => void;
  /** Explains the button for the whole where its meaning is not obvious. */
  readonly wholeTitle?: string;
}

export function ShareButtons({ legend, shares, onTake, wholeTitle }: ShareButtonsProps) {
  return (
    <fieldset className="flex gap-1.5">
      <legend className="sr-only">{legend}</legend>
      {shares.map((share) => (
        <button
          key={share}
          type="button"
          onClick={() => onTake(share)}
          title={share === 100 ? wholeTitle : undefined}
          className="figures h-6 flex-1 rounded-[4px] bg-line/70 text-12 text-text-2 transition-colors hover:bg-line-strong hover:text-text active:bg-line max-lg:h-11"
        >
          {share}%
        </button>
      ))}
    </fieldset>
  );
}
