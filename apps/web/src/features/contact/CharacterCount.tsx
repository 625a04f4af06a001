import { formatFigure } from '../../shared/numbers/format.ts';

/** From this share of the limit on, the remaining characters are announced. */
const nearLimit = 0.9;

export function CharacterCount({ text, max }: { readonly text: string; readonly max: number }) {
  const count = text.trim().length;
  return (
    <span aria-live="polite" className={`figures text-12 ${count > max ? 'text-down' : 'text-text-3'}`}>
      {count >= max * nearLimit ? `${formatFigure(count, 0)} of ${formatFigure(max, 0)} characters` : null}
    </span>
  );
}
