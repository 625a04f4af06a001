/**
 * The ledger of a large firm after two years, in bulk: users, positions, ledger entries, history, orders, chats and the
 * audit log with its chain. Invariant: every rule of the ledger holds on the rows (the server's full verification checks them
 * afterwards). The distribution is skewed as in a real firm: a few traders have thousands of positions, a few managers most of
 * the traders.
 *
 * Known limitations: rows are written past triggers and foreign keys; the liquidation prices of open positions are out of
 * reach, so that a measurement of lists does not become one of liquidations; no fees are charged.
 */
import type pg from 'pg';

export interface Sizes {
  readonly users: number;
  readonly positions: number;
  readonly audits: number;
}

const tables = [
  'users',
  'wallets',
  'positions',
  'ledger_entries',
  'transactions',
  'orders',
  'sessions',
  'chat_sessions',
  'audit_log',
  'audit_chain',
] as const;

/** What is made, in order; `$1` users, `$2` positions, `$3` audit rows, as far as a step uses them. */
const steps: readonly { readonly title: string; readonly sql: string }[] = [
  {
    title: 'markets',
    sql: `create temporary table market as
      select * from (values (0, 'BTCUSDT', 'crypto', 96000.0), (1, 'ETHUSDT', 'crypto', 3400.0),
        (2, 'SOLUSDT', 'crypto', 240.0), (3, 'XRPUSDT', 'crypto', 1.1), (4, 'DOGEUSDT', 'crypto', 0.4),
        (5, 'BNBUSDT', 'crypto', 650.0), (6, 'ADAUSDT', 'crypto', 0.8), (7, 'LTCUSDT', 'crypto', 90.0))
        as m (k, symbol, type, price);
      insert into app.trading_pairs (symbol, name, type, base_asset, quote_asset, min_price, max_price, tick_size, min_qty,
                                     max_qty, step_size, trading_hours, sort_order)
      select symbol, symbol, type, left(symbol, -4), 'USDT', 0.0001, 1000000, 0.0001, 0.00001, 1000000, 0.00001,
             'UTC|Mon-Sun 00:00-24:00', k
      from market on conflict (symbol) do nothing`,
  },
  {
    title: 'users',
    sql: `insert into app.users (id, email, username, role, created_at, kyc_status)
      select gen_random_uuid(), name || '@example.test', name, role, since,
             case when role <> 'trader' then 'unverified' when k < 0.55 then 'verified' when k < 0.6 then 'pending'
                  when k < 0.63 then 'rejected' else 'unverified' end
      from (
        select n, random() as k, now() - interval '2 years' * random() as since,
               (array['zoe','kaito','amelia','diego','oliver','yuki','fatima','marek','nils','grace','ravi','mei','tom',
                      'priya','elena','jonas','sara','ivan','lucia','omar','anna','peter','chloe','hugo'])[1 + n % 24] || '.' ||
               (array['martin','mori','stone','ramos','grant','tanaka','haddad','nowak','lindqvist','lee','patel','chen',
                      'okafor','nair','vasquez','weber','silva','petrov','rossi','hassan','novak','larsen','dubois'])[1 + n % 23]
                 || n as name,
               case when n <= 5 then 'admin' when n <= 5 + greatest(1, $1 / 1000) then 'manager'
                    when n <= 5 + greatest(1, $1 / 1000) * 3 / 2 then 'support' else 'trader' end as role
        from generate_series(1, $1::integer) n
      ) account;
      -- What the trigger on users does.
      insert into app.trading_accounts (id, owner_id, kind, name, created_at, updated_at)
        select id, id, 'main', 'Main', created_at, created_at from app.users on conflict (id) do nothing;
      create temporary table staff as
        select id, role, row_number() over (partition by role order by username) - 1 as k from app.users where role <> 'trader';
      create temporary table trader as
        select id, gen_random_uuid() as wallet_id, created_at as since, row_number() over (order by id) - 1 as k
        from app.users where role = 'trader';
      create index on trader (k);
      create index on trader (id);
      analyze trader, staff`,
  },
  {
    title: 'managers, sign-ins, restrictions',
    sql: `update app.users u set
        manager_id = s.id, last_login = p.seen, kyc_verified_at = p.verified, restricted_at = p.restricted
      from (
        select id, case when random() < 0.7 then floor(power(random(), 2) * (select count(*) from staff where role = 'manager')) end
                 as manager,
               case when random() < 0.85 then now() - (now() - created_at) * power(random(), 3) end as seen,
               case kyc_status when 'verified' then least(now(), created_at + interval '2 days') end as verified,
               case when random() < 0.01 then now() - (now() - created_at) * random() end as restricted
        from app.users where role = 'trader'
      ) p left join staff s on s.role = 'manager' and s.k = p.manager
      where u.id = p.id;
      update app.users set last_login = now() - interval '3 days' * random() where role <> 'trader';
      insert into app.sessions (user_id, created_at, auth_time, last_seen_at)
      select id, last_login, last_login, greatest(last_login, now() - interval '1 hour' * random())
      from app.users where last_login > now() - interval '7 days'`,
  },
  {
    title: 'what was traded',
    sql: `create temporary table trade as
      select gen_random_uuid() as id, gen_random_uuid() as opening, gen_random_uuid() as closing, p.*,
             round(entry_price * size / leverage, 8) as margin,
             round(entry_price * (1 + move), 6) as close_price,
             round(entry_price * (1 - case side when 'BUY' then 0.9 else -0.9 end / leverage), 6) as liquidation_price,
             null::numeric as realized_pnl, null::text as reason
      from (
        select t.id as user_id, t.wallet_id, m.symbol, m.type, r.side, r.leverage, r.move, r.share, r.at,
               round(m.price * r.factor, 6) as entry_price, greatest(0.00001, round(r.notional / (m.price * r.factor), 5)) as size,
               case when r.is_open then null else least(now(), r.at + interval '4 days' * r.held) end as closed_at
        from (
          select floor(power(random(), 2) * (select count(*) from trader))::bigint as k, floor(random() * 8)::integer as market,
                 case when random() < 0.55 then 'BUY' else 'SELL' end as side,
                 (array[1, 2, 5, 10, 10, 25, 50, 100])[1 + floor(random() * 8)::integer] as leverage,
                 ((random() - 0.5) * 0.04)::numeric as move, random() as share, random() as held,
                 (0.8 + 0.4 * random())::numeric as factor, (50 + 4950 * power(random(), 2))::numeric as notional,
                 random() < 0.1 as is_open, now() - interval '2 years' * random() as at
          from generate_series(1, $2::integer)
        ) r
        join trader t using (k) join market m on m.k = r.market
      ) p order by at;
      update trade set
        close_price = case when closed_at is not null then close_price end,
        leverage = case when closed_at is null then 1 else leverage end,
        margin = case when closed_at is null then round(entry_price * size, 8) else margin end,
        side = case when closed_at is null then 'BUY' else side end,
        liquidation_price = case when closed_at is null then 0.000001 else liquidation_price end;
      update trade set
        realized_pnl = greatest(-margin, round(case side when 'BUY' then close_price - entry_price else entry_price - close_price end
                                               * size, 8)),
        reason = case
          when side = 'BUY' and close_price <= liquidation_price or side = 'SELL' and close_price >= liquidation_price
            then 'liquidation'
          when share < 0.2 then case when (side = 'BUY') = (close_price >= entry_price) then 'take_profit' else 'stop_loss' end
          when share < 0.22 then 'staff' else 'manual' end
      where closed_at is not null;
      create index on trade (user_id);
      analyze trade`,
  },
  {
    title: 'positions and orders',
    sql: `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
          close_price, realized_pnl, close_reason, close_price_source, take_profit_price, stop_loss_price, rules, version,
          account_version, created_at, updated_at, closed_at)
      select id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price,
             case when closed_at is null then 'open' else 'closed' end, close_price, realized_pnl, reason,
             case when closed_at is not null then 'live' end, case reason when 'take_profit' then close_price end,
             case reason when 'stop_loss' then close_price end, 'standard', case when closed_at is null then 1 else 2 end, 1, at,
             coalesce(closed_at, at), closed_at
      from trade order by at;
      insert into app.orders (id, user_id, symbol, type, side, price, size, leverage, rules, status, position_id, created_at,
                              updated_at, version, account_version)
      select gen_random_uuid(), user_id, symbol, 'MARKET', side, entry_price, size, leverage, 'standard', 'FILLED', id, at, at, 2, 1
      from trade where share > 0.7 order by at`,
  },
  {
    title: 'payments and wallets',
    sql: `create temporary table payment as
      select gen_random_uuid() as id, id as user_id, wallet_id, -(100 + floor(random() * 900))::numeric as amount,
             'withdrawal' as kind, 'Withdrawal' as description, since + (now() - since) * random() as at
      from trader where k % 2 = 0;
      create temporary table result as
      select user_id, count(*) as trades, sum(margin) filter (where closed_at is null) as margin, sum(realized_pnl) as pnl
      from trade group by user_id;
      insert into payment
      select gen_random_uuid(), t.id, t.wallet_id,
             10000 + 1000 * greatest(0, ceil((coalesce(r.margin, 0) - coalesce(r.pnl, 0) - coalesce(p.amount, 0)) / 1000)),
             'deposit', 'Initial balance', t.since
      from trader t left join result r on r.user_id = t.id left join payment p on p.user_id = t.id;
      insert into app.wallets (id, user_id, available_balance, margin, version, last_updated)
      select t.wallet_id, t.id, p.amount + coalesce(r.pnl, 0) - coalesce(r.margin, 0), coalesce(r.margin, 0),
             10 + 2 * coalesce(r.trades, 0), t.since + (now() - t.since) * random()
      from trader t left join result r on r.user_id = t.id
      join (select user_id, sum(amount) as amount from payment group by user_id) p on p.user_id = t.id`,
  },
  {
    title: 'ledger',
    sql: `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id, created_at)
      select group_id, account, case when account like 'user:%' then user_id end, amount, kind, source_id, at
      from (
        select p.id as group_id, e.account, p.user_id, e.amount, p.kind, p.id as source_id, p.at
        from payment p cross join lateral (values ('user:cash', p.amount), ('external', -p.amount)) as e (account, amount)
        union all
        select t.opening, e.account, t.user_id, e.amount, 'open', t.id, t.at
        from trade t cross join lateral (values ('user:cash', -t.margin), ('user:margin', t.margin)) as e (account, amount)
        union all
        select t.closing, e.account, t.user_id, e.amount, 'close', t.id, t.closed_at
        from trade t cross join lateral (values ('user:margin', -t.margin), ('user:cash', t.margin + t.realized_pnl),
                                                ('house:pnl', -t.realized_pnl)) as e (account, amount)
        where t.closed_at is not null and e.amount <> 0
      ) entry order by at`,
  },
  {
    title: 'history',
    sql: `insert into app.transactions (id, user_id, wallet_id, type, amount, status, created_at, completed_at, description)
      select id, user_id, wallet_id, kind, amount, 'completed', at, at, description
      from (
        select id, user_id, wallet_id, kind, amount, at, description from payment
        union all
        select closing, user_id, wallet_id, 'position_closed', realized_pnl, closed_at, 'Closed ' || symbol || ' position'
        from trade where closed_at is not null
      ) line order by at`,
  },
  {
    title: 'conversations',
    sql: `insert into app.chat_sessions (user_id, status, created_at, updated_at, closed_at, support_id)
      select t.id, 'closed', at, at + d, at + d, (select id from staff where role = 'support' and k = 0)
      from (select *, since + (now() - since) * random() as at, interval '40 minutes' * random() as d
            from trader where k % 4 = 0) t;
      insert into app.chat_sessions (user_id, created_at, updated_at)
      select id, at, at from (select id, now() - interval '3 hours' * random() as at from trader where k % 400 = 1) t`,
  },
  {
    title: 'audit log and its chain',
    sql: `insert into app.audit_log (at, actor_id, subject_id, action, reason, detail)
      select at, actor_id, subject_id, action, reason, detail from (
        select p.at, s.id as actor_id, p.user_id as subject_id, 'funds.adjust' as action, 'Requested by mail' as reason,
               jsonb_build_object('amount', p.amount::text) as detail
        from payment p join staff s on s.role = 'admin' and s.k = 0 where p.kind = 'withdrawal'
        union all
        select u.restricted_at, s.id, u.id, 'account.restrict', 'Unusual activity', jsonb_build_object('restricted', true)
        from app.users u join staff s on s.role = 'admin' and s.k = 1 where u.restricted_at is not null
        union all
        select now() - interval '2 years' * random(), t.id, t.id, 'user.edit', null,
               jsonb_build_object('columns', jsonb_build_array('username'))
        from (select floor(random() * (select count(*) from trader))::bigint as k
              from generate_series(1, greatest(0, $3::integer - $1 / 2))) r join trader t using (k)
      ) staff_action order by at;
      do $$
      declare a app.audit_log; head app.audit_head;
      begin
        select * into head from app.audit_head;
        for a in select * from app.audit_log order by id loop
          head.seq := head.seq + 1;
          head.hash := app.audit_link(head.hash, a);
          insert into app.audit_chain (seq, audit_id, hash) values (head.seq, a.id, head.hash);
        end loop;
        update app.audit_head h set seq = head.seq, hash = head.hash;
      end $$`,
  },
  {
    title: 'counters of the days',
    sql: `insert into app.daily_totals (day, writer, users)
      select (created_at at time zone 'utc')::date, 'accounts', count(*) from app.users group by 1;
      insert into app.daily_totals (day, writer, volume, opened)
      select (created_at at time zone 'utc')::date, 'engine', sum(round(entry_price * size, 8)), count(*)
      from app.positions group by 1;
      insert into app.daily_totals as t (day, writer, closed, realized_pnl)
      select (closed_at at time zone 'utc')::date, 'engine', count(*), sum(realized_pnl)
      from app.positions where status = 'closed' group by 1
      on conflict (day, writer) do update set closed = excluded.closed, realized_pnl = excluded.realized_pnl;
      insert into app.daily_totals as t (day, writer, deposits, withdrawals, balance)
      select (created_at at time zone 'utc')::date, 'engine', coalesce(sum(amount) filter (where kind = 'deposit'), 0),
             coalesce(sum(amount) filter (where kind = 'withdrawal'), 0), sum(amount)
      from app.ledger_entries where user_id is not null group by 1
      on conflict (day, writer) do update
        set deposits = excluded.deposits, withdrawals = excluded.withdrawals, balance = excluded.balance`,
  },
];

