/** Gains and losses, in a module of their own: the landing page shows none, and its bundle is limited. */
import { Figure, type FigureValueProps, Unit } from './figures.tsx';
import { directionOf, formatFigure, maxDecimals } from './format.ts';
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

/** A return in per cent, coloured unless it is shown as zero. */
export function Return({ value }: { readonly value: number }) {
  return <Figure text={`${formatFigure(value, 2)} %`} direction={directionOf(value)} />;
}
