/** Walks role x command, and the account that a command changes. */
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { type ProcedureName, texts } from '@fulcrum/contract';
import { dayMs } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { none, tableUnder } from './matrix.ts';
import {
  callers,
  checkOf,
  contactMessage,
  conversationOf,
  createWorld,
  price,
  symbol,
  type UserName,
  type World,
} from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
// On a slow machine the walk takes longer than a price stays fresh.
beforeEach(() => world.server.feed.setPrice(symbol, price));
afterAll(() => world.close());

/** A market that nobody else in this file trades. */
const heldSymbol = 'ETHUSDT';

const order = (ownerId: string) => ({
  p_user_id: ownerId,
  p_symbol: symbol,
  p_side: 'BUY',
  p_size: 0.01,
  p_leverage: 10,
});

async function openedBy(user: UserName): Promise<string> {
  const { data, error } = await world.clientOf(user).rpc('open_position', order(world.idOf[user]));
  if (error) throw error;
  return data.id;
}

/** Somebody whom nobody else in this file needs, for what would end or change an account. */
async function bystander(): Promise<string> {
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

const waiting = { symbol, type: 'LIMIT', side: 'BUY', price: 40_000, size: 0.01, leverage: 10 } as const;

async function waitingOf(user: UserName): Promise<string> {
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
async function pushDeviceOf(whose: UserName): Promise<string> {
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
async function signalHookOf(whose: UserName): Promise<string> {
  const { rows } = await world.server.db.query<{ id: string }>(
    `insert into app.signal_hooks (id, account_id, name, secret_hash, created_at) values ($1, $2, 'A walk', $3, now())
     returning id`,
    [randomUUID(), world.idOf[whose], randomBytes(32)],
  );
  return rows[0]?.id ?? '';
}

/** Well-formed arguments that concern `whose` account; every procedure has an entry. */
const argumentsFor: Record<ProcedureName, (whose: UserName) => Promise<Record<string, unknown>>> = {
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

/** Of a main account the engine refuses them, which proves that the caller got there. */
const refusedByEngine: Readonly<Record<string, string>> = {
  set_leverage: texts.notPerpetual,
  adjust_margin: texts.notPerpetual,
};

test('X-20: each role may call the documented commands only', async () => {
  const outcomes: string[] = [];
  const expected: string[] = [];
  for (const line of tableUnder('Commands')) {
    const command = line.command as ProcedureName;
    world.server.feed.setPrice(symbol, price);
    for (const { role, userName: user } of callers) {
      const args = await argumentsFor[command](user ?? 'alice');
      const { error, status } = await world.clientOf(user).rpc(command, args);
      const isDenied = error?.code === '42501' && status === (role === 'anon' ? 401 : 403);
      outcomes.push(`${role} ${command}: ${isDenied ? 'denied' : (error?.message ?? 'done')}`);
      expected.push(
        `${role} ${command}: ${line[role] === none ? 'denied' : (refusedByEngine[command] ?? 'done')}`,
      );
    }
  }
  expect(outcomes).toEqual(expected);
});

test('RULE-37, X-20: open_position opens for the caller, whatever account the request names', async () => {
  const { data } = await world.clientOf('alice').rpc('open_position', order(world.idOf.bob));
  expect(data.user_id).toBe(world.idOf.alice);
});

test('RULE-37, X-20: another user’s position answers like a missing one', async () => {
  const close = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('close_position', { p_position_id: id });
    return { status, error };
  };
  const foreign = await openedBy('bob');
  expect(await close(foreign)).toEqual(await close(randomUUID()));
  const { rows } = await world.server.db.query('select status from app.positions where id = $1', [foreign]);
  expect(rows).toEqual([{ status: 'open' }]);
});

test('CALL-45, X-20: an order is the caller’s own; one that names another owner is refused', async () => {
  const placeOrder = (more: Record<string, unknown>) =>
    world
      .clientOf('alice')
      .from('orders')
      .insert({ ...waiting, ...more })
      .select('user_id, status, reserved')
      .single();
  const own = { user_id: world.idOf.alice, status: 'NEW', reserved: 40 };
  expect(await placeOrder({})).toMatchObject({ status: 201, data: own });
  expect(await placeOrder({ user_id: world.idOf.alice })).toMatchObject({ status: 201, data: own });
  const ordersOfBob = () =>
    world.server.db.query('select id from app.orders where user_id = $1 order by id', [world.idOf.bob]);
  const before = await ordersOfBob();
  const { status, error } = await placeOrder({ user_id: world.idOf.bob });
  expect([status, error?.code]).toEqual([403, 'not_allowed']);
  expect((await ordersOfBob()).rows).toEqual(before.rows);
});

test('CALL-46, X-20: another user’s order answers like a missing one', async () => {
  const placed = await world.clientOf('bob').from('orders').insert(waiting).select('id').single();
  expect(placed.error).toBeNull();
  const id: string = placed.data?.id;
  for (const user of ['alice', 'mona', 'ada'] as const) {
    const { status, data } = await world
      .clientOf(user)
      .from('orders')
      .update({ status: 'CANCELED' })
      .eq('id', id)
      .select('id');
    // Staff cannot cancel another user's order; a trader does not find it.
    expect([user, status, data]).toEqual(user === 'alice' ? [user, 200, []] : [user, 403, null]);
  }
  const { rows } = await world.server.db.query('select status from app.orders where id = $1', [id]);
  expect(rows).toEqual([{ status: 'NEW' }]);
});

test('X-20: take profit and stop loss of another user’s position answer like those of a missing one', async () => {
  const protect = async (id: string) => {
    const { status, error } = await world
      .clientOf('alice')
      .rpc('set_take_profit_stop_loss', { p_position_id: id, p_take_profit_price: 60_000 });
    return { status, error };
  };
  const foreign = await openedBy('bob');
  expect(await protect(foreign)).toEqual(await protect(randomUUID()));
  const { rows } = await world.server.db.query('select take_profit_price from app.positions where id = $1', [
    foreign,
  ]);
  expect(rows).toEqual([{ take_profit_price: null }]);
});

test('A12, A73, X-20: a manager’s scope ends with her traders, and staff cannot change their own funds', async () => {
  const ledger = () =>
    world.server.db.query(
      `select (select json_agg(w order by w.id) from app.wallets w) as wallets,
              (select count(*) from app.transactions) as transactions, (select count(*) from app.users) as users`,
    );
  const before = await ledger();
  const adjust = (user: UserName, whose: UserName) =>
    world
      .clientOf(user)
      .rpc('adjust_wallet_balance', { p_user_id: world.idOf[whose], p_amount: 5, p_reason: 'test' });
  const remove = (whose: UserName) =>
    world.clientOf('ada').rpc('delete_user_with_data', { p_user_id: world.idOf[whose], p_reason: 'test' });
  for (const refused of [
    await adjust('mona', 'bob'),
    await adjust('mona', 'mona'),
    await adjust('ada', 'ada'),
    await adjust('ada', 'sam'),
    await remove('ada'),
  ]) {
    expect(refused.error?.code).toMatch(/^(not_allowed|not_found|invalid_argument)$/);
  }
  expect((await ledger()).rows).toEqual(before.rows);
});

test('X-20: another user’s push device answers like a missing one', async () => {
  const remove = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('remove_push_device', { p_id: id });
    return { status, error };
  };
  const foreign = await pushDeviceOf('bob');
  expect(await remove(foreign)).toEqual(await remove(randomUUID()));
  const { rows } = await world.server.db.query('select from app.push_subscriptions where id = $1', [foreign]);
  expect(rows).toHaveLength(1);
});

test('A119, X-20: another user’s address for signals and account answer like missing ones', async () => {
  const foreign = await signalHookOf('bob');
  const ask = async (command: string, args: Record<string, unknown>) => {
    const { error, status } = await world.clientOf('alice').rpc(command, args);
    return { status, error };
  };
  const revoke = (id: string) => ask('revoke_signal_hook', { p_hook_id: id });
  expect(await revoke(foreign)).toEqual(await revoke(randomUUID()));
  for (const [command, more] of [
    ['create_signal_hook', { p_name: 'Mine' }],
    ['list_signal_hooks', {}],
    ['list_signals', {}],
    ['preview_signal', { p_body: '{}' }],
  ] as const) {
    const about = (accountId: string) => ask(command, { p_account_id: accountId, ...more });
    const answer = await about(world.idOf.bob);
    expect([command, answer.status]).toEqual([command, 404]);
    expect(answer).toEqual(await about(randomUUID()));
  }
  const { rows } = await world.server.db.query(
    'select revoked_at from app.signal_hooks where account_id = $1',
    [world.idOf.bob],
  );
  expect(rows).toEqual([{ revoked_at: null }]);
});

test('A09, X-20: a manager edits no position but her traders’', async () => {
  const foreign = await openedBy('bob');
  const edit = (user: UserName) =>
    world
      .clientOf(user)
      .from('positions')
      .update({ leverage: 5, reason: 'test' })
      .eq('id', foreign)
      .select('id');
  expect(await edit('mona')).toMatchObject({ status: 200, data: [] });
  for (const user of ['alice', 'bob', 'sam'] as const)
    expect(await edit(user)).toMatchObject({ status: 403, error: { code: '42501' } });
  const { rows } = await world.server.db.query('select leverage from app.positions where id = $1', [foreign]);
  expect(rows).toEqual([{ leverage: 10 }]);
});

test('X-20: another user’s session answers like a missing one', async () => {
  const end = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('revoke_session', { p_id: id });
    return { status, error };
  };
  const foreign = await world.signIn('bob');
  expect(await end(foreign.sessionId)).toEqual(await end(randomUUID()));
  expect((await foreign.client.rpc('list_sessions')).error).toBeNull();
});

test('X-20: only an admin changes another user’s profile, or any role', async () => {
  for (const user of ['alice', 'mona', 'sam'] as const) {
    const update = (args: Record<string, unknown>) =>
      world.clientOf(user).rpc('safe_update_user_profile', args);
    const other = await update({ user_id: world.idOf.bob, new_username: 'taken-over' });
    expect([user, other.error?.code]).toEqual([user, 'not_allowed']);
    const role = await update({ user_id: world.idOf[user], new_role: 'admin' });
    expect([user, role.error?.code]).toEqual([user, 'not_allowed']);
  }
  const { rows } = await world.server.db.query(
    `select username from app.users where username = 'taken-over' or (role = 'admin' and id <> $1)`,
    [world.idOf.ada],
  );
  expect(rows).toEqual([]);
});

test('A45, X-20: a manager impersonates assigned traders only, and no one impersonates an admin', async () => {
  const view = async (user: UserName, target: UserName) => {
    const { client } = await world.signIn(user);
    const { error } = await client.rpc('impersonate_user', {
      p_user_id: world.idOf[target],
      p_reason: 'test',
    });
    return error === null ? 'done' : 'refused';
  };
  expect(await view('mona', 'alice')).toBe('done');
  for (const target of ['bob', 'sam', 'ada'] as const) expect(await view('mona', target)).toBe('refused');
  expect(await view('ada', 'bob')).toBe('done');
  expect(await view('ada', 'ada')).toBe('refused');
});
