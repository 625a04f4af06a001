/** Walks the rights of an impersonation token, with a real impersonated session and the unmodified client. */
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { dayMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { none, tableUnder } from './matrix.ts';
import {
  checkOf,
  contactMessage,
  conversationOf,
  createWorld,
  symbol,
  type UserName,
  type World,
} from './world.ts';

let world: World;
let invitationCode = '';
const importedRow = {
  ...{ email: 'walked@example.test', username: '', role: '', manager: '', start_balance: '' },
  ...{ phone: '', class: '' },
};
beforeAll(async () => {
  world = await createWorld();
  const terms = { p_uses_max: 1, p_days: 1 };
  const { data } = await world.clientOf('ada').rpc('create_invitation', terms).throwOnError();
  invitationCode = data.code;
});
afterAll(() => world.close());

/** A client of `actor` with a token that impersonates `user`. */
async function viewing(actor: UserName, user: UserName): Promise<SupabaseClient> {
  const { client } = await world.signIn(actor);
  const { error } = await client.rpc('impersonate_user', {
    p_user_id: world.idOf[user],
    p_reason: 'a walk',
  });
  if (error) throw error;
  const { data, error: notRefreshed } = await client.auth.refreshSession();
  if (notRefreshed) throw notRefreshed;
  expect(data.user?.id).toBe(world.idOf[user]);
  return client;
}

type Attempt = (
  client: SupabaseClient,
  me: string,
) => PromiseLike<{
  status: number;
  error: { code: string; message: string } | null;
}>;

/** One well-formed try of each line of the document; a line without one fails the walk. */
const tries: Readonly<Record<string, Attempt>> = {
  'insert into users': (client, me) => client.from('users').insert({ id: me, username: 'renamed' }),
  'update of users': (client, me) =>
    client.from('users').update({ last_login: new Date().toISOString() }).eq('id', me),
  'insert into wallets': (client, me) => client.from('wallets').insert({ user_id: me, currency: 'USDT' }),
  'update of positions': (client, me) =>
    client.from('positions').update({ size: 2, reason: 'a walk' }).eq('user_id', me),
  'insert into orders': (client) =>
    client
      .from('orders')
      .insert({ symbol, type: 'LIMIT', side: 'BUY', price: 40000, size: 0.01, leverage: 10 }),
  'update of orders': (client, me) =>
    client.from('orders').update({ status: 'CANCELED' }).eq('user_id', me).eq('status', 'NEW'),
  'insert into transactions': (client, me) =>
    client.from('transactions').insert({ user_id: me, type: 'deposit', amount: 1, reason: 'a walk' }),
  'update of notifications': (client, me) =>
    client.from('notifications').update({ read_at: new Date().toISOString() }).eq('user_id', me),
  'insert into favorites': (client) => client.from('favorites').insert({ symbol: 'ETHUSDT' }),
  'delete from favorites': (client) => client.from('favorites').delete().eq('symbol', symbol),
  'insert into user_settings': (client) =>
    client.from('user_settings').upsert({ key: 'layout', value: { a: 1 } }),
  'update of user_settings': (client, me) =>
    client
      .from('user_settings')
      .update({ value: { a: 1 } })
      .eq('user_id', me),
  'insert into journal_entries': (client) =>
    client.from('journal_entries').insert({
      id: randomUUID(),
      title: 'a walk',
      content: 'a walk',
      tags: [],
      created_at: new Date().toISOString(),
    }),
  'update of journal_entries': (client, me) =>
    client.from('journal_entries').update({ title: 'rewritten' }).eq('user_id', me),
  'delete from journal_entries': (client, me) => client.from('journal_entries').delete().eq('user_id', me),
  'insert into playbook_trades': async (client, me) => {
    const { data } = await client
      .from('playbook_trades')
      .select('position_id, playbook_id')
      .eq('user_id', me);
    const row = data?.[0] ?? { position_id: randomUUID(), playbook_id: randomUUID() };
    return client.from('playbook_trades').upsert(row, { ignoreDuplicates: true });
  },
  'update of playbook_trades': (client, me) =>
    client.from('playbook_trades').update({ met: [] }).eq('user_id', me),
  'delete from playbook_trades': (client, me) => client.from('playbook_trades').delete().eq('user_id', me),
  'insert into playbooks': (client) => client.from('playbooks').insert({ id: randomUUID(), name: 'a walk' }),
  'update of playbooks': (client, me) =>
    client.from('playbooks').update({ name: 'renamed' }).eq('user_id', me),
  'delete from playbooks': (client, me) => client.from('playbooks').delete().eq('user_id', me),
  'insert into kyc_verifications': (client, me) =>
    client.from('kyc_verifications').insert({ user_id: me, first_name: 'Taken over' }),
  'update of kyc_verifications': (client, me) =>
    client.from('kyc_verifications').update({ status: 'approved' }).eq('user_id', me),
  'insert into chat_sessions': (client, me) => client.from('chat_sessions').insert({ user_id: me }),
  'update of chat_sessions': (client, me) =>
    client.from('chat_sessions').update({ status: 'closed' }).eq('user_id', me),
  'delete from chat_sessions': (client, me) => client.from('chat_sessions').delete().eq('user_id', me),
  'insert into chat_messages': (client, me) =>
    client
      .from('chat_messages')
      .insert({ session_id: conversationOf(world, 'alice'), sender_id: me, content: 'a walk' }),
  'update of chat_messages': (client, me) =>
    client.from('chat_messages').update({ read_at: new Date().toISOString() }).eq('user_id', me),
  'delete from chat_mentions': (client) =>
    client.from('chat_mentions').delete().eq('session_id', conversationOf(world, 'alice')),
  'insert into chat_notes': (client) =>
    client.from('chat_notes').insert({ session_id: conversationOf(world, 'alice'), content: 'a walk' }),
  'insert into canned_replies': (client) =>
    client.from('canned_replies').insert({ shortcut: 'walk', content: 'a walk' }),
  'update of canned_replies': (client, me) =>
    client.from('canned_replies').update({ content: 'a walk' }).eq('user_id', me),
  'delete from canned_replies': (client, me) => client.from('canned_replies').delete().eq('user_id', me),
  'update of support_details': (client, me) =>
    client.from('support_details').update({ status: 'busy' }).eq('user_id', me),
  'insert into contact_forms': (client) =>
    client
      .from('contact_forms')
      .insert({ name: 'A', email: 'walk@example.test', subject: 'A walk', message: 'A walk' }),
  'update of contact_forms': (client) =>
    client.from('contact_forms').update({ status: 'read' }).eq('id', contactMessage.id),
  open_position: (client) =>
    client.rpc('open_position', { p_symbol: symbol, p_side: 'BUY', p_size: 0.01, p_leverage: 10 }),
  close_position: (client) => client.rpc('close_position', { p_position_id: randomUUID() }),
  reverse_position: (client) => client.rpc('reverse_position', { p_position_id: randomUUID() }),
  close_at_reopen: (client) => client.rpc('close_at_reopen', { p_position_id: randomUUID(), p_wanted: true }),
  set_take_profit_stop_loss: (client) =>
    client.rpc('set_take_profit_stop_loss', { p_position_id: randomUUID(), p_take_profit_price: 60000 }),
  amend_order: (client) => client.rpc('amend_order', { p_order_id: randomUUID(), p_price: 41_000 }),
  set_leverage: (client) => client.rpc('set_leverage', { p_symbol: symbol, p_leverage: 10 }),
  adjust_margin: (client) => client.rpc('adjust_margin', { p_position_id: randomUUID(), p_amount: 1 }),
  get_book: (client) => client.rpc('get_book', { p_symbol: symbol }),
  reset_account: (client) => client.rpc('reset_account'),
  create_account: (client) => client.rpc('create_account', { p_name: 'a walk' }),
  rename_account: (client) => client.rpc('rename_account', { p_account_id: randomUUID(), p_name: 'a walk' }),
  archive_account: (client) => client.rpc('archive_account', { p_account_id: randomUUID() }),
  list_accounts: (client) => client.rpc('list_accounts'),
  account_token: (client, me) => client.rpc('account_token', { p_account_id: me }),
  create_api_key: (client, me) =>
    client.rpc('create_api_key', { p_name: 'a walk', p_scopes: ['read'], p_account_id: me }),
  list_api_keys: (client) => client.rpc('list_api_keys'),
  revoke_api_key: (client) => client.rpc('revoke_api_key', { p_key_id: randomUUID(), p_reason: 'a walk' }),
  create_alert: (client) =>
    client.rpc('create_alert', { p_kind: 'price', p_symbol: symbol, p_level: 90_000 }),
  change_alert: (client) => client.rpc('change_alert', { p_alert_id: randomUUID(), p_repeats: true }),
  delete_alert: (client) => client.rpc('delete_alert', { p_alert_id: randomUUID() }),
  adjust_wallet_balance: (client, me) =>
    client.rpc('adjust_wallet_balance', { p_user_id: me, p_amount: 100, p_reason: 'a walk' }),
  accept_price: (client) => client.rpc('accept_price', { p_symbol: symbol, p_reason: 'Test' }),
  get_market_controls: (client) => client.rpc('get_market_controls'),
  set_replay: (client) => client.rpc('set_replay', { p_paused: true, p_reason: 'a walk' }),
  shock_price: (client) => client.rpc('shock_price', { p_symbol: symbol, p_percent: 10, p_reason: 'a walk' }),
  fetch_price: (client) => client.rpc('fetch_price', { p_symbol: symbol }),
  restrict_user: (client, me) =>
    client.rpc('restrict_user', { p_user_id: me, p_restricted: true, p_reason: 'a walk' }),
  delete_user_with_data: (client, me) =>
    client.rpc('delete_user_with_data', { p_user_id: me, p_reason: 'a walk' }),
  get_sparklines: (client) => client.rpc('get_sparklines', { p_symbols: [symbol] }),
  get_candles: (client) => client.rpc('get_candles', { p_symbol: symbol, p_timeframe: '1m' }),
  update_position_mark_prices: (client) => client.rpc('update_position_mark_prices'),
  safe_update_user_profile: (client, me) =>
    client.rpc('safe_update_user_profile', { user_id: me, new_phone_number: '+12025550112' }),
  admin_update_user_password: (client, me) =>
    client.rpc('admin_update_user_password', { p_user_id: me, p_new_password: 'taken-over-by-staff-1' }),
  admin_create_user: (client) =>
    client.rpc('admin_create_user', {
      p_email: 'walk@example.test',
      p_username: 'walk',
      p_password: 'correct-horse-battery-9',
      p_role: 'trader',
    }),
  save_class: (client) =>
    client.rpc('save_class', {
      ...{ p_name: 'A walk', p_begins_at: '2026-01-01T00:00:00Z', p_ends_at: '2030-01-01T00:00:00Z' },
      ...{ p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10, p_symbols: null },
      ...{ p_positions_max: null, p_tutor_ids: [] },
    }),
  list_classes: (client) => client.rpc('list_classes'),
  add_class_members: (client, me) =>
    client.rpc('add_class_members', { p_class_id: randomUUID(), p_user_ids: [me] }),
  remove_class_members: (client, me) =>
    client.rpc('remove_class_members', { p_class_id: randomUUID(), p_user_ids: [me] }),
  list_class_members: (client) => client.rpc('list_class_members', { p_class_id: randomUUID() }),
  list_classmates: (client) => client.rpc('list_classmates'),
  message_class: (client) =>
    client.rpc('message_class', {
      ...{ p_class_id: randomUUID(), p_subject: 'A walk', p_text: 'A walk', p_client_id: randomUUID() },
    }),
  save_contest: (client) =>
    client.rpc('save_contest', {
      ...{ p_name: 'A walk', p_description: '', p_class_id: null },
      ...{ p_registration_opens_at: '2026-01-01T00:00:00Z', p_registration_ends_at: '2090-01-01T00:00:00Z' },
      ...{ p_begins_at: '2090-01-01T00:00:00Z', p_ends_at: '2090-02-01T00:00:00Z' },
      p_rules: {
        ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null },
        ...{ positionsMax: null, score: 'return', tieBreaks: [], tradesMin: 0, names: 'shown' },
      },
    }),
  list_contests: (client) => client.rpc('list_contests'),
  enter_contest: (client) => client.rpc('enter_contest', { p_contest_id: randomUUID() }),
  withdraw_contest: (client) =>
    client.rpc('withdraw_contest', { p_contest_id: randomUUID(), p_reason: 'Made by mistake' }),
  get_contest_ranking: (client) => client.rpc('get_contest_ranking', { p_contest_id: randomUUID() }),
  get_contest_result: (client) => client.rpc('get_contest_result', { p_contest_id: randomUUID() }),
  get_contest_market: (client) => client.rpc('get_contest_market', { p_contest_id: randomUUID() }),
  get_contest_certificate: (client) => client.rpc('get_contest_certificate', { p_contest_id: randomUUID() }),
  save_challenge: (client) =>
    client.rpc('save_challenge', {
      ...{
        p_name: 'A walk',
        p_description: '',
        p_class_id: null,
        p_ends_at: new Date(Date.now() + dayMs).toISOString(),
      },
      ...{
        p_opens_at: new Date(Date.now() - dayMs).toISOString(),
        p_starts_until: new Date(Date.now() + dayMs).toISOString(),
      },
      p_rules: {
        ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null },
        ...{ positionsMax: null, attemptsMax: 1 },
        steps: [
          {
            ...{ targetPct: 10, dailyLoss: null, maxLoss: { pct: 10, mode: 'static', lockPct: null } },
            ...{ consistencyPct: null, daysMin: 0, daysMax: null },
          },
        ],
      },
    }),
  list_challenges: (client) => client.rpc('list_challenges'),
  start_challenge: (client) => client.rpc('start_challenge', { p_challenge_id: randomUUID() }),
  get_challenge_attempts: (client) => client.rpc('get_challenge_attempts', { p_challenge_id: randomUUID() }),
  get_challenge_certificate: (client) =>
    client.rpc('get_challenge_certificate', { p_challenge_id: randomUUID() }),
  create_invitation: (client) => client.rpc('create_invitation', { p_uses_max: 1, p_days: 1 }),
  revoke_invitation: (client) => client.rpc('revoke_invitation', { p_id: randomUUID() }),
  list_invitations: (client) => client.rpc('list_invitations'),
  get_invitation: (client) => client.rpc('get_invitation', { p_code: invitationCode }),
  preview_user_import: (client) => client.rpc('preview_user_import', { p_rows: [importedRow] }),
  import_users: (client) =>
    client.rpc('import_users', {
      ...{ p_import_id: randomUUID(), p_rows_in_all: 1, p_links: 'file', p_rows: [importedRow] },
    }),
  assign_user_to_manager: (client, me) =>
    client.rpc('assign_user_to_manager', { p_user_id: me, p_manager_id: null }),
  get_my_manager: (client) => client.rpc('get_my_manager'),
  get_market_sentiment: (client) => client.rpc('get_market_sentiment'),
  get_fear_and_greed: (client) => client.rpc('get_fear_and_greed'),
  get_economic_calendar: (client) => client.rpc('get_economic_calendar'),
  get_news_feed: (client) => client.rpc('get_news_feed'),
  get_social_sentiment: (client) => client.rpc('get_social_sentiment'),
  get_performance: (client) => client.rpc('get_performance'),
  get_equity_overview: (client) => client.rpc('get_equity_overview'),
  review_trade: (client) => client.rpc('review_trade', { p_position_id: randomUUID() }),
  get_playbook_results: (client) => client.rpc('get_playbook_results'),
  get_own_limits: (client) => client.rpc('get_own_limits'),
  set_own_limits: (client) => client.rpc('set_own_limits', {}),
  review_period: (client) =>
    client.rpc('review_period', { p_from: '2026-11-01T00:00:00Z', p_to: '2026-12-01T00:00:00Z' }),
  get_assistant: (client) => client.rpc('get_assistant'),
  ask_assistant: (client) => client.rpc('ask_assistant', { p_question: 'What is my balance?' }),
  suggest_answer: (client) => client.rpc('suggest_answer', { p_text: 'How do I limit a loss?' }),
  export_list: (client) => client.rpc('export_list', { p_list: 'users' }),
  list_kyc_checks: (client) => client.rpc('list_kyc_checks', { p_status: 'pending' }),
  claim_kyc: (client) => client.rpc('claim_kyc', { p_id: checkOf(world, 'alice') }),
  release_kyc: (client) => client.rpc('release_kyc', { p_id: checkOf(world, 'alice') }),
  open_kyc_case: (client) => client.rpc('open_kyc_case', { p_id: checkOf(world, 'alice') }),
  review_kyc: (client) =>
    client.rpc('review_kyc', { p_id: checkOf(world, 'alice'), p_decision: 'approved', p_version: 1 }),
  open_chat_session: (client) => client.rpc('open_chat_session'),
  get_chat_updates: (client) =>
    client.rpc('get_chat_updates', { p_session_id: conversationOf(world, 'alice'), p_after_seq: 0 }),
  get_chat_pictures: (client) =>
    client.rpc('get_chat_pictures', {
      p_session_id: conversationOf(world, 'alice'),
      p_message_ids: [randomUUID()],
    }),
  mark_chat_read: (client) =>
    client.rpc('mark_chat_read', { p_session_id: conversationOf(world, 'alice'), p_seq: 1 }),
  rate_chat_session: (client) =>
    client.rpc('rate_chat_session', { p_session_id: conversationOf(world, 'bob'), p_score: 1 }),
  get_support_presence: (client) => client.rpc('get_support_presence'),
  get_attended_trader: (client) =>
    client.rpc('get_attended_trader', { p_session_id: conversationOf(world, 'alice') }),
  get_support_team: (client) => client.rpc('get_support_team'),
  assign_chat_session: (client) =>
    client.rpc('assign_chat_session', {
      p_session_id: conversationOf(world, 'alice'),
      p_agent_id: null,
      p_expected: null,
      p_client_id: randomUUID(),
    }),
  get_chat_tags: (client) => client.rpc('get_chat_tags'),
  tag_chat_session: (client) =>
    client.rpc('tag_chat_session', {
      p_session_id: conversationOf(world, 'alice'),
      p_tag: 'walk',
      p_is_on: true,
    }),
  snooze_chat_session: (client) =>
    client.rpc('snooze_chat_session', { p_session_id: conversationOf(world, 'alice'), p_until: null }),
  delete_chat_tag: (client) => client.rpc('delete_chat_tag', { p_tag: 'walk' }),
  get_team_replies: (client) => client.rpc('get_team_replies'),
  save_team_reply: (client) =>
    client.rpc('save_team_reply', {
      ...{ p_id: randomUUID(), p_shortcut: 'walk', p_content: 'a walk', p_former: null },
    }),
  delete_team_reply: (client) => client.rpc('delete_team_reply', { p_id: randomUUID() }),
  search_chats: (client) => client.rpc('search_chats', { p_text: 'hello' }),
  get_support_metrics: (client) =>
    client.rpc('get_support_metrics', { p_from: '2026-01-01T00:00:00Z', p_to: '2026-01-02T00:00:00Z' }),
  reply_contact_form: (client) =>
    client.rpc('reply_contact_form', { p_id: contactMessage.id, p_message: 'a walk', p_version: 1 }),
  list_sessions: (client) => client.rpc('list_sessions'),
  revoke_session: (client) => client.rpc('revoke_session', { p_id: randomUUID() }),
  save_push_subscription: (client) =>
    client.rpc('save_push_subscription', {
      p_endpoint: 'https://push.invalid/1',
      p_p256dh: createECDH('prime256v1').generateKeys('base64url'),
      p_auth: randomBytes(16).toString('base64url'),
    }),
  list_push_devices: (client) => client.rpc('list_push_devices'),
  remove_push_device: (client) => client.rpc('remove_push_device', { p_id: randomUUID() }),
  create_signal_hook: (client, me) =>
    client.rpc('create_signal_hook', { p_account_id: me, p_name: 'A walk' }),
  revoke_signal_hook: (client) => client.rpc('revoke_signal_hook', { p_hook_id: randomUUID() }),
  list_signal_hooks: (client) => client.rpc('list_signal_hooks'),
  list_signals: (client) => client.rpc('list_signals'),
  preview_signal: (client, me) => client.rpc('preview_signal', { p_account_id: me, p_body: '{}' }),
  impersonate_user: (client) =>
    client.rpc('impersonate_user', { p_user_id: world.idOf.alice, p_reason: 'nested' }),
  // Last: it voids the token.
  get_acting: (client) => client.rpc('get_acting'),
  reject_price: (client) => client.rpc('reject_price', { p_symbol: symbol, p_reason: 'a walk' }),
  get_platform: (client) => client.rpc('get_platform'),
  halt_trading: (client) => client.rpc('halt_trading', { p_reason: 'a walk' }),
  resume_trading: (client) => client.rpc('resume_trading', { p_reason: 'a walk' }),
  list_users: (client) => client.rpc('list_users'),
  quick_search: (client) => client.rpc('quick_search', { p_text: 'alice' }),
  find_user_ids: (client) => client.rpc('find_user_ids'),
  assign_users_to_manager: (client, me) =>
    client.rpc('assign_users_to_manager', { p_user_ids: [me], p_manager_id: null }),
  adjust_funds_of_users: (client, me) =>
    client.rpc('adjust_funds_of_users', {
      ...{ p_user_ids: [me], p_change: 'add', p_amount: 1, p_reason: 'a walk' },
    }),
  reset_users: (client, me) => client.rpc('reset_users', { p_user_ids: [me], p_reason: 'a walk' }),
  invite_users_again: (client, me) =>
    client.rpc('invite_users_again', { p_user_ids: [me], p_links: 'file', p_reason: 'a walk' }),
  preview_bulk_action: (client, me) =>
    client.rpc('preview_bulk_action', { p_user_ids: [me], p_action: { kind: 'reset' } }),
  restrict_users: (client, me) =>
    client.rpc('restrict_users', { p_user_ids: [me], p_restricted: true, p_reason: 'a walk' }),
  list_positions: (client) => client.rpc('list_positions', { p_status: 'open' }),
  export_positions: (client) => client.rpc('export_positions', { p_status: 'open', p_time_zone: 'UTC' }),
  list_orders: (client, me) => client.rpc('list_orders', { p_user_id: me }),
  list_transactions: (client, me) => client.rpc('list_transactions', { p_user_id: me }),
  list_ledger_entries: (client, me) => client.rpc('list_ledger_entries', { p_user_id: me }),
  preview_funds: (client, me) => client.rpc('preview_funds', { p_user_id: me, p_amount: 1 }),
  preview_position_edit: (client) =>
    client.rpc('preview_position_edit', { p_position_id: randomUUID(), p_changes: { leverage: 5 } }),
  get_position_history: (client) => client.rpc('get_position_history', { p_position_id: randomUUID() }),
  list_wallets: (client) => client.rpc('list_wallets'),
  reconcile_wallets: (client) => client.rpc('reconcile_wallets'),
  get_admin_overview: (client) => client.rpc('get_admin_overview'),
  get_house_metrics: (client) => client.rpc('get_house_metrics'),
  end_impersonation: (client) => client.rpc('end_impersonation'),
};

