/** The admin console. */
export { AdminPage, type AdminTabComponents } from './AdminPage.tsx';
export { useManagers } from './user-dialogs/managers.ts';