/** Indexes that no constraint needs, as statements that make them: filling a table without them is several times as fast. */
async function dropIndexes(owner: pg.Client): Promise<readonly string[]> {
  const { rows } = await owner.query<{ name: string; made: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
     where c.oid is null and i.indrelid = any ($1::text[]::regclass[])`,
    [tables.map((table) => `app.${table}`)],
  );
  for (const { name } of rows) await owner.query(`drop index ${name}`);
  return rows.map(({ made: definition }) => definition);
}

/** Fills a migrated, empty database; calls `onStep` with each step. The connection is the owner's. */
export async function fillDataset(
  owner: pg.Client,
  sizes: Sizes,
  onStep: (step: string) => void,
): Promise<void> {
  const values = [sizes.users, sizes.positions, sizes.audits];
  await owner.query(
    `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB';
     set maintenance_work_mem = '512MB'; set temp_buffers = '64MB'; select setseed(0.5)`,
  );
  const indexes = await dropIndexes(owner);
  for (const { title, sql } of steps) {
    const startedAt = performance.now();
    // Several statements in one text take no parameters; these are numbers of our own.
    await owner.query(sql.replaceAll(/\$([123])(?!\d)/g, (_, n: string) => `(${values[Number(n) - 1]})`));
    onStep(`${title}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  const startedAt = performance.now();
  for (const definition of indexes) await owner.query(definition);
  // What is written past the server has no executions.
  await owner.query('update app.checkpoints set executions_since = now()');
  await owner.query('vacuum analyze');
  await owner.query('checkpoint');
  onStep(`indexes and statistics, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
