/** What people cause a trader to be told, beside what the engine does (`NotificationKind`, A104). */
export type PeopleNotificationKind = 'kyc_approved' | 'kyc_rejected' | 'chat_reply';
