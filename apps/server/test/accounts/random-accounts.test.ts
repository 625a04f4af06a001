/**
 * Random requests of several users in several accounts each, of staff and of the market, some at a time, through the whole server.
 * Afterwards every invariant holds, the auditor agrees account by account, and no row names one of another account. The seed
 * determines the requests; the interleaving is the machine's.
 */
import { randomUUID } from 'node:crypto';
import { hourMs, MAX_LEVERAGE, parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { CommandLogEntry } from '../../src/features/trading/index.ts';
import { checkInvariants, openWallet } from '../../src/features/wallet/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startUserServer, type TestUser, type UserServer } from '../identity/user-server.ts';
import { createRandom } from '../long/trading-stream.ts';
import { netFees } from '../simulation/audited-net-formulas.ts';
import { auditCommandLog } from '../simulation/command-log-audit.ts';
import type { OpenedAccount } from '../simulation/ledger-book.ts';
import { readStoredDatabase } from '../simulation/stored-database.ts';

const isLong = process.env.TEST_VOLUME === 'long';
const seed = Number(process.env.ACCOUNTS_SEED ?? 20_261_127);
const requestsTotal = isLong ? 6_000 : 800;
const tradersTotal = 4;
const atOnce = 6;
const mainFeeRate = parseDecimal('0.0004');
const mainDeposit = 1_000_000_000_000n;
/** Of the clock, which each price moves by 5 ms. */
const untilFundingMs = 600;
const nextFunding = (): number => (Math.floor(server.clock.now() / (8 * hourMs)) + 1) * 8 * hourMs;
const pricesAtFirst = { BTCUSDT: 100, ETHUSDT: 50 } as const;
type Symbol = keyof typeof pricesAtFirst;
const symbols = Object.keys(pricesAtFirst) as Symbol[];

interface Account {
  readonly id: string;
  /** Whether it has net positions. */
  readonly isNet: boolean;
  readonly owner: Owner;
  readonly client: SupabaseClient;
  readonly positions: string[];
  readonly orders: string[];
}
interface Owner {
  readonly user: TestUser;
  readonly accounts: Account[];
}

let server: UserServer;
let admin: TestUser;
let manager: TestUser;
const commandLog: CommandLogEntry[] = [];
const opened = new Map<string, OpenedAccount>();
const owners: Owner[] = [];

beforeAll(async () => {
  server = await startUserServer({
    config: { allowReset: true, tradingFeeRate: mainFeeRate },
    commandLog: (entry) => void commandLog.push(entry),
  });
  // An instant of funding falls into the run.
  server.clock.set(nextFunding() - untilFundingMs);
  for (const symbol of symbols) server.feed.setPrice(symbol, pricesAtFirst[symbol]);
  [admin, manager] = await Promise.all([server.addUser('admin'), server.addUser('manager')]);
  for (let i = 0; i < tradersTotal; i += 1) await addOwner();
}, 60_000);
afterAll(() => server.close());

async function addOwner(): Promise<Owner> {
  const user = await server.addUser('trader', { managerId: manager.id });
  const owner: Owner = { user, accounts: [] };
  owners.push(owner);
  const terms = { rules: 'standard', feeRate: mainFeeRate, leverageMax: MAX_LEVERAGE } as const;
  opened.set(user.id, { accountId: user.id, ownerId: user.id, deposit: mainDeposit, terms });
  owner.accounts.push({
    ...{ id: user.id, isNet: false, owner, client: user.client, positions: [], orders: [] },
  });
  await openClassAccount(owner);
  await openNetAccount(owner);
  return owner;
}

async function addAccount(owner: Owner, account: Omit<OpenedAccount, 'ownerId'>): Promise<void> {
  const { accountId: id } = account;
  opened.set(id, { ...account, ownerId: owner.user.id });
  const isNet = account.terms.rules === 'perpetual';
  owner.accounts.push({
    id,
    isNet,
    owner,
    client: await server.clientIn(owner.user.client, id),
    positions: [],
    orders: [],
  });
}

/** An account under the other rule set, which no user opens by themselves. */
async function openClassAccount(owner: Owner): Promise<void> {
  const ownerId = owner.user.id;
  const accountId = `${randomUUID().slice(0, -2)}${ownerId.slice(-2)}`;
  const [deposit, feeRate] = [parseDecimal('3000'), parseDecimal('0.0011')];
  await server.db.query(
    `with class as (
       insert into app.classes (name, begins_at, ends_at, start_balance, rules, leverage_max, created_at, updated_at)
       values (left($4, 40), '2000-01-01', '2100-01-01', $5, 'as-specified', 25, now(), now()) returning id)
     insert into app.trading_accounts (id, owner_id, kind, name, rules, leverage_max, fee_rate, class_id)
     select $1, $2, 'class', 'Class', 'as-specified', 25, $3, id from class`,
    [accountId, ownerId, toDecimalString(feeRate), accountId, toDecimalString(deposit)],
  );
  await openWallet(server.db, { accountId, initialBalance: deposit });
  await addAccount(owner, {
    ...{ accountId, deposit },
    terms: { rules: 'as-specified', feeRate, leverageMax: 25 },
  });
}

async function openNetAccount(owner: Owner): Promise<void> {
  const args = { p_name: 'Net', p_start_balance: '20000', p_rules: 'perpetual', p_fill_profile: 'pro' };
  const { data } = await owner.user.client.rpc('create_account', args).throwOnError();
  const terms = {
    ...({ rules: 'perpetual', fillProfile: 'pro' } as const),
    ...{ feeRate: netFees.taker, leverageMax: MAX_LEVERAGE },
  };
  await addAccount(owner, { accountId: data.id, deposit: parseDecimal('20000'), terms });
}

interface Answer {
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly status: number;
  readonly data: unknown;
}

test(`A112: after ${requestsTotal} random requests in many accounts every invariant holds and the auditor agrees (ACCOUNTS_SEED=${seed})`, {
  timeout: 400_000,
}, async () => {
  const random = createRandom(seed);
  const below = (end: number) => Math.floor(random() * end);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const often = (share: number) => random() < share;
  const anyAccount = () => pick(pick(owners).accounts);
  /** One with something to close or to cancel, as far as the test knows. */
  const holder = (held: 'positions' | 'orders') => {
    const holders = owners.flatMap(({ accounts }) => accounts).filter((account) => account[held].length > 0);
    return holders.length > 0 ? pick(holders) : anyAccount();
  };
  const anyOther = () => pick(pick(owners).accounts.slice(1));

  const prices: Record<Symbol, number> = { ...pricesAtFirst };
  const faults: string[] = [];
  const outcomes = { accepted: 0, refused: 0 };
  const codes = new Map<string, number>();
  /** Requests of this name that were accepted; why the last other one was refused. */
  const done = new Map<string, number>();
  const refusals = new Map<string, string>();
  /** Notes an answer; its rows have to be of the account that the token named. */
  const note = <A extends Answer>(name: string, answer: A, account: Account | null): A => {
    const { error, status, data } = answer;
    if (error) {
      outcomes.refused += 1;
      refusals.set(name, error.message);
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
      // 503 is "busy".
      if (status >= 500 && status !== 503) faults.push(`${name}: ${status} ${error.message}`);
      return answer;
    }
    outcomes.accepted += 1;
    done.set(name, (done.get(name) ?? 0) + 1);
    for (const row of Array.isArray(data) ? data : [data]) {
      const owner = (row as { user_id?: string } | null)?.user_id;
      if (account && owner !== undefined && owner !== account.id)
        faults.push(`${name} of ${account.id} answered with a row of ${owner}`);
    }
    return answer;
  };
  const call = async (account: Account, procedure: string, args: object) =>
    note(procedure, await account.client.rpc(procedure, args), account);
  /** What must not reach another account. */
  const mustFail = (name: string, { error, data }: Answer): void => {
    const isEmpty = Array.isArray(data) && data.length === 0;
    if (!error && !isEmpty) faults.push(`${name} reached another account`);
  };

  const away = (symbol: Symbol, share: number) => Math.round(prices[symbol] * (1 + share) * 100) / 100;
  const tradeOf = (symbol: Symbol, { isNet }: Pick<Account, 'isNet'>) => ({
    ...{ symbol, side: pick(['BUY', 'SELL'] as const) },
    leverage: pick(isNet ? [20, 20, 20, 20, 5] : [1, 3, 5, 5, 10, 20, 25, 50, 125]),
    size: Math.round((0.05 + random() * 12) * 100) / 100,
  });
  const bracketOf = (symbol: Symbol, side: 'BUY' | 'SELL') => {
    const gain = side === 'BUY' ? 1 : -1;
    return {
      p_take_profit_price: often(0.5) ? away(symbol, gain * (0.002 + random() * 0.03)) : null,
      p_stop_loss_price: often(0.5) ? away(symbol, -gain * (0.002 + random() * 0.02)) : null,
    };
  };
  const reason = 'A random reason';
  const staff = () => (often(0.5) ? admin : manager);

  async function openPosition(account: Account): Promise<void> {
    const symbol = pick(symbols);
    const { side, size, leverage } = tradeOf(symbol, account);
    const terms = account.isNet ? { p_reduce_only: often(0.2) } : {};
    const order = { p_symbol: symbol, p_side: side, p_size: size, p_leverage: leverage, ...terms };
    const protection = often(0.4) ? bracketOf(symbol, side) : {};
    const args = { ...order, ...protection, p_client_id: randomUUID() };
    const { data } = await call(account, 'open_position', args);
    if (!data) return;
    account.positions.push(data.id);
    if (!often(0.2)) return;
    const again = await account.client.rpc('open_position', args);
    if (again.data && again.data.id !== data.id) faults.push('a repeat opened a second position');
    // The name of a request belongs to the account.
    const sibling = pick(account.owner.accounts);
    if (sibling === account) return;
    const other = await call(sibling, 'open_position', { ...args, p_leverage: 1, p_size: 0.05 });
    if (other.data && other.data.id === data.id)
      faults.push('a name of one account answered for another one');
    if (other.data) sibling.positions.push(other.data.id);
  }

  async function placeOrder(account: Account): Promise<void> {
    const symbol = pick(symbols);
    const trade = tradeOf(symbol, account);
    const terms = { time_in_force: pick(['GTC', 'GTC', 'IOC', 'FOK', 'GTX']), reduce_only: often(0.2) };
    const type = pick(['LIMIT', 'LIMIT', 'STOP', 'MARKET'] as const);
    const share = (random() - 0.5) * (account.isNet ? 0.01 : 0.05);
    const row = {
      ...trade,
      ...(account.isNet && terms),
      type,
      ...(type === 'MARKET' ? {} : { price: away(symbol, share) }),
    };
    const placed = await account.client.from('orders').insert(row).select();
    const { data } = note('orders.insert', placed, account);
    for (const order of data ?? []) account.orders.push(order.id);
  }

  async function moveFunds(): Promise<void> {
    const account = anyAccount();
    const args = { p_account_id: account.id, p_amount: below(400) - 150, p_reason: reason };
    const of = often(0.15) ? pick(owners) : account.owner;
    const by = staff();
    const answer = await by.client.rpc('adjust_wallet_balance', { ...args, p_user_id: of.user.id });
    if (of !== account.owner) mustFail('funds of a user', answer);
    note('adjust_wallet_balance', answer, account);
  }

  const anyNet = () => pick(pick(owners).accounts.filter(({ isNet }) => isNet));
  const setLeverage = () =>
    call(anyNet(), 'set_leverage', { p_symbol: pick(symbols), p_leverage: pick([10, 20, 20, 50]) });
  async function adjustMargin(): Promise<void> {
    const net = anyNet();
    if (net.positions.length === 0 || often(0.3)) await openPosition(net);
    const p_position_id = net.positions.at(-1);
    if (p_position_id) await call(net, 'adjust_margin', { p_position_id, p_amount: below(200) - 80 });
  }

  async function openAccount(): Promise<void> {
    const owner = pick(owners);
    const deposit = parseDecimal(String(50 + below(5_000)));
    const feeRate = often(0.3) ? mainFeeRate : parseDecimal(pick(['0', '0.001', '0.005']));
    const leverageMax = often(0.3) ? MAX_LEVERAGE : pick([2, 10, 40]);
    const args = {
      ...{ p_name: randomUUID(), p_start_balance: toDecimalString(deposit), p_client_id: randomUUID() },
      ...(leverageMax === MAX_LEVERAGE ? {} : { p_leverage_max: leverageMax }),
      ...(feeRate === mainFeeRate ? {} : { p_fee_rate: toDecimalString(feeRate) }),
    };
    const { data } = note('create_account', await owner.user.client.rpc('create_account', args), null);
    if (!data) return;
    const terms = { rules: 'standard', feeRate, leverageMax } as const;
    opened.set(data.id, { accountId: data.id, ownerId: owner.user.id, deposit, terms });
    // The user may be gone by now.
    await addAccount(owner, { accountId: data.id, deposit, terms }).catch(() => undefined);
  }

  async function endAndArchive(): Promise<void> {
    const { id, client, owner, positions, orders } = anyOther();
    if (often(0.7)) {
      await client.from('orders').update({ status: 'CANCELED' }).in('id', orders).select();
      await Promise.all(positions.map((p_position_id) => client.rpc('close_position', { p_position_id })));
    }
    const { data } = note(
      'archive_account',
      await owner.user.client.rpc('archive_account', { p_account_id: id }),
      null,
    );
    if (!data) return;
    const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.05, p_leverage: 1 };
    mustFail('an order in an archived account', await client.rpc('open_position', order));
  }

  async function reset(): Promise<void> {
    const account = anyAccount();
    const { data } = await call(account, 'reset_account', { p_client_id: randomUUID() });
    const balance = data && parseDecimal(String(data.available_balance));
    if (data && balance !== opened.get(account.id)?.deposit)
      faults.push(`a reset led to ${balance} in ${account.id}`);
  }

  /** What belongs to one account, asked for with the token of another one of the same user. */
  async function reachAcross(): Promise<void> {
    const to = holder('positions');
    const from = pick(to.owner.accounts);
    const positionId = to.positions.at(-1);
    const orderId = to.orders.at(-1);
    if (from === to || positionId === undefined) return;
    const { client } = from;
    mustFail('close', await client.rpc('close_position', { p_position_id: positionId }));
    mustFail('reverse', await client.rpc('reverse_position', { p_position_id: positionId }));
    const alert = { p_kind: 'roe', p_position_id: positionId, p_level: 900 };
    await call(to, 'create_alert', alert);
    mustFail('alert', await client.rpc('create_alert', alert));
    const entry = { title: 'Long', content: 'Note', position_id: positionId };
    mustFail('journal', await client.from('journal_entries').insert(entry).select());
    if (orderId === undefined) return;
    const cancel = client.from('orders').update({ status: 'CANCELED' }).eq('id', orderId).select();
    mustFail('cancel', await cancel);
  }

  const actions: readonly (readonly [weight: number, run: () => Promise<unknown>])[] = [
    [30, () => openPosition(anyAccount())],
    [22, () => placeOrder(anyAccount())],
    [
      12,
      async () => {
        const account = holder('positions');
        const id = account.positions.at(-1 - below(3));
        if (!id) return;
        const part = { p_size: often(0.4) ? 0.05 : undefined };
        const { error } = await call(account, 'close_position', { p_position_id: id, ...part });
        if (!error && part.p_size === undefined)
          account.positions.splice(0, Infinity, ...account.positions.filter((other) => other !== id));
      },
    ],
    [
      5,
      async () => {
        const account = holder('positions');
        const id = account.positions.at(-1);
        if (!id) return;
        const { data } = await call(account, 'reverse_position', { p_position_id: id });
        if (data) account.positions.push(data.id);
      },
    ],
    [
      6,
      async () => {
        const account = holder('positions');
        const id = account.positions.at(-1 - below(2));
        const protection = bracketOf(pick(symbols), pick(['BUY', 'SELL']));
        if (id) await call(account, 'set_take_profit_stop_loss', { p_position_id: id, ...protection });
      },
    ],
    [
      6,
      async () => {
        const account = holder('orders');
        const id = account.orders.at(-1 - below(3));
        if (!id) return;
        const { client } = account;
        const cancel = client.from('orders').update({ status: 'CANCELED' }).eq('id', id).select();
        note('orders.update', await cancel, account);
      },
    ],
    [
      5,
      async () => {
        const account = holder('orders');
        const id = account.orders.at(-1);
        const p_price = away(pick(symbols), (random() - 0.5) * 0.05);
        const size = account.isNet && often(0.5) ? { p_size: tradeOf('BTCUSDT', account).size } : {};
        if (id) await call(account, 'amend_order', { p_order_id: id, p_price, ...size });
      },
    ],
    [3, setLeverage],
    [3, adjustMargin],
    [8, moveFunds],
    [2, openAccount],
    [3, endAndArchive],
    [5, reachAcross],
    [3, reset],
    [
      3,
      async () => {
        const args = { p_user_id: pick(owners).user.id, p_restricted: often(0.25), p_reason: reason };
        note('restrict_user', await admin.client.rpc('restrict_user', args), null);
      },
    ],
    [
      3,
      async () => {
        const account = holder('positions');
        const id = account.positions.at(-1);
        if (!id) return;
        const edit = { reason, leverage: 2 + below(30) };
        const edited = await admin.client.from('positions').update(edit).eq('id', id).select('id, user_id');
        note('positions.update', edited, account);
      },
    ],
  ];
  const whole = actions.reduce((sum, [weight]) => sum + weight, 0);
  const choose = () => {
    let left = random() * whole;
    return actions.find(([weight]) => {
      left -= weight;
      return left < 0;
    })![1];
  };

  function movePrice(): void {
    const symbol = pick(symbols);
    const share = often(0.06) ? 0.2 : 0.012;
    const next = prices[symbol] * (1 + (random() - 0.5) * 2 * share);
    prices[symbol] = Math.round(Math.min(Math.max(next, 20), 400) * 100) / 100;
    server.clock.advance(5);
    server.feed.setPrice(symbol, prices[symbol]);
  }

  const openNet = async (condition = ''): Promise<number> => {
    const { rows } = await server.db.query<{ count: number }>(
      `select count(*)::int as count from app.positions where status = 'open' and rules = 'perpetual' ${condition}`,
    );
    return rows[0]?.count ?? 0;
  };

  const deleteUser = async ({ user }: Owner) => {
    const args = { p_user_id: user.id, p_reason: reason };
    note('delete_user', await admin.client.rpc('delete_user_with_data', args), null);
  };

  let begun = 0;
  const worker = async () => {
    while (begun < requestsTotal) {
      begun += 1;
      if (begun % 3 === 0) movePrice();
      // Beside whatever the others do in their accounts.
      if (begun === Math.floor(requestsTotal * 0.7)) await deleteUser(owners[0]!);
      if (begun === Math.floor(requestsTotal * 0.9)) await deleteUser(owners[1]!);
      await choose()();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const restrict = async (p_restricted: boolean) => {
    const args = { p_user_id: owners[2]!.user.id, p_restricted, p_reason: reason };
    note('restrict_user', await admin.client.rpc('restrict_user', args), null);
  };
  await restrict(false);
  // Every account with net positions may be archived, or without funds, by now.
  const { accounts: lateAccounts } = await addOwner();
  // Of what the interleaving has left out there is one, too.
  const rare = {
    ...{ create_account: openAccount, archive_account: endAndArchive },
    ...{
      reset_account: reset,
      create_alert: reachAcross,
      set_leverage: setLeverage,
      adjust_margin: adjustMargin,
    },
  };
  for (const [name, request] of Object.entries(rare))
    for (let tries = 0; tries < 100 && !done.has(name); tries += 1) await request();
  if (!codes.has('account_restricted')) await restrict(true);
  for (let tries = 0; tries < 100 && !codes.has('account_restricted'); tries += 1)
    await openPosition(owners[2]!.accounts[0]!);
  await restrict(false);
  // Another instant of funding, with something to fund.
  const funded = lateAccounts.find(({ isNet }) => isNet)!;
  await call(funded, 'open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 2 });
  server.clock.set(nextFunding());
  for (const symbol of symbols) server.feed.setPrice(symbol, prices[symbol]);
  await eventually(async () => expect(await openNet('and funded_at is null')).toBe(0));
  await eventually(() =>
    expect(server.server.trading.state()).toMatchObject({ queued: 0, staleAccounts: 0, halted: null }),
  );

  expect(faults).toEqual([]);
  // All of it happened often enough to mean something.
  expect(outcomes.accepted).toBeGreaterThan(requestsTotal * 0.2);
  for (const name of ['restrict_user', 'orders.insert', 'close_position', ...Object.keys(rare)])
    expect(done.get(name) ?? 0, `${name}: ${refusals.get(name)}`).toBeGreaterThan(0);
  expect(done.get('delete_user')).toBe(2);
  expect([...codes.keys()]).toEqual(expect.arrayContaining(['leverage_capped', 'account_restricted']));

  expect((await checkInvariants(server.db)).violations).toEqual([]);
  const stored = await readStoredDatabase(server.db);
  const market = { tolerancePercent: parseDecimal('0.5'), pairs: catalogue };
  const lastPrices = new Map(
    symbols.map((symbol) => [symbol, parseDecimal(String(prices[symbol]))] as const),
  );
  const run = { commandLog, opened, stored, market, prices: lastPrices };
  const { accounts, settled, disagreements } = auditCommandLog(run);
  expect(disagreements.join('\n')).toBe('');
  expect(settled).toBeGreaterThan(requestsTotal / 2);
  const ends = accounts
    .filter(({ accountId, ownerId }) => accountId !== ownerId)
    .flatMap(({ positions }) => positions.map(({ closing }) => closing?.reason));
  expect(ends).toEqual(expect.arrayContaining(['liquidation', 'manual']));
  const netFills = accounts.flatMap(({ terms, fills }) => (terms.rules === 'perpetual' ? fills : []));
  expect(netFills.length).toBeGreaterThan(10);
  expect(accounts.flatMap(({ lines }) => lines.map(({ type }) => type))).toContain('funding');
  // Each account is judged by its own terms: by those of another one a single position is too many.
  const [judged] = accounts.filter(
    ({ terms, positions }) => terms.leverageMax === 25 && positions.length > 0,
  );
  const otherTerms = {
    ...opened.get(judged?.accountId ?? '')!,
    terms: { ...judged!.terms, feeRate: mainFeeRate },
  };
  const misjudged = auditCommandLog({
    ...run,
    opened: new Map(opened).set(otherTerms.accountId, otherTerms),
  });
  expect(misjudged.disagreements.join()).toContain(otherTerms.accountId);
  expect((await server.db.query(namesAnotherAccount)).rows).toEqual([]);
  process.stdout.write(
    `${accounts.length} accounts, ${settled} decisions audited, ${outcomes.accepted} requests accepted, ${outcomes.refused} refused\n`,
  );
});

/** Rows that name a row of another account than their own. */
const namesAnotherAccount = `
  select 'order ' || o.id as row from app.orders o join app.positions p on p.id = o.position_id where p.user_id <> o.user_id
  union all
  select 'part ' || p.id from app.positions p join app.positions w on w.id = p.split_from where w.user_id <> p.user_id
  union all
  select 'notification ' || n.id from app.notifications n join app.positions p on p.id = n.position_id
  where p.user_id <> n.user_id
  union all
  select 'notification ' || n.id from app.notifications n join app.orders o on o.id = n.order_id where o.user_id <> n.user_id
  union all
  select 'entry ' || e.id from app.ledger_entries e join app.positions p on p.id = e.source_id where p.user_id <> e.user_id
  union all
  select 'entry ' || e.id from app.ledger_entries e join app.orders o on o.id = e.source_id where o.user_id <> e.user_id
  union all
  select 'line ' || t.id from app.transactions t join app.wallets w on w.id = t.wallet_id where w.user_id <> t.user_id
  union all
  select 'alert ' || a.id from app.alerts a join app.positions p on p.id = a.position_id where p.user_id <> a.user_id
  union all
  select 'journal entry ' || j.id from app.journal_entries j join app.positions p on p.id = j.position_id
  where p.user_id <> j.user_id
  union all
  select 'answer ' || c.client_id from app.commands c
  where c.answer ->> 'user_id' <> c.user_id::text and exists (select from app.trading_accounts a where a.id = c.user_id)
    and not exists (select from app.users u where u.id = c.user_id and u.role <> 'trader')`;
