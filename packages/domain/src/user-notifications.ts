/** Notifications of staff actions, messages and alerts, beside those of the engine (`NotificationKind`, A104). */
export type UserNotificationKind =
  | 'kyc_approved'
  | 'kyc_rejected'
  | 'chat_reply'
  | 'alert'
  | 'class_message'
  | 'weekly_recap'
  | 'contest_begun'
  | 'contest_withdrawn'
  | 'contest_ended';
