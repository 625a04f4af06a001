/**
 * Every action of the audit log, declared once: object, dot, verb in the present tense. A write that staff make to a table
 * while they impersonate a trader is `{table}.{insert | update | delete}`. Stored rows are chained by their hash and never
 * change, so rows from before 2026-11 keep their former name; readers look for both (`auditActionNames`).
 */
export const auditActions = [
  'funds.adjust',
  'account.reset',
  'account.restrict',
  'account.lift_restriction',
  'account.delete',
  'account.set_own_limits',
  'position.open',
  'position.close',
  'position.reverse',
  'position.close_at_reopen',
  'position.protect',
  'position.adjust_margin',
  'position.edit',
  'positions.request_export',
  'positions.export',
  'list.request_export',
  'list.export',
  'leverage.set',
  'order.place',
  'order.amend',
  'order.cancel',
  'user.create',
  'user.edit',
  'user.set_password',
  'users.import',
  'user.invite_again',
  'class.create',
  'class.edit',
  'class.add_member',
  'class.remove_member',
  'class.message',
  'contest.create',
  'contest.edit',
  'contest.withdraw',
  'contest.enter',
  'contest.commit_market',
  'contest.end',
  'challenge.create',
  'challenge.edit',
  'challenge.start',
  'challenge.pass',
  'challenge.fail',
  'challenge.advance',
  'challenge.complete',
  'invitation.create',
  'invitation.revoke',
  'api_key.create',
  'api_key.revoke',
  'impersonation.start',
  'impersonation.enter_account',
  'impersonation.end',
  'kyc.submit',
  'kyc.view_document',
  'kyc.claim',
  'kyc.release',
  'kyc.discard_pictures',
  'kyc.approve',
  'kyc.reject',
  'chat_session.close',
  'chat_session.assign',
  'chat_session.tag',
  'chat_session.snooze',
  'chat_tag.delete',
  'team_reply.save',
  'team_reply.delete',
  'contact_form.read',
  'contact_form.reply',
  'contact_form.archive',
  'trading.halt',
  'trading.resume',
  'price.accept',
  'price.reject',
  'price.shock',
  'replay.set',
  'signal_hook.create',
  'signal_hook.revoke',
] as const;

export type AuditedAction = (typeof auditActions)[number];
export type AuditAction = AuditedAction | `${string}.${'insert' | 'update' | 'delete'}`;

const formerNames: Readonly<Partial<Record<AuditedAction, string>>> = {
  'positions.request_export': 'positions_export_asked',
  'positions.export': 'positions_exported',
  'user.create': 'user_created',
  'user.edit': 'profile_changed',
  'user.set_password': 'password_set',
  'impersonation.start': 'impersonation_started',
  'impersonation.end': 'impersonation_ended',
  'kyc.submit': 'kyc_submitted',
  'kyc.view_document': 'kyc_document_viewed',
  'kyc.approve': 'kyc_approved',
  'kyc.reject': 'kyc_rejected',
  'chat_session.close': 'chat_session_closed',
  'contact_form.read': 'contact_form_read',
  'contact_form.reply': 'contact_form_replied',
  'contact_form.archive': 'contact_form_archived',
};

const presentNames: ReadonlyMap<string, AuditedAction> = new Map(
  auditActions.flatMap((action) => {
    const former = formerNames[action];
    return former === undefined ? [] : [[former, action] as const];
  }),
);

/** The names under which rows of an action are stored: the present one first. */
export function auditActionNames(action: string): readonly string[] {
  const former: string | undefined = formerNames[action as AuditedAction];
  return former === undefined ? [action] : [action, former];
}

/** The present name of a stored action; an unknown name stays as it is. */
export const toPresentAction = (stored: string): string => presentNames.get(stored) ?? stored;
