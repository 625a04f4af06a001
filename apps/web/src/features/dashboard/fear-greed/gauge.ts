/**
 * The geometry of the gauge: half a circle from 0 at the left to 100 at the right, in five arcs with the stated
 * bounds.
 */
import { fearAndGreedBands } from '@fulcrum/domain';

const centre = { x: 100, y: 100 } as const;
const radius = 84;
/** The gap between two arcs in degrees, half on each side. */
const gapDegrees = 2.4;

const toDegrees = (value: number): number => 180 - (value / 100) * 180;

/** The point of a value from 0 to 100 on the arc, to a tenth of a unit of the drawing. */
export function getPointAt(value: number): { readonly x: number; readonly y: number } {
  return onArc(toDegrees(value));
}

function onArc(degrees: number): { readonly x: number; readonly y: number } {
  const angle = (degrees * Math.PI) / 180;
  return {
    x: roundToTenths(centre.x + radius * Math.cos(angle)),
    y: roundToTenths(centre.y - radius * Math.sin(angle)),
  };
}

const roundToTenths = (length: number): number => Math.round(length * 10) / 10;

/** The five bands, from fear to greed. */
export const arcs = fearAndGreedBands.toReversed().map(({ from, label }, index, bands) => {
  const to = bands[index + 1]?.from ?? 100;
  const start = onArc(toDegrees(from) - (from === 0 ? 0 : gapDegrees / 2));
  const end = onArc(toDegrees(to) + (to === 100 ? 0 : gapDegrees / 2));
  return { label, path: `M${start.x} ${start.y}A${radius} ${radius} 0 0 1 ${end.x} ${end.y}` };
});
