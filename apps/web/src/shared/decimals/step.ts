import { divideRounded } from '@fulcrum/domain';

/** The value `steps` steps away on a grid, within its bounds; a value off the grid goes to the next place on it. */
export function stepOnGrid(
  value: bigint,
  steps: bigint,
  { least, most, step }: { readonly least: bigint; readonly most: bigint; readonly step: bigint },
): bigint {
  const next = divideRounded(value, step, steps > 0n ? 'floor' : 'ceiling') * step + steps * step;
  if (next < least) return least;
  return next > most ? most : next;
}
