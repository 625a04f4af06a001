/** A gain or loss, in a module of its own: the landing page shows none, and its bundle is limited. */
import { Figure, type FigureValueProps, Unit } from './figures.tsx';
import { directionOf, maxDecimals } from './format.ts';
import { formatPnl } from './format-pnl.ts';

/**
 * A gain or loss: always signed, coloured unless it is zero, never rounded to zero unless it is zero, and described in words
 * for screen readers.
 */
export function Pnl({ value, unit, className }: FigureValueProps & { readonly unit?: string }) {
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
