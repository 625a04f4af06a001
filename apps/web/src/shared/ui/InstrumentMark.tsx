/** A circle with an instrument's first letter in a hue of its own. No brand logos. Decoration: the symbol stands beside it. */
function hueOf(symbol: string): number {
  let hash = 0;
  for (const letter of symbol) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}

export function InstrumentMark({ symbol, size = 20 }: { readonly symbol: string; readonly size?: number }) {
  const colour = `hsl(${hueOf(symbol)} 62% 62%)`;
  return (
    <span
      aria-hidden="true"
      className="inline-grid shrink-0 place-items-center rounded-full font-semibold text-text"
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.46),
        lineHeight: 1,
        background: `color-mix(in srgb, ${colour} 30%, transparent)`,
      }}
    >
      {symbol.charAt(0)}
    </span>
  );
}
