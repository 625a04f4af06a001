/**
 * Parts of a data table: a `<table>` with caption and scoped headers, right-aligned numbers, a sticky header and hairlines
 * between rows.
 */
import type { ComponentProps, ReactNode } from 'react';

interface TableProps {
  /** The name of the table for screen readers. */
  readonly caption: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
  readonly className?: string;
}

export function Table({ caption, head, children, foot, className = '' }: TableProps) {
  return (
    <table className={`w-full border-collapse text-left ${className}`}>
      <caption className="sr-only">{caption}</caption>
      <thead className="sticky top-0 z-10 bg-surface">
        <tr className="h-7 border-b border-line">{head}</tr>
      </thead>
      <tbody>{children}</tbody>
      {foot ? <tfoot>{foot}</tfoot> : null}
    </table>
  );
}

type Cell = { readonly numeric?: boolean };
const cell = 'px-3 first:pl-[18px] last:pr-[18px]';

export function Th({ numeric = false, className = '', ...rest }: ComponentProps<'th'> & Cell) {
  return (
    <th
      scope="col"
      {...rest}
      className={`${cell} text-11 font-medium whitespace-nowrap text-text-3 ${numeric ? 'text-right' : ''} ${className}`}
    />
  );
}

export function Td({ numeric = false, className = '', ...rest }: ComponentProps<'td'> & Cell) {
  return <td {...rest} className={`${cell} text-13 ${numeric ? 'figures text-right' : ''} ${className}`} />;
}

export function Tr({ className = '', ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      {...rest}
      className={`h-9 border-b border-line/65 transition-colors last:border-b-0 hover:bg-raised/70 ${className}`}
    />
  );
}

interface SkeletonRowsProps {
  readonly rows: number;
  /** CSS widths, one per column. */
  readonly widths: readonly string[];
  /** Indexes of the columns with right-aligned figures. */
  readonly numeric?: readonly number[];
  /** Row height in px. */
  readonly height?: number;
}

/** Rows in the table's final shape while it loads. */
export function SkeletonRows({ rows, widths, numeric = [], height = 36 }: SkeletonRowsProps) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place
    <tr key={row} style={{ height }} className="border-b border-line/65 last:border-b-0">
      {widths.map((width, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <td key={column} className={cell}>
          <span
            className={`shimmer block h-3 ${numeric.includes(column) ? 'ml-auto' : ''}`}
            style={{ width }}
          />
        </td>
      ))}
    </tr>
  ));
}
