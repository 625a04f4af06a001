/** The menu of a table's columns: each that can be hidden is on or off, and one item returns to the default. */
import Columns3 from 'lucide-react/icons/columns-3';
import { Button, Menu, MenuItem, MenuOption, MenuSeparator } from '../ui/index.ts';
import { type ChosenColumns, withColumn } from './column-choice.ts';
import { type ChoosableColumn, isColumnShown } from './columns.ts';

interface ColumnsMenuProps extends ChosenColumns {
  /** `users`, for the button's name. */
  readonly what: string;
  readonly columns: readonly ChoosableColumn[];
}

export function ColumnsMenu({ what, columns, chosen, choose }: ColumnsMenuProps) {
  const label = `Columns of ${what}`;
  return (
    <Menu
      label={label}
      trigger={
        <Button size="compact" aria-label={label}>
          <Columns3 size={14} aria-hidden="true" />
          Columns
        </Button>
      }
    >
      {columns
        .filter(({ choice }) => choice !== undefined)
        .map((column) => (
          <MenuOption
            key={column.head}
            checked={isColumnShown(column, chosen)}
            onChange={(isShown) => choose(withColumn(chosen, column, isShown))}
          >
            {column.head}
          </MenuOption>
        ))}
      <MenuSeparator />
      <MenuItem disabled={Object.keys(chosen).length === 0} onSelect={() => choose({})}>
        Default columns
      </MenuItem>
    </Menu>
  );
}
