/**
 * Draws by name instead of by state: a draw depends on the seed and its name alone, so generated content is the same for
 * every user, in any order and after a restart. 52 bits of SHA-256; suitable for choosing phrases, not for secrets.
 */
import { hash } from 'node:crypto';

type Name = readonly (string | number)[];
/** Uniform in [0, 1). */
export type Draw = (...name: Name) => number;

const digits = 13;

export const createDraw =
  (seed: string): Draw =>
  (...name) =>
    Number.parseInt(hash('sha256', [seed, ...name].join('\u0000')).slice(0, digits), 16) / 16 ** digits;

/** In a drawn order; an item that joins or leaves does not change the order of the others. */
export const shuffle = <Item>(
  draw: Draw,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  ...name: Name
): Item[] =>
  items
    .map((item) => ({ item, rank: draw(keyOf(item), ...name) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);

/** One of `from`; undefined when there is none. */
export const pick = <Item>(draw: Draw, from: readonly Item[], ...name: Name): Item | undefined =>
  from[Math.floor(draw(...name) * from.length)];
