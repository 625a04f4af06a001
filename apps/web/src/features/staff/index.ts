/** The admin console. */
export { AdminPage, type AdminTabComponents } from './AdminPage.tsx';
export { OperationDialog } from './overview/operations/OperationDialog.tsx';
export { useManagers } from './user-dialogs/managers.ts';
export { BulkDialog } from './users/BulkDialog.tsx';
export type { BulkKind } from './users/bulk.ts';
export { refusedIds } from './users/report.ts';
export { SelectionBar } from './users/UsersTableFooter.tsx';
export { useSelection } from './users/useSelection.ts';
