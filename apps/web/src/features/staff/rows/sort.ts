/** What a list is ordered by, and what a press on the head of a column makes of it. Pure. */
export type Direction = 'ascending' | 'descending';

export interface Sorted<Column extends string> {
  readonly sort: Column;
  readonly order: Direction;
}

export const turned = (order: Direction): Direction => (order === 'ascending' ? 'descending' : 'ascending');

/** The column in use turns round, another one begins with its own end: names from A, figures and times with the largest. */
export const pressed = <Column extends string>(
  held: Sorted<Column>,
  sort: Column,
  firstOrderOf: (sort: Column) => Direction,
): Sorted<Column> => ({ sort, order: held.sort === sort ? turned(held.order) : firstOrderOf(sort) });
