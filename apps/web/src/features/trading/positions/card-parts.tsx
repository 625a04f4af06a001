/** The parts that the phone cards of positions and orders share. */
import type { ReactNode } from 'react';
import { Figure, Unit } from '../../../shared/numbers/index.ts';
import { InstrumentMark } from '../../../shared/ui/index.ts';
import { getSizeText } from '../orders/labels.ts';
import type { PanelRow } from './columns.tsx';
import { SideBadge } from './PositionFigures.tsx';
import type { Steps } from './steps.ts';

interface CardHeadProps {
  readonly row: PanelRow;
  readonly onSelect?: (symbol: string) => void;
  /** At the right. */
  readonly children: ReactNode;
}

export function CardHead({ row: { symbol, side, leverage }, onSelect, children }: CardHeadProps) {
  const name = (
    <>
      <InstrumentMark symbol={symbol} size={24} />
      {symbol}
      <SideBadge side={side} leverage={leverage} />
    </>
  );
  const styles = 'flex items-center gap-2.5 text-14 font-semibold';
  return (
    <div className="flex items-center justify-between gap-3">
      {onSelect ? (
        <button type="button" onClick={() => onSelect(symbol)} className={`-my-2 h-11 min-w-0 ${styles}`}>
          {name}
        </button>
      ) : (
        <span className={styles}>{name}</span>
      )}
      {children}
    </div>
  );
}

interface RowSizeProps {
  readonly row: Pick<PanelRow, 'size'>;
  readonly steps: Steps;
}

/** The size with its unit. */
export function RowSize({ row, steps: { stepSize, baseAsset } }: RowSizeProps) {
  return (
    <Figure text={getSizeText(row, stepSize)} className="text-text-2">
      {row.size === 0 ? null : <Unit>{baseAsset}</Unit>}
    </Figure>
  );
}

interface CardSizeProps extends RowSizeProps {
  /** At the right: a figure. */
  readonly children: ReactNode;
  readonly unit: string;
}

/** The size, and a figure with its unit. */
export function CardSize({ children, unit, ...row }: CardSizeProps) {
  return (
    <div className="mt-1 flex justify-between text-12">
      <RowSize {...row} />
      <span>
        {children} <span className="text-text-3">{unit}</span>
      </span>
    </div>
  );
}

interface CardFiguresProps {
  readonly className: string;
  readonly figures: Readonly<Record<string, ReactNode>>;
  /** What follows the name of a figure. */
  readonly marks?: Readonly<Record<string, ReactNode>>;
}

export function CardFigures({ className, figures, marks = {} }: CardFiguresProps) {
  return (
    <dl className={`mt-2.5 grid gap-x-2 gap-y-1.5 text-13 [&_dt]:text-12 [&_dt]:text-text-3 ${className}`}>
      {Object.entries(figures).map(([name, figure]) => (
        <div key={name}>
          <dt>
            {name} {marks[name]}
          </dt>
          <dd className="font-medium">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
