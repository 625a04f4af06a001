/** The frame of the admin console. */
export { AdminPage, type AdminTabCode } from './AdminPage.tsx';
