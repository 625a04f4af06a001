import { formatFigure } from './format.ts';

/** A number with its noun: `1 user`, `1,234 users`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatFigure(count, 0)} ${count === 1 ? one : many}`;
