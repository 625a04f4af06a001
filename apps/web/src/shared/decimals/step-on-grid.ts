import { divideRounded } from '@fulcrum/domain';

/** The value `steps` steps away on a grid, within its bounds; a value off the grid moves to the next grid value. */
export function stepOnGrid(
  value: bigint,
  steps: bigint,
  { min, max, step }: { readonly min: bigint; readonly max: bigint; readonly step: bigint },
): bigint {
  const next = divideRounded(value, step, steps > 0n ? 'floor' : 'ceiling') * step + steps * step;
  if (next < min) return min;
  return next > max ? max : next;
}