for (const [actor, user] of [
  ['ada', 'alice'],
  ['mona', 'alice'],
  ['ada', 'mona'],
  ['ada', 'sam'],
] as const) {
  test(`A45, X-20: ${actor} impersonating ${user} may do what is listed only`, async () => {
    const client = await viewing(actor, user);
    const snapshot = () =>
      world.server.db.query(
        `select (select json_agg(u order by u.id) from app.users u) as users,
                (select json_agg(f order by f.user_id, f.symbol) from app.favorites f) as favorites,
                (select json_agg(s order by s.user_id, s.key) from app.user_settings s) as settings,
                (select json_agg(j order by j.user_id, j.id) from app.journal_entries j where j.user_id <> $1) as journal,
                (select json_agg(p order by p.user_id, p.id) from app.playbooks p where p.user_id <> $1) as playbooks,
                (select count(*) from app.notifications where read_at is not null) as read,
                (select json_agg(k order by k.id) from app.kyc_verifications k) as checks,
                (select json_agg(c order by c.id) from app.chat_sessions c) as conversations,
                (select json_agg(m order by m.id) from app.chat_messages m) as messages,
                (select count(*) from app.chat_notes) as notes,
                (select count(*) from app.chat_mentions) as mentions,
                (select json_agg(t order by t.session_id) from app.chat_triage t) as triage,
                (select json_agg(r order by r.id) from app.canned_replies r) as canned,
                (select json_agg(d order by d.user_id) from app.support_details d) as details,
                (select json_agg(l order by l.id) from app.contact_forms l) as letters,
                (select count(*) from app.transactions where type in ('deposit', 'withdrawal')) as funded,
                (select json_agg(c.password_hash order by c.user_id) from app.credentials c) as credentials`,
        [world.idOf[user]],
      );
    const before = await snapshot();
    const outcomes: string[] = [];
    for (const { action = '', impersonating: cell } of tableUnder('During impersonation')) {
      const tried = tries[action];
      if (!tried) throw new Error(`no try of "${action}"`);
      const { status, error } = await tried(client, world.idOf[user]);
      const isRefused = status === 403 && (error?.code === 'not_allowed' || error?.code === '42501');
      outcomes.push(
        `${action}: ${isRefused && cell === none ? none : error?.code === 'not_allowed' ? 'refused' : cell}`,
      );
    }
    expect(outcomes).toEqual(
      tableUnder('During impersonation').map(({ action, impersonating: cell }) => `${action}: ${cell}`),
    );
    // Nothing that is refused has happened: no profile, favourite, password or other journal has changed, nothing was read or funded.
    expect((await snapshot()).rows).toEqual(before.rows);
  });
}

test('A45: the impersonated session reads as the target, and the ended token reads nothing', async () => {
  const client = await viewing('ada', 'alice');
  const { data } = await client.from('users').select('username');
  expect(data).toEqual([{ username: 'alice' }]);
  expect((await client.rpc('end_impersonation')).error).toBeNull();
  expect(await client.from('users').select('username')).toMatchObject({ status: 401 });
  await client.auth.refreshSession();
  const own = await client.from('users').select('username');
  expect(own.data?.length).toBeGreaterThan(1);
});
