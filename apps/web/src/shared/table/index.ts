export { ColumnsMenu } from './ColumnsMenu.tsx';
export {
  type ColumnChoice,
  columnsSetting,
  isColumnShown,
  parseColumnChoice,
  useColumnChoice,
} from './column-choice.ts';
export type { Column, Reading, RowSelection } from './columns.ts';
export { DataTable, type DataTableProps } from './DataTable.tsx';
export { EmptyAction, EmptyPage } from './EmptyAction.tsx';
export { PageButton } from './PageButton.tsx';
export { Pager } from './Pager.tsx';
export { reverse, type Sorted, type SortOrder, toggleSort } from './sort.ts';
export { TableFooter } from './TableFooter.tsx';
export { type Identified, useFrozenRows, useRowFreeze } from './useFrozenRows.ts';
export { WaitingChanges } from './WaitingChanges.tsx';
