/** The arcs of the holdings ring and their ten colours (DASH-27); pure. */
import type { Exposure } from '@fulcrum/domain';
import { toNumber } from '@fulcrum/domain';

const colours = 10;
/** Between two arcs, in per cent of the ring. */
const gap = 0.7;
/** The least arc, so that small holdings are visible, in per cent of the ring. */
const leastArc = 0.4;

export interface Slice {
  readonly symbol: string;
  /** A token of the theme. */
  readonly colour: string;
  /** From the top, clockwise, in per cent of the ring. */
  readonly from: number;
  readonly length: number;
}

/** Ten colours in rotation, by when the symbol was first held: a symbol keeps its colour when the ranking changes. */
export const getHoldingColour = (order: number): string => `var(--holding-${(order % colours) + 1})`;

/** The largest slice starts at the top. */
export function toSlices({ symbols }: Exposure): readonly Slice[] {
  const between = symbols.length > 1 ? gap : 0;
  let from = 0;
  return symbols.map(({ symbol, share, order }) => {
    const part = toNumber(share);
    const slice = {
      symbol,
      colour: getHoldingColour(order),
      from,
      length: Math.max(leastArc, part - between),
    };
    from += part;
    return slice;
  });
}
