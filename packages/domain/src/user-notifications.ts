/** Notifications that staff actions cause, beside those of the engine (`NotificationKind`, A104). */
export type UserNotificationKind = 'kyc_approved' | 'kyc_rejected' | 'chat_reply';
