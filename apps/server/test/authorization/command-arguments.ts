/** Arguments with which each command succeeds for a user who may call it, and what they need in the world. */
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { ProcedureName } from '@fulcrum/contract';
import { dayMs } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { testPassword } from '../harness/index.ts';
import {
  checkOf,
  contactMessage,
  conversationOf,
  createWorld,
  price,
  symbol,
  type UserName,
  type World,
} from './world.ts';

/** Of the file that runs `shareWorld`. */
export let world: World;

export function shareWorld(): void {
  beforeAll(async () => {
    world = await createWorld();
  });
  // On a slow machine the walk takes longer than a price stays fresh.
  beforeEach(() => world.server.feed.setPrice(symbol, price));
  afterAll(() => world.close());
}

/** A market that nobody else in this file trades. */
export const heldSymbol = 'ETHUSDT';

export const order = (ownerId: string) => ({
  p_user_id: ownerId,
  p_symbol: symbol,
  p_side: 'BUY',
  p_size: 0.01,
  p_leverage: 10,
});

export async function openedBy(user: UserName): Promise<string> {
  const { data, error } = await world.clientOf(user).rpc('open_position', order(world.idOf[user]));
  if (error) throw error;
  return data.id;
}

/** Somebody whom nobody else in this file needs, for what would end or change an account. */
export async function bystander(): Promise<string> {
  const name = `by-${randomUUID().slice(0, 12)}`;
  const { accounts, db } = world.server.server;
  const user = await accounts.createUser(db, {
    email: `${name}@example.test`,
    username: name,
    password: testPassword,
    role: 'trader',
    managerId: null,
    initialBalance: null,
  });
  return user.id;
}

export const waiting = {
  symbol,
  type: 'LIMIT',
  side: 'BUY',
  price: 40_000,
  size: 0.01,
  leverage: 10,
} as const;

export async function waitingOf(user: UserName): Promise<string> {
  const placed = world.clientOf(user).from('orders').insert(waiting).select('id').single();
  return (await placed.throwOnError()).data.id;
}

/** An alert of the user; of one who has none, an id of nothing. */
async function alertOf(user: UserName): Promise<string> {
  if (user !== 'alice' && user !== 'bob') return randomUUID();
  const created = await world
    .clientOf(user)
    .rpc('create_alert', { p_kind: 'price', p_symbol: symbol, p_level: 90_000 });
  if (created.error) throw created.error;
  return created.data.id;
}

const classTerms = () => ({
  ...{ p_name: randomUUID(), p_begins_at: '2026-01-01T00:00:00Z', p_ends_at: '2030-01-01T00:00:00Z' },
  ...{ p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10, p_symbols: null },
  ...{ p_positions_max: null, p_tutor_ids: [world.idOf.mona] },
});

let monasClass: Promise<string> | undefined;
/** A class that mona is a tutor of. */
async function classOfMona(): Promise<string> {
  monasClass ??= (async () => {
    const { data, error } = await world.clientOf('ada').rpc('save_class', classTerms());
    if (error) throw error;
    return data.id;
  })();
  return monasClass;
}

const contestTerms = () => ({
  ...{ p_name: randomUUID().slice(0, 30), p_description: '', p_class_id: null },
  ...{ p_registration_opens_at: '2026-01-01T00:00:00Z', p_registration_ends_at: '2090-01-01T00:00:00Z' },
  ...{ p_begins_at: '2090-01-01T00:00:00Z', p_ends_at: '2090-02-01T00:00:00Z' },
  p_rules: {
    ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
    ...{ score: 'return', tieBreaks: [], tradesMin: 0, names: 'shown' },
  },
});

async function openContest(): Promise<string> {
  const { data, error } = await world.clientOf('ada').rpc('save_contest', contestTerms());
  if (error) throw error;
  return data.id;
}

let enteredByAlice: Promise<string> | undefined;
async function contestOfAlice(): Promise<string> {
  enteredByAlice ??= (async () => {
    const id = await openContest();
    const { error } = await world.clientOf('alice').rpc('enter_contest', { p_contest_id: id });
    if (error) throw error;
    return id;
  })();
  return enteredByAlice;
}

