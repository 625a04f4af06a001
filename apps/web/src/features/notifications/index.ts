/** The trader's notifications (A104): the bell with its list, and the page's reaction to each one. */

export { handleNotification } from './handle-notification.ts';
export { loadNotificationList, NotificationBell } from './NotificationBell.tsx';
