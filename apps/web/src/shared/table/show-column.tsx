/** The column with the button that shows a row on the page. */
import { Button } from '../ui/index.ts';
import type { Column } from './columns.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export const showColumn = (onShow: (id: string) => void): Column<Named> => ({
  head: 'Actions',
  width: '64px',
  card: '4 end',
  cell: ({ id, name }) => (
    <Button size="compact" aria-label={`Show ${name}`} onClick={() => onShow(id)}>
      Show
    </Button>
  ),
});