const challengeTerms = () => ({
  ...{ p_name: randomUUID().slice(0, 30), p_description: '', p_class_id: null },
  ...{
    p_opens_at: new Date(Date.now() - dayMs).toISOString(),
    p_starts_until: new Date(Date.now() + dayMs).toISOString(),
  },
  p_ends_at: new Date(Date.now() + dayMs).toISOString(),
  p_rules: {
    ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
    attemptsMax: 1,
    steps: [
      {
        ...{ targetPct: 10, dailyLoss: null, maxLoss: { pct: 10, mode: 'static', lockPct: null } },
        ...{ consistencyPct: null, daysMin: 0, daysMax: null },
      },
    ],
  },
});

async function openChallenge(): Promise<string> {
  const { data, error } = await world.clientOf('ada').rpc('save_challenge', challengeTerms());
  if (error) throw error;
  return data.id;
}

/** An invitation that can be used. */
async function invitation(column: 'id' | 'code'): Promise<string> {
  const created = await world.clientOf('ada').rpc('create_invitation', { p_uses_max: 1, p_days: 1 });
  if (created.error) throw created.error;
  return created.data[column];
}

const importRow = () => ({
  ...{ email: `in-${randomUUID()}@example.test`, username: '', role: '', manager: '', start_balance: '' },
  ...{ phone: '', class: '' },
});

/** A practice account of the user; of one who can have none, an id of nothing. */
async function practiceOf(user: UserName): Promise<string> {
  if (user !== 'alice' && user !== 'bob') return randomUUID();
  const name = randomUUID();
  const created = await world.clientOf(user).rpc('create_account', { p_name: name });
  if (created.error) throw created.error;
  return created.data.id;
}

/** A key of alice, who is assigned to mona. */
async function keyOfAlice(): Promise<string> {
  const { data, error } = await world.clientOf('alice').rpc('create_api_key', {
    p_name: randomUUID(),
    p_scopes: ['read'],
    p_account_id: world.idOf.alice,
  });
  if (error) throw error;
  return data.id;
}

let practiceOfAlice: Promise<string> | undefined;
/** Alice and a practice account of hers, as staff name it. */
async function otherAccount() {
  practiceOfAlice ??= practiceOf('alice');
  return { p_user_id: world.idOf.alice, p_account_id: await practiceOfAlice };
}

/** Half of what it was: held back, and every caller finds it so. */
function holdPrice() {
  world.server.feed.setPrice(heldSymbol, 100);
  world.server.feed.setPrice(heldSymbol, 50, { breaks: false });
  return { p_symbol: heldSymbol, p_reason: 'Test' };
}

/** A conversation of hers from long ago. */
async function closedOfAlice(): Promise<string> {
  const { rows } = await world.server.db.query<{ id: string }>(
    `insert into app.chat_sessions (user_id, status, created_at, updated_at, closed_at)
     values ($1, 'closed', now(), now(), now()) returning id`,
    [world.idOf.alice],
  );
  return rows[0]?.id ?? '';
}

/** Of a session of its own, which the trader did not subscribe from. */
export async function pushDeviceOf(whose: UserName): Promise<string> {
  const { sessionId } = await world.signIn(whose);
  const { rows } = await world.server.db.query<{ id: string }>(
    `insert into app.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, server_key, created_at)
     values ($1, $2, $3, $4, $5, 'none', now()) returning id`,
    [world.idOf[whose], sessionId, `https://push.invalid/${sessionId}`, Buffer.alloc(65), Buffer.alloc(16)],
  );
  return rows[0]?.id ?? '';
}

async function closedTradeOf(whose: UserName): Promise<string> {
  if (whose !== 'alice' && whose !== 'bob') return randomUUID();
  const id = await openedBy(whose);
  await world.clientOf(whose).rpc('close_position', { p_position_id: id }).throwOnError();
  return id;
}

/** An address for signals to the user's main account. */
export async function signalHookOf(whose: UserName): Promise<string> {
  const { rows } = await world.server.db.query<{ id: string }>(
    `insert into app.signal_hooks (id, account_id, name, secret_hash, created_at) values ($1, $2, 'A walk', $3, now())
     returning id`,
    [randomUUID(), world.idOf[whose], randomBytes(32)],
  );
  return rows[0]?.id ?? '';
}

