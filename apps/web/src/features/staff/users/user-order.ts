/** The order of the users list and its texts, as the columns declare them. */
import type { Sorted, SortOrder } from '../../../shared/table/index.ts';
import { byName, userColumns } from './columns.tsx';
import type { Sort } from './listed-user.ts';

export const sorts: readonly Sort[] = userColumns.flatMap(({ sort }) => sort ?? []);

const columnOf = (sort: Sort) => userColumns.find((column) => column.sort === sort);
const orderOf = (sort: Sort) => columnOf(sort)?.order ?? byName;

export const sortLabel = (sort: Sort): string => columnOf(sort)?.head ?? sort;

/** The first direction of a column: names from A, times from the latest. */
export const firstOrderOf = (sort: Sort): SortOrder => orderOf(sort).start;

/** A short label of what comes first, for narrow places. */
export const firstLabel = ({ sort, order }: Sorted<Sort>): string => orderOf(sort)[order];

/** `Created At, newest first`. */
export function orderLabel(sorted: Sorted<Sort>): string {
  const isTime = firstOrderOf(sorted.sort) === 'descending';
  return `${sortLabel(sorted.sort)}, ${firstLabel(sorted)}${isTime ? ' first' : ''}`;
}
