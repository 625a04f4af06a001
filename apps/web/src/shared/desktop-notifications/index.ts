export { chatMessages, notifyOnDesktop, priceAlerts } from './desktop-notifications.ts';
export { NotificationSettings } from './NotificationSettings.tsx';
