/** The columns that the lists of contests and challenges share. */
import type { Column } from '../../shared/table/index.ts';

export const nameColumn = (head: string): Column<{ readonly name: string }> => ({
  head,
  width: '140px',
  card: '1 start',
  cell: ({ name }) => <bdi className="font-medium whitespace-nowrap text-text">{name}</bdi>,
});

export const openToColumn: Column<{ readonly class_name: string | null }> = {
  head: 'Open to',
  width: '96px',
  className: 'w-full',
  card: 'line',
  cell: ({ class_name }) => class_name ?? 'Every trader',
};
