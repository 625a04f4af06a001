/** Saves the list on the screen as a view, or renames a view. */
import { NameDialog } from '../../../shared/form/NameDialog.tsx';
import type { ColumnChoice } from '../../../shared/table/index.ts';
import {
  createView,
  nameMax,
  renameView,
  type SavedView,
  validateName,
  validateQuery,
} from './saved-views.ts';
import type { UsersQuery } from './users-query.ts';

interface ViewNameDialogProps {
  /** The view to rename; null saves the list as a new one. */
  readonly view: SavedView | null;
  readonly query: UsersQuery;
  readonly columns: ColumnChoice;
  /** Names that other views have. */
  readonly taken: readonly string[];
  readonly onCreated: (id: string) => void;
  readonly onClose: () => void;
  readonly fallbackFocus: () => HTMLElement | null;
}

export function ViewNameDialog(props: ViewNameDialogProps) {
  const { view, query, columns, taken, onCreated, onClose, fallbackFocus } = props;
  return (
    <NameDialog
      title={view === null ? 'Save as a view' : `Rename ${view.name}`}
      description={view === null ? 'Search, filters, order and columns come back with one press.' : undefined}
      submit={view === null ? 'Save view' : 'Rename'}
      name={view?.name ?? ''}
      maxLength={nameMax}
      check={(name) =>
        validateName(name, view?.id ?? null, taken) ?? (view === null ? validateQuery(query) : null)
      }
      save={(name) => {
        if (view === null) onCreated(createView(name, query, columns));
        else renameView(view.id, name);
      }}
      onClose={onClose}
      fallbackFocus={fallbackFocus}
    />
  );
}
