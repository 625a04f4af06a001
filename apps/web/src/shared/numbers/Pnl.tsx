/** A gain or loss; apart from the other figures, because the landing page has none and pays for every byte. */
import { type Common, Figure, Unit } from './figures.tsx';
import { directionOf, maxDecimals } from './format.ts';
import { formatPnl } from './format-pnl.ts';

/** A gain or loss: always signed, coloured unless it is zero, never shown as zero unless it is, and named in words for those who do not see the colour. */
export function Pnl({ value, unit, className }: Common & { readonly unit?: string }) {
  const direction = directionOf(value, maxDecimals);
  return (
    <Figure text={formatPnl(value)} direction={direction} className={className}>
      {unit === undefined ? null : <Unit>{unit}</Unit>}
      {direction === 'none' ? null : (
        <span className="sr-only">{direction === 'up' ? ' gain' : ' loss'}</span>
      )}
    </Figure>
  );
}
