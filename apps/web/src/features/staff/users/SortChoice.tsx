/** On a phone there are no heads of columns: the order is chosen from a list. */
import type { Sort, UsersQuery } from './users-query.ts';
import { narrowed } from './users-query.ts';
import { columnWords, firstWords } from './words.ts';

interface SortChoiceProps {
  readonly query: UsersQuery;
  readonly onSort: (next: (held: UsersQuery) => UsersQuery) => void;
}

const orders = ['ascending', 'descending'] as const;
const choices = (Object.keys(columnWords) as Sort[]).flatMap((sort) =>
  orders.map((order) => ({ sort, order, value: `${sort} ${order}` })),
);

export function SortChoice({ query, onSort }: SortChoiceProps) {
  return (
    <select
      aria-label="Sort by"
      value={`${query.sort} ${query.order}`}
      onChange={({ target }) => {
        const chosen = choices.find(({ value }) => value === target.value);
        if (chosen) onSort((held) => narrowed(held, { sort: chosen.sort, order: chosen.order }));
      }}
      className="control h-11 min-w-0 grow basis-[200px] pr-1 pl-2 text-16"
    >
      {choices.map(({ sort, order, value }) => (
        <option key={value} value={value}>
          {`${columnWords[sort]}, ${firstWords({ sort, order })}`}
        </option>
      ))}
    </select>
  );
}
