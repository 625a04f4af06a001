/**
 * Numbers as components: each defines its decimals, sign, grouping, tabular digits, colour and screen reader text. A figure
 * that changes many times a second is a `LiveFigure` (live.tsx) instead, which React does not render again.
 */
import type { ReactNode } from 'react';
import {
  type Direction,
  directionOf,
  formatAmount,
  formatDollars,
  formatFigure,
  formatPercent,
  formatPrice,
  formatSize,
  noFigure,
} from './format.ts';

type Value = number | null | undefined;

export const colourByDirection: Record<Direction, string> = { up: 'text-up', down: 'text-down', none: '' };

interface FigureProps {
  readonly text: string;
  readonly direction?: Direction | undefined;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** The base of all number components. */
export function Figure({ text, direction = 'none', className = '', children }: FigureProps) {
  if (text === noFigure) {
    return (
      <span className={`figures whitespace-nowrap text-text-3 ${className}`}>
        <span aria-hidden="true">{noFigure}</span>
        <span className="sr-only">not available</span>
      </span>
    );
  }
  return (
    <span className={`figures whitespace-nowrap ${colourByDirection[direction]} ${className}`}>
      {text}
      {children}
    </span>
  );
}

/** A unit after its figure, in the caption's colour and weight. */
export function Unit({ children }: { readonly children: string }) {
  return <span className="font-normal text-text-3">{` ${children}`}</span>;
}

export interface FigureValueProps {
  readonly value: Value;
  readonly className?: string | undefined;
}

/** A price in the pair's tick decimals. `direction` colours it, for a last price. */
export function Price({
  value,
  tickSize,
  direction,
  className,
}: FigureValueProps & { readonly tickSize: number; readonly direction?: Direction }) {
  return <Figure text={formatPrice(value, tickSize)} direction={direction} className={className} />;
}

/** An uncoloured sum of money with two decimals; `signed` writes the plus too. */
export function Amount({
  value,
  unit,
  signed = false,
  className,
}: FigureValueProps & { readonly unit?: string; readonly signed?: boolean }) {
  return (
    <Figure text={formatAmount(value, signed ? 'always' : 'negative')} className={className}>
      {unit === undefined ? null : <Unit>{unit}</Unit>}
    </Figure>
  );
}

/** A sum of money in dollars, as the dashboard states it; `gain` signs and colours it like `Pnl`. */
export function Dollars({ value, gain = false, className }: FigureValueProps & { readonly gain?: boolean }) {
  const direction = gain ? directionOf(value) : 'none';
  return (
    <Figure
      text={formatDollars(value, gain ? 'always' : 'negative')}
      direction={direction}
      className={className}
    >
      {direction === 'none' ? null : (
        <span className="sr-only">{direction === 'up' ? ' gain' : ' loss'}</span>
      )}
    </Figure>
  );
}

/** Money received or paid: signed and coloured; the text beside it names the kind. */
export function Movement({ value, className }: FigureValueProps) {
  return <Figure text={formatAmount(value, 'always')} direction={directionOf(value)} className={className} />;
}

/**
 * `value` in per cent. `zero` sets the look of zero: a price change of 0 is green as the specification states, an ROE of 0 is
 * uncoloured.
 */
export function Percent({
  value,
  zero = 'none',
  className,
}: FigureValueProps & { readonly zero?: Direction }) {
  const direction = directionOf(value);
  const isKnown = value !== null && value !== undefined;
  return (
    <Figure
      text={formatPercent(value)}
      direction={direction === 'none' && isKnown ? zero : direction}
      className={className}
    />
  );
}

/** Whole points of an index with both signs: always signed, coloured unless it is shown as zero. */
export function Points({ value, className }: FigureValueProps) {
  return (
    <Figure text={formatFigure(value, 0, 'always')} direction={directionOf(value, 0)} className={className} />
  );
}

/** A share in per cent, without sign and colour. */
export function Share({ value, className }: FigureValueProps) {
  return <Figure text={formatPercent(value, 'negative')} className={className} />;
}

/** A size in the pair's step decimals, with its asset when given. */
export function Size({
  value,
  stepSize,
  unit,
  className,
}: FigureValueProps & { readonly stepSize: number; readonly unit?: string }) {
  return (
    <Figure text={formatSize(value, stepSize)} className={className}>
      {unit === undefined ? null : <Unit>{unit}</Unit>}
    </Figure>
  );
}