/** Well-formed arguments that concern `whose` account; every procedure has an entry. */
export const argumentsFor: Record<ProcedureName, (whose: UserName) => Promise<Record<string, unknown>>> = {
  open_position: async (whose) => order(world.idOf[whose]),
  close_position: async (whose) => ({
    p_position_id: whose === 'alice' || whose === 'bob' ? await openedBy(whose) : randomUUID(),
  }),
  reverse_position: async (whose) => ({
    p_position_id: whose === 'alice' || whose === 'bob' ? await openedBy(whose) : randomUUID(),
  }),
  // Withdrawing a missing request succeeds at any time, whatever the market's hours.
  close_at_reopen: async (whose) => ({
    p_position_id: whose === 'alice' || whose === 'bob' ? await openedBy(whose) : randomUUID(),
    p_wanted: false,
  }),
  set_take_profit_stop_loss: async (whose) => ({
    p_position_id: whose === 'alice' || whose === 'bob' ? await openedBy(whose) : randomUUID(),
    p_take_profit_price: 60_000,
    p_stop_loss_price: null,
  }),
  amend_order: async (whose) => ({
    p_order_id: whose === 'alice' || whose === 'bob' ? await waitingOf(whose) : randomUUID(),
    p_price: 41_000,
  }),
  set_leverage: async () => ({ p_symbol: symbol, p_leverage: 10 }),
  adjust_margin: async (whose) => ({
    p_position_id: whose === 'alice' || whose === 'bob' ? await openedBy(whose) : randomUUID(),
    p_amount: 1,
  }),
  get_book: async () => ({ p_symbol: symbol }),
  reset_account: async () => ({}),
  create_account: async (whose) => ({ p_name: `Of ${whose} ${randomUUID().slice(0, 8)}` }),
  rename_account: async (whose) => ({ p_account_id: await practiceOf(whose), p_name: randomUUID() }),
  archive_account: async (whose) => ({ p_account_id: await practiceOf(whose) }),
  list_accounts: async (whose) => ({ p_user_id: world.idOf[whose] }),
  account_token: async (whose) => ({ p_account_id: world.idOf[whose] }),
  create_api_key: async (whose) => ({
    p_name: randomUUID(),
    p_scopes: ['read'],
    p_account_id: world.idOf[whose],
  }),
  list_api_keys: async () => ({ p_user_id: world.idOf.alice }),
  revoke_api_key: async () => ({ p_key_id: await keyOfAlice(), p_reason: 'test' }),
  create_alert: async () => ({ p_kind: 'price', p_symbol: symbol, p_level: 90_000 }),
  change_alert: async (whose) => ({ p_alert_id: await alertOf(whose), p_repeats: true }),
  delete_alert: async (whose) => ({ p_alert_id: await alertOf(whose) }),
  // The caller whose account the earlier reset left unchanged.
  adjust_wallet_balance: async () => ({
    p_user_id: world.idOf.alice,
    p_amount: 10_000,
    p_reason: 'test',
  }),
  restrict_user: async () => ({ p_user_id: await bystander(), p_restricted: true, p_reason: 'test' }),
  delete_user_with_data: async () => ({ p_user_id: await bystander(), p_reason: 'test' }),
  get_candles: async () => ({ p_symbol: symbol, p_timeframe: '1m' }),
  get_sparklines: async () => ({ p_symbols: [symbol] }),
  update_position_mark_prices: async () => ({}),
  accept_price: async () => holdPrice(),
  get_market_controls: async () => ({}),
  set_replay: async () => ({ p_paused: false, p_reason: 'Test' }),
  shock_price: async () => ({ p_symbol: heldSymbol, p_percent: 1, p_reason: 'Test' }),
  fetch_price: async () => ({ p_symbol: symbol }),
  safe_update_user_profile: async (whose) => ({
    user_id: world.idOf[whose],
    new_phone_number: '+12025550111',
  }),
  admin_update_user_password: async () => ({
    p_user_id: await bystander(),
    p_new_password: `${testPassword}-new`,
    p_reason: 'test',
  }),
  admin_create_user: async () => {
    const name = `new-${randomUUID().slice(0, 12)}`;
    return {
      p_email: `${name}@example.test`,
      p_username: name,
      p_password: testPassword,
      p_role: 'trader',
    };
  },
  save_class: async () => classTerms(),
  list_classes: async () => ({}),
  add_class_members: async () => ({ p_class_id: await classOfMona(), p_user_ids: [await bystander()] }),
  remove_class_members: async () => ({ p_class_id: await classOfMona(), p_user_ids: [randomUUID()] }),
  list_class_members: async () => ({ p_class_id: await classOfMona() }),
  list_classmates: async () => ({}),
  message_class: async () => ({
    ...{ p_class_id: await classOfMona(), p_subject: 'Test', p_text: 'A test', p_client_id: randomUUID() },
  }),
  save_contest: async () => ({ ...contestTerms(), p_class_id: await classOfMona() }),
  list_contests: async () => ({}),
  enter_contest: async () => ({ p_contest_id: await openContest() }),
  withdraw_contest: async () => ({ p_contest_id: await openContest(), p_reason: 'test' }),
  get_contest_ranking: async () => ({ p_contest_id: await contestOfAlice() }),
  get_contest_result: async () => ({ p_contest_id: await contestOfAlice() }),
  get_contest_certificate: async () => ({ p_contest_id: await contestOfAlice() }),
  get_contest_market: async () => ({ p_contest_id: await contestOfAlice() }),
  save_challenge: async () => ({ ...challengeTerms(), p_class_id: await classOfMona() }),
  list_challenges: async () => ({}),
  start_challenge: async () => ({ p_challenge_id: await openChallenge() }),
  get_challenge_attempts: async () => ({ p_challenge_id: await openChallenge() }),
  get_challenge_certificate: async () => ({ p_challenge_id: await openChallenge() }),
  create_invitation: async () => ({ p_uses_max: 1, p_days: 1 }),
  revoke_invitation: async () => ({ p_id: await invitation('id') }),
  list_invitations: async () => ({}),
  get_invitation: async () => ({ p_code: await invitation('code') }),
  preview_user_import: async () => ({ p_rows: [importRow()] }),
  import_users: async () => ({
    p_import_id: randomUUID(),
    p_rows_in_all: 1,
    p_links: 'file',
    p_rows: [importRow()],
  }),
  assign_user_to_manager: async () => ({
    p_user_id: await bystander(),
    p_manager_id: world.idOf.mona,
  }),
  get_my_manager: async () => ({}),
  get_market_sentiment: async () => ({}),
  get_fear_and_greed: async () => ({}),
  get_economic_calendar: async () => ({}),
  get_news_feed: async () => ({}),
  get_social_sentiment: async () => ({}),
  get_performance: async () => ({ p_time_zone: 'UTC' }),
  get_equity_overview: async () => ({}),
  review_trade: async (whose) => ({ p_position_id: await closedTradeOf(whose) }),
  review_period: async () => ({ p_from: '2026-11-01T00:00:00Z', p_to: '2026-12-01T00:00:00Z' }),
  get_playbook_results: async () => ({}),
  get_own_limits: async () => ({}),
  set_own_limits: async () => ({}),
  get_assistant: async () => ({}),
  ask_assistant: async () => ({ p_question: 'What is my balance?' }),
  suggest_answer: async () => ({ p_text: 'How do I limit a loss?' }),
  export_list: async () => ({ p_list: 'users' }),
  list_kyc_checks: async () => ({ p_status: 'pending' }),
  claim_kyc: async () => ({ p_id: checkOf(world, 'bob') }),
  release_kyc: async () => ({ p_id: checkOf(world, 'bob') }),
  open_kyc_case: async () => ({ p_id: checkOf(world, 'alice') }),
  review_kyc: async () => ({ p_id: checkOf(world, 'bob'), p_decision: 'approved', p_version: 1 }),
  open_chat_session: async () => ({}),
  get_chat_updates: async () => ({ p_session_id: conversationOf(world, 'alice'), p_after_seq: 0 }),
  get_chat_pictures: async () => ({
    p_session_id: conversationOf(world, 'alice'),
    p_message_ids: [randomUUID()],
  }),
  mark_chat_read: async () => ({ p_session_id: conversationOf(world, 'alice'), p_seq: 1 }),
  rate_chat_session: async () => ({ p_session_id: await closedOfAlice(), p_score: 5 }),
  get_support_presence: async () => ({}),
  get_attended_trader: async () => ({ p_session_id: conversationOf(world, 'alice') }),
  get_support_team: async () => ({}),
  assign_chat_session: async () => ({
    p_session_id: conversationOf(world, 'alice'),
    p_agent_id: world.idOf.sam,
    p_expected: null,
    p_client_id: randomUUID(),
  }),
  get_chat_tags: async () => ({}),
  tag_chat_session: async () => ({
    p_session_id: conversationOf(world, 'alice'),
    p_tag: 'walk',
    p_is_on: true,
  }),
  snooze_chat_session: async () => ({ p_session_id: conversationOf(world, 'alice'), p_until: null }),
  delete_chat_tag: async () => ({ p_tag: 'walk' }),
  search_chats: async () => ({ p_text: 'hello' }),
  get_team_replies: async () => ({}),
  save_team_reply: async () => ({
    p_id: randomUUID(),
    p_shortcut: `walk-${randomUUID().slice(0, 8)}`,
    p_content: 'Hello',
    p_former: null,
  }),
  delete_team_reply: async () => ({ p_id: randomUUID() }),
  get_support_metrics: async () => ({ p_from: '2026-01-01T00:00:00Z', p_to: '2026-01-02T00:00:00Z' }),
  reply_contact_form: async () => ({ p_id: contactMessage.id, p_message: 'Thank you.', p_version: 1 }),
  list_sessions: async () => ({}),
  revoke_session: async (whose) => ({ p_id: (await world.signIn(whose)).sessionId }),
  save_push_subscription: async () => ({
    p_endpoint: `https://push.invalid/${randomUUID()}`,
    p_p256dh: createECDH('prime256v1').generateKeys('base64url'),
    p_auth: randomBytes(16).toString('base64url'),
  }),
  list_push_devices: async () => ({}),
  remove_push_device: async (whose) => ({ p_id: await pushDeviceOf(whose) }),
  create_signal_hook: async (whose) => ({ p_account_id: world.idOf[whose], p_name: 'A walk' }),
  revoke_signal_hook: async (whose) => ({ p_hook_id: await signalHookOf(whose) }),
  list_signal_hooks: async (whose) => ({ p_account_id: world.idOf[whose] }),
  list_signals: async (whose) => ({ p_account_id: world.idOf[whose] }),
  preview_signal: async (whose) => ({ p_account_id: world.idOf[whose], p_body: '{}' }),
  impersonate_user: async () => ({ p_user_id: world.idOf.alice, p_reason: 'test' }),
  end_impersonation: async () => ({}),
  get_acting: async () => ({}),
  reject_price: async () => holdPrice(),
  get_platform: async () => ({}),
  halt_trading: async () => ({ p_reason: 'test' }),
  resume_trading: async () => ({ p_reason: 'test' }),
  list_users: async () => ({}),
  quick_search: async () => ({ p_text: 'alice' }),
  find_user_ids: async () => ({ p_roles: ['trader'] }),
  assign_users_to_manager: async () => ({
    p_user_ids: [await bystander()],
    p_manager_id: world.idOf.mona,
  }),
  restrict_users: async () => ({ p_user_ids: [await bystander()], p_restricted: true, p_reason: 'test' }),
  adjust_funds_of_users: async () => ({
    ...{ p_user_ids: [await bystander()], p_change: 'add', p_amount: 1, p_reason: 'test' },
  }),
  reset_users: async () => ({ p_user_ids: [await bystander()], p_reason: 'test' }),
  invite_users_again: async () => ({ p_user_ids: [await bystander()], p_links: 'file', p_reason: 'test' }),
  // What a manager has of it.
  preview_bulk_action: async () => ({
    ...{ p_user_ids: [await bystander()], p_action: { kind: 'funds', change: 'add', amount: 1 } },
  }),
  list_positions: async () => ({ p_status: 'closed', ...(await otherAccount()) }),
  export_positions: async () => ({ p_status: 'closed', p_time_zone: 'UTC', ...(await otherAccount()) }),
  list_orders: otherAccount,
  list_transactions: otherAccount,
  list_ledger_entries: otherAccount,
  preview_funds: async () => ({ ...(await otherAccount()), p_amount: 1 }),
  preview_position_edit: async () => ({
    p_position_id: await openedBy('alice'),
    p_changes: { leverage: 5 },
  }),
  get_position_history: async () => ({ p_position_id: await openedBy('alice') }),
  list_wallets: async () => ({}),
  reconcile_wallets: async () => ({}),
  get_admin_overview: async () => ({}),
  get_house_metrics: async () => ({}),
};
