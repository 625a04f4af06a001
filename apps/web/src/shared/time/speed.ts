/** How fast a recording plays: `60×`, `1.5×`. */
import { formatFigure } from '../numbers/index.ts';

export const formatSpeed = (speed: number): string =>
  `${formatFigure(speed, speed < 10 && !Number.isInteger(speed) ? 1 : 0)}×`;
