export { actionsFor, restrictLabel, type StaffArea, type UserAction, type UserSummary } from './actions.ts';
export type { DialogAction } from './dialogs.tsx';
export { EmailAddress } from './EmailAddress.tsx';
export { ManagerSelect } from './ManagerSelect.tsx';
export { type Manager, useManagers } from './managers.ts';
export { ReasonField, validateReason } from './ReasonField.tsx';
export { roleLabels } from './roles.ts';
export { type OpenDialog, UserDialogs, useOpenDialog } from './UserDialogs.tsx';
export { useActionFromUrl } from './useActionFromUrl.ts';
