/** The admin console. */
export { AdminPage, type AdminTabComponents } from './AdminPage.tsx';
export { OperationDialog } from './overview/operations/OperationDialog.tsx';
export { useManagers } from './user-dialogs/managers.ts';
export { SelectionBar } from './users/UsersTableFooter.tsx';
export { useBulkDialog } from './users/useBulkDialog.tsx';
export { useSelection } from './users/useSelection.ts';
