/** The read-out of a plot: the point that the pointer or the arrow keys choose. The feature shows its figures. */
import { useState } from 'react';

export interface Readout {
  /** The index of the chosen point, or null. */
  readonly active: number | null;
  /** Called with the chosen index; null ends the choice. */
  readonly onRead: (index: number | null) => void;
}

/** A choice among `count` points; fewer points move it to the last one. */
export function useReadout(count: number): Readout {
  const [index, onRead] = useState<number | null>(null);
  return { active: index === null || count === 0 ? null : Math.min(index, count - 1), onRead };
}
