/** A circle with two letters of an instrument in its own hue; two circles for a currency pair. Decoration: the symbol is beside it. */
import { hueOf, instrumentLetters } from './instrument.ts';

const singleShare = 0.46;
const doubleShare = 0.4;
/** The size of each circle of a pair, as a fraction of the mark. */
const sideShare = 0.62;
const sideLetterShare = 0.64;

interface CircleProps {
  readonly letters: string;
  readonly hue: string;
  readonly size: number;
  readonly fontSize: number;
  readonly className?: string;
}

function Circle({ letters, hue, size, fontSize, className = '' }: CircleProps) {
  return (
    <span
      className={`grid place-items-center rounded-full font-semibold text-text ${className}`}
      style={{
        width: size,
        height: size,
        fontSize: Math.round(fontSize),
        lineHeight: 1,
        // Opaque, because the circles of a pair overlap.
        background: `color-mix(in srgb, hsl(${hueOf(hue)} 62% 62%) 30%, var(--surface))`,
      }}
    >
      {letters}
    </span>
  );
}

export function InstrumentMark({ symbol, size = 20 }: { readonly symbol: string; readonly size?: number }) {
  const { letters, hues } = instrumentLetters(symbol);
  const [first = '', second] = letters;
  const [firstHue = symbol, secondHue = symbol] = hues;
  if (second === undefined) {
    const fontSize = size * (first.length > 1 ? doubleShare : singleShare);
    return (
      <span aria-hidden="true" className="inline-grid shrink-0 align-middle">
        <Circle letters={first} hue={firstHue} size={size} fontSize={fontSize} />
      </span>
    );
  }
  const side = Math.round(size * sideShare);
  const shared = { size: side, fontSize: side * sideLetterShare } as const;
  return (
    <span
      aria-hidden="true"
      className="relative inline-block shrink-0 align-middle"
      style={{ width: size, height: size }}
    >
      <Circle
        {...shared}
        letters={second}
        hue={secondHue}
        className="absolute right-0 bottom-0 pt-px pl-px"
      />
      <Circle
        {...shared}
        letters={first}
        hue={firstHue}
        className="absolute top-0 left-0 shadow-[0_0_0_1px_var(--surface)]"
      />
    </span>
  );
}
