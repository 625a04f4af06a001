/** The admin console. */
export { AdminPage, type AdminTabComponents } from './AdminPage.tsx';
