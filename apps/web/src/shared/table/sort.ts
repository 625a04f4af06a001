/** The order of a list, and how a press on a column header changes it. Pure. */
export const sortOrders = ['descending', 'ascending'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface Sorted<Column extends string> {
  readonly sort: Column;
  readonly order: SortOrder;
}

export const reverse = (order: SortOrder): SortOrder => (order === 'ascending' ? 'descending' : 'ascending');

/**
 * The same column reverses the order; another one starts in its own direction: names from A, figures and times from the
 * largest.
 */
export const toggleSort = <Column extends string>(
  current: Sorted<Column>,
  sort: Column,
  firstOrderOf: (sort: Column) => SortOrder,
): Sorted<Column> => ({ sort, order: current.sort === sort ? reverse(current.order) : firstOrderOf(sort) });
