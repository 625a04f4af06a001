/** Selects the order on a phone, where the list has no column headers. */

import { firstLabel, sortLabel, sorts } from './user-order.ts';
import { changeQuery, type UsersQuery } from './users-query.ts';

interface SortSelectProps {
  readonly query: UsersQuery;
  readonly onSort: (next: (held: UsersQuery) => UsersQuery) => void;
}

const orders = ['ascending', 'descending'] as const;
const sortOptions = sorts.flatMap((sort) =>
  orders.map((order) => ({ sort, order, value: `${sort} ${order}` })),
);

export function SortSelect({ query, onSort }: SortSelectProps) {
  return (
    <select
      aria-label="Sort by"
      value={`${query.sort} ${query.order}`}
      onChange={({ target }) => {
        const chosen = sortOptions.find(({ value }) => value === target.value);
        if (chosen) onSort((held) => changeQuery(held, { sort: chosen.sort, order: chosen.order }));
      }}
      className="control h-11 min-w-0 grow basis-[200px] pr-1 pl-2 text-16"
    >
      {sortOptions.map(({ sort, order, value }) => (
        <option key={value} value={value}>
          {`${sortLabel(sort)}, ${firstLabel({ sort, order })}`}
        </option>
      ))}
    </select>
  );
}
