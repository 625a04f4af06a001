-- One batch of an engine, written by one statement. The arithmetic is packages/domain's; this function only guards: the fence
-- (an engine that ended, that does not own a slot of the batch, or that trades on during a halt writes nothing), the version
-- that the engine expects of each wallet (every change of an account raises it, so positions and orders need no check of
-- their own), who may do what staff do, and the rows that each step must touch. The ledger trigger and the tables' checks
-- guard the rest. All or nothing.
--
-- The types have the written columns of `features/trading/engine/columns`, in their order. p_wallets is ordered by user, one
-- each, with the version that each is expected to have in p_expected_versions; positions and orders are as the batch leaves
-- them. p_price_term and p_price_seq are the number of the prices that it was decided on, null without numbered ones. p_totals
-- has one row, or none when there is nothing to add. p_rare is null in most batches:
--   audits: [{actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail, authority}], authority
--   'assigned' (the subject's manager or an admin), 'admin', or null where the account's own rights are enough;
--   restrictions: [{user_id, restricted}]; amended: [{position_id, user_id, amount}]; deletions: [user_id];
--   quoted_books: [{symbol, quote_id, source, mid, priced_at, bids, asks}], the live ones that executions of the batch name.
create type app.wallet_write_v6 as (
  id uuid, user_id uuid, available_balance numeric, version bigint, margin numeric, order_margin numeric
);
create type app.position_write_v6 as (
  id uuid, user_id uuid, symbol text, side text, entry_price numeric, size numeric, leverage integer,
  margin numeric, liquidation_price numeric, close_price numeric, realized_pnl numeric, status text,
  created_at timestamptz, updated_at timestamptz, closed_at timestamptz, take_profit_price numeric,
  stop_loss_price numeric, close_reason text, close_price_source text, rules text, version integer,
  account_version bigint, initial_stop_loss_price numeric, fee_rate numeric, fees numeric, split_from uuid,
  edited_at timestamptz, close_at_reopen boolean, entry_value numeric, funding numeric,
  margin_warned boolean, funded_at timestamptz
);
create type app.order_write_v6 as (
  id uuid, user_id uuid, symbol text, type text, side text, price numeric, size numeric, leverage integer,
  status text, reason text, take_profit_price numeric, stop_loss_price numeric, reserved numeric, position_id uuid,
  client_id text, rules text, created_at timestamptz, updated_at timestamptz, version integer,
  account_version bigint, time_in_force text, reduce_only boolean, filled_size numeric, filled_value numeric,
  trigger_price numeric, trail_rate numeric, peak_price numeric, close_position boolean, triggered_at timestamptz,
  expires_at timestamptz, due_at timestamptz, bound_position_id uuid, arrival_price numeric,
  quote_id text
);
create type app.execution_write_v6 as (
  id uuid, user_id uuid, order_id uuid, position_id uuid, flipped_from uuid, symbol text, side text, size numeric,
  value numeric, price numeric, mid numeric, quote_id text, liquidity text, fee numeric, spread_cost numeric, impact_cost numeric,
  latency_cost numeric, realized_pnl numeric, created_at timestamptz, market_source text
);
create type app.ledger_entry_write_v6 as (
  group_id uuid, account text, user_id uuid, amount numeric, kind text, source_id uuid
);
create type app.transaction_write_v6 as (
  id uuid, user_id uuid, wallet_id uuid, type text, amount numeric, description text
);
create type app.notification_write_v6 as (
  id uuid, user_id uuid, kind text, message text, symbol text, position_id uuid, order_id uuid
);
create type app.equity_write_v6 as (
  user_id uuid, balance numeric, equity numeric
);
create type app.leverage_write_v6 as (
  user_id uuid, symbol text, leverage integer
);
create type app.answer_write_v6 as (
  user_id uuid, client_id text, procedure text, body_hash text, answer text
);
create type app.totals_write_v6 as (
  volume numeric, opened bigint, closed bigint, realized_pnl numeric, deposits numeric, withdrawals numeric,
  fees numeric, balance numeric
);

create function app.engine_write_v6(
  p_epoch bigint, p_batch uuid, p_commands integer, p_at timestamptz, p_price_term bigint, p_price_seq bigint,
  p_totals app.totals_write_v6[], p_rare jsonb, p_expected_versions bigint[], p_wallets app.wallet_write_v6[],
  p_positions app.position_write_v6[], p_orders app.order_write_v6[], p_executions app.execution_write_v6[],
  p_ledger app.ledger_entry_write_v6[], p_transactions app.transaction_write_v6[],
  p_notifications app.notification_write_v6[], p_leverages app.leverage_write_v6[], p_equity app.equity_write_v6[],
  p_answers app.answer_write_v6[]
) returns void language plpgsql as $$
declare
  touched integer;
  deleted uuid[];
  foreign_slot smallint;
  in_force record;
  today constant date := (p_at at time zone 'utc')::date;
  -- Sixteen in turn, so that two engines at work rarely share a row of the totals.
  writer_of_totals constant text := 'engine:' || p_epoch % 16;
begin
  -- The fence. The lock is held until the commit: who ends this engine or halts trading locks the row for update.
  perform from app.engines e where e.id = p_epoch and e.ended_at is null for key share;
  if not found then
    raise exception 'engine epoch % is over', p_epoch using errcode = 'ZE001';
  end if;

  -- The statements from here on see what was committed while the lock was awaited.
  select h.cause, h.reason into in_force from app.halts h
  where h.lifted_at is null order by h.cause = 'ledger' desc limit 1;
  if found then
    raise exception '%', in_force.reason using errcode = 'ZE004', detail = in_force.cause;
  end if;

  -- Judged before anything is changed: an account that is deleted below has no manager any more.
  if p_rare is not null and exists (
    select from jsonb_to_recordset(p_rare -> 'audits') as a (actor_id uuid, subject_id uuid, authority text)
    where a.authority is not null and not exists (
      select from app.users actor
      where actor.id = a.actor_id and (actor.role = 'admin' or a.authority = 'assigned' and actor.role = 'manager'
        and exists (select from app.users s where s.id = a.subject_id and s.manager_id = actor.id)))
  ) then
    raise exception 'not this account''s staff' using errcode = 'ZE003';
  end if;

  update app.wallets w
  set available_balance = b.available_balance, margin = b.margin, order_margin = b.order_margin, version = b.version,
      last_updated = p_at
  from unnest(p_wallets) with ordinality as b
  where w.user_id = b.user_id and w.id = b.id and w.version = p_expected_versions[b.ordinality]
    -- The slot is this engine's: a lookup by key for each wallet, whatever the planner knows of the slots.
    and p_epoch = (select s.engine from app.engine_slots s where s.slot = app.slot_of(b.user_id));
  get diagnostics touched = row_count;
  if touched <> cardinality(p_wallets) then
    select app.slot_of(b.user_id) into foreign_slot
    from unnest(p_wallets) as b
    where p_epoch is distinct from (select s.engine from app.engine_slots s where s.slot = app.slot_of(b.user_id))
    limit 1;
    if found then
      raise exception 'slot % is not of engine epoch %', foreign_slot, p_epoch using errcode = 'ZE001';
    end if;
    raise exception 'wallets changed meanwhile: % of % as expected', touched, cardinality(p_wallets)
      using errcode = 'ZE002';
  end if;

  if cardinality(p_positions) > 0 then
    insert into app.positions as p (
      id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, close_price, realized_pnl,
      status, created_at, updated_at, closed_at, take_profit_price, stop_loss_price, close_reason, close_price_source,
      rules, version, account_version, initial_stop_loss_price, fee_rate, fees, split_from, edited_at, close_at_reopen,
      entry_value, funding, margin_warned, funded_at)
    select b.* from unnest(p_positions) as b
    on conflict (id) do update set
      side = excluded.side, entry_price = excluded.entry_price, size = excluded.size, leverage = excluded.leverage,
      margin = excluded.margin, liquidation_price = excluded.liquidation_price, close_price = excluded.close_price,
      realized_pnl = excluded.realized_pnl, status = excluded.status, created_at = excluded.created_at,
      updated_at = excluded.updated_at, closed_at = excluded.closed_at, take_profit_price = excluded.take_profit_price,
      stop_loss_price = excluded.stop_loss_price, close_reason = excluded.close_reason,
      close_price_source = excluded.close_price_source, version = excluded.version,
      account_version = excluded.account_version, initial_stop_loss_price = excluded.initial_stop_loss_price,
      fees = excluded.fees, edited_at = excluded.edited_at, close_at_reopen = excluded.close_at_reopen,
      entry_value = excluded.entry_value, funding = excluded.funding, margin_warned = excluded.margin_warned,
      funded_at = excluded.funded_at
    where p.user_id = excluded.user_id and p.version < excluded.version
      and (p.status = 'open' or excluded.status = 'closed');
    get diagnostics touched = row_count;
    if touched <> cardinality(p_positions) then
      raise exception 'positions changed meanwhile: % of % as expected', touched, cardinality(p_positions)
        using errcode = 'ZE002';
    end if;
  end if;

  if cardinality(p_orders) > 0 then
    insert into app.orders as o (
      id, user_id, symbol, type, side, price, size, leverage, status, reason, take_profit_price, stop_loss_price,
      reserved, position_id, client_id, rules, created_at, updated_at, version, account_version, time_in_force,
      reduce_only, filled_size, filled_value, trigger_price, trail_rate, peak_price, close_position, triggered_at,
      expires_at, due_at, bound_position_id, arrival_price, quote_id)
    select b.* from unnest(p_orders) as b
    on conflict (id) do update set
      price = excluded.price, size = excluded.size, status = excluded.status, reason = excluded.reason,
      reserved = excluded.reserved, position_id = excluded.position_id, filled_size = excluded.filled_size,
      filled_value = excluded.filled_value, leverage = excluded.leverage, trigger_price = excluded.trigger_price,
      trail_rate = excluded.trail_rate, peak_price = excluded.peak_price, triggered_at = excluded.triggered_at,
      due_at = excluded.due_at, arrival_price = excluded.arrival_price, quote_id = excluded.quote_id,
      updated_at = excluded.updated_at, version = excluded.version,
      account_version = excluded.account_version
    where o.user_id = excluded.user_id and o.version < excluded.version
      and o.status in ('NEW', 'PARTIALLY_FILLED');
    get diagnostics touched = row_count;
    if touched <> cardinality(p_orders) then
      raise exception 'orders changed meanwhile: % of % as expected', touched, cardinality(p_orders)
        using errcode = 'ZE002';
    end if;
  end if;

  if cardinality(p_executions) > 0 then
    insert into app.executions (
      id, user_id, order_id, position_id, flipped_from, symbol, side, size, value, price, mid, quote_id, liquidity, fee, spread_cost, impact_cost,
      latency_cost, realized_pnl, created_at, market_source)
    select b.* from unnest(p_executions) as b;
  end if;

  if cardinality(p_ledger) > 0 then
    insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id, created_at)
    select b.*, p_at from unnest(p_ledger) as b;
  end if;

  if cardinality(p_transactions) > 0 then
    insert into app.transactions (id, user_id, wallet_id, type, amount, description, status, created_at, completed_at)
    select b.*, 'completed', p_at, p_at from unnest(p_transactions) as b;
  end if;

  if cardinality(p_notifications) > 0 then
    insert into app.notifications (id, user_id, kind, message, symbol, position_id, order_id, created_at)
    select b.*, p_at from unnest(p_notifications) as b;
  end if;

  if cardinality(p_leverages) > 0 then
    insert into app.symbol_leverages (user_id, symbol, leverage) select b.* from unnest(p_leverages) as b
    on conflict (user_id, symbol) do update set leverage = excluded.leverage;
  end if;

  if cardinality(p_equity) > 0 then
    insert into app.equity_snapshots (user_id, balance, equity, at)
    select b.*, p_at from unnest(p_equity) as b
    on conflict (user_id, at) do update set balance = excluded.balance, equity = excluded.equity;
  end if;

  if cardinality(p_answers) > 0 then
    insert into app.commands (user_id, client_id, procedure, body_hash, answer, created_at)
    select b.user_id, b.client_id, b.procedure, decode(b.body_hash, 'hex'), b.answer::json, p_at
    from unnest(p_answers) as b;
  end if;

  if cardinality(p_totals) > 0 then
    insert into app.daily_totals as t
      (day, writer, volume, opened, closed, realized_pnl, deposits, withdrawals, fees, balance)
    select today, writer_of_totals, b.* from unnest(p_totals) as b
    on conflict (day, writer) do update set
      volume = t.volume + excluded.volume, opened = t.opened + excluded.opened, closed = t.closed + excluded.closed,
      realized_pnl = t.realized_pnl + excluded.realized_pnl, deposits = t.deposits + excluded.deposits,
      withdrawals = t.withdrawals + excluded.withdrawals, fees = t.fees + excluded.fees,
      balance = t.balance + excluded.balance;
  end if;

  if p_rare is not null then
    insert into app.audit_log (actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail, at)
    select a.actor_id, a.on_behalf_of, a.subject_id, a.action, a.object_id, a.reason, a.request_id,
           coalesce(a.detail, '{}'), p_at
    from jsonb_to_recordset(p_rare -> 'audits')
      as a (actor_id uuid, on_behalf_of uuid, subject_id uuid, action text, object_id uuid, reason text,
            request_id text, detail jsonb);

    update app.users u set restricted_at = case when r.restricted then coalesce(u.restricted_at, p_at) end
    from jsonb_to_recordset(p_rare -> 'restrictions') as r (user_id uuid, restricted boolean)
    where u.id = r.user_id;

    -- The line's id is the id of the ledger group that closed the position (A11).
    update app.transactions t set amount = a.amount
    from jsonb_to_recordset(p_rare -> 'amended') as a (position_id uuid, user_id uuid, amount numeric)
    where t.type = 'position_closed' and t.user_id = a.user_id
      and t.id = (select group_id from app.ledger_entries where source_id = a.position_id and kind = 'close' limit 1);
    get diagnostics touched = row_count;
    if touched <> jsonb_array_length(p_rare -> 'amended') then
      raise exception 'no line of an edited position' using errcode = 'ZE002';
    end if;

    -- Another batch may have filled on the same one.
    insert into app.quoted_books (symbol, quote_id, source, mid, priced_at, bids, asks)
    select b.* from jsonb_to_recordset(p_rare -> 'quoted_books')
      as b (symbol text, quote_id text, source text, mid numeric, priced_at timestamptz, bids jsonb, asks jsonb)
    on conflict do nothing;

    -- Everything of the account goes; ledger and audit log stay under an id that names nobody (A73).
    deleted := array(select d::uuid from jsonb_array_elements_text(p_rare -> 'deletions') as d);
    if cardinality(deleted) > 0 then
      -- Nobody signs in as them, and nobody makes one of them an admin, from here to the commit.
      perform from app.users u where u.id = any (deleted) and u.role <> 'admin' for update;
      get diagnostics touched = row_count;
      if touched <> cardinality(deleted) then
        raise exception 'an admin is not deleted' using errcode = 'ZE003';
      end if;
      insert into app.deleted_sessions (id, user_id, ended_at)
      select s.id, s.user_id, p_at from app.sessions s where s.revoked_at is null and s.user_id = any (deleted);
      insert into app.daily_totals as t (day, writer, volume, opened, closed, realized_pnl)
      select today, writer_of_totals, -coalesce(sum(round(p.entry_price * p.size, 8)), 0), -count(*),
             -count(*) filter (where p.status = 'closed'), -coalesce(sum(p.realized_pnl), 0)
      from app.positions p where p.user_id = any (deleted)
      on conflict (day, writer) do update set
        volume = t.volume + excluded.volume, opened = t.opened + excluded.opened, closed = t.closed + excluded.closed,
        realized_pnl = t.realized_pnl + excluded.realized_pnl;
      delete from app.commands c
      where c.user_id in (select a.id from app.trading_accounts a where a.owner_id = any (deleted));
      delete from app.users u where u.id = any (deleted);
    end if;
  end if;

  insert into app.engine_batches (id, epoch, commands, committed_at, price_term, price_seq)
  values (p_batch, p_epoch, p_commands, p_at, p_price_term, p_price_seq);
end $$;
