/** What the trader is told (A104): the bell with its list, and what the page does with each as it comes. */
export { NotificationBell } from './NotificationBell.tsx';
export { onNotified } from './onNotified.ts';
