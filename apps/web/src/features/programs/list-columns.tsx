/** The columns that the lists of contests and challenges share. */
import type { Column } from '../../shared/table/index.ts';
import { Button } from '../../shared/ui/index.ts';

interface Named {
  readonly name: string;
}

export const nameColumn = (head: string): Column<Named> => ({
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

export const showColumn = (onShow: (id: string) => void): Column<Named & { readonly id: string }> => ({
  head: 'Actions',
  width: '64px',
  card: '4 end',
  cell: ({ id, name }) => (
    <Button size="compact" aria-label={`Show ${name}`} onClick={() => onShow(id)}>
      Show
    </Button>
  ),
});
