/** Selects the order on a phone, where the list has no column headers. */
import { Select } from '../../../shared/form/SelectField.tsx';
import { firstLabel, sortLabel, sorts } from './user-order.ts';
import { changeQuery, type UsersQuery } from './users-query.ts';

interface SortSelectProps {
  readonly query: UsersQuery;
  readonly onSort: (next: (held: UsersQuery) => UsersQuery) => void;
}

const orders = ['ascending', 'descending'] as const;
const sortOptions = sorts.flatMap((sort) =>
  orders.map((order) => ({
    sort,
    order,
    value: `${sort} ${order}`,
    label: `${sortLabel(sort)}, ${firstLabel({ sort, order })}`,
  })),
);

export function SortSelect({ query, onSort }: SortSelectProps) {
  return (
    <Select
      aria-label="Sort by"
      value={`${query.sort} ${query.order}`}
      options={sortOptions}
      onChange={(chosen) => {
        const option = sortOptions.find(({ value }) => value === chosen);
        if (option) onSort((held) => changeQuery(held, { sort: option.sort, order: option.order }));
      }}
      className="control h-11 min-w-0 grow basis-[200px] pr-1 pl-2 text-16"
    />
  );
}
