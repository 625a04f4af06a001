import { formatFigure } from '../../shared/numbers/format.ts';

/** From here on the characters are counted for whoever types. */
const nearLimit = 0.9;

export function Counted({ text, max }: { readonly text: string; readonly max: number }) {
  const count = text.trim().length;
  return (
    <span aria-live="polite" className={`figures text-12 ${count > max ? 'text-down' : 'text-text-3'}`}>
      {count >= max * nearLimit ? `${formatFigure(count, 0)} of ${formatFigure(max, 0)} characters` : null}
    </span>
  );
}
