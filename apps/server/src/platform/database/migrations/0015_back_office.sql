-- What staff read and prove: the ledger and the audit log as tables, the log with its people, its object, its request and a
-- chain of hashes over it.

alter table app.audit_log
  -- As whom the actor acted (A45).
  add column on_behalf_of uuid,
  -- The position, order, check, conversation or letter that it was about.
  add column object_id uuid,
  -- Of the request that did it.
  add column request_id text;
-- For the filters of its screen, in the screen's order; that of subjects is as old as the log, that of actions comes with 0016.
create index audit_log_at on app.audit_log (at desc, id desc);
create index audit_log_actor on app.audit_log (actor_id, at desc) where actor_id is not null;
create index audit_log_object on app.audit_log (object_id, at desc) where object_id is not null;
create index audit_log_request on app.audit_log (request_id) where request_id is not null;

-- One link per row of the log, in the order of the commits. A link is the hash of the one before and of what the row says, so
-- a row that is changed, taken out or put in between breaks every link after it.
create table app.audit_chain (
  seq bigint primary key,
  audit_id bigint not null unique,
  hash bytea not null check (length(hash) = 32)
);
-- The last link; who adds one waits here for who adds another, at the very end of the transaction.
create table app.audit_head (
  singleton boolean primary key default true check (singleton),
  seq bigint not null,
  hash bytea not null check (length(hash) = 32)
);
insert into app.audit_head (seq, hash) values (0, sha256('fulcrum'));

create function app.audit_link(previous bytea, a app.audit_log) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    a.id, (extract(epoch from a.at) * 1000000)::bigint, a.actor_id, a.on_behalf_of, a.subject_id, a.action, a.object_id,
    a.reason, a.request_id, a.detail)::text, 'UTF8'))
$$;

-- Runs as the owner: the application itself writes no link.
create function app.chain_audit() returns trigger language plpgsql security definer set search_path = pg_catalog, app, pg_temp as $$
declare head app.audit_head;
begin
  select * into head from app.audit_head for update;
  head.seq := head.seq + 1;
  head.hash := app.audit_link(head.hash, new);
  insert into app.audit_chain (seq, audit_id, hash) values (head.seq, new.id, head.hash);
  update app.audit_head h set seq = head.seq, hash = head.hash;
  return null;
end $$;

-- What there was before there was a chain.
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
end $$;

create trigger audit_chain_append_only before update or delete or truncate on app.audit_chain
  for each statement execute function app.append_only();
-- Deferred: a transaction that waited for the head in the middle could wait for one that waits for its rows.
create constraint trigger audit_chained after insert on app.audit_log
  deferrable initially deferred for each row execute function app.chain_audit();

create view api.ledger_entries as
  select id, group_id, account, user_id, amount, kind, source_id, created_at from app.ledger_entries;

create view api.audit_log as
  select a.id, a.at, a.actor_id, a.on_behalf_of, a.subject_id, a.action, a.object_id, a.reason, a.request_id, a.detail,
         c.seq, encode(c.hash, 'hex') as hash
  from app.audit_log a join app.audit_chain c on c.audit_id = a.id;

-- As of migration 0010; an audit row says as whom somebody acted, about what, and in which request.
create or replace function app.engine_write(
  b_epoch bigint, b_id uuid, b_commands integer, b_at timestamptz, b_totals numeric[], b_rare jsonb,
  w_user_id uuid[], w_expected_version bigint[], w_version bigint[],
  w_available numeric[], w_margin numeric[], w_order_margin numeric[],
  p_id uuid[], p_user_id uuid[], p_symbol text[], p_side text[], p_entry_price numeric[], p_size numeric[],
  p_leverage integer[], p_margin numeric[], p_liquidation_price numeric[], p_take_profit_price numeric[],
  p_stop_loss_price numeric[], p_initial_stop_loss_price numeric[], p_status text[], p_close_price numeric[],
  p_realized_pnl numeric[], p_close_reason text[], p_close_price_source text[], p_rules text[], p_fee_rate numeric[],
  p_fees numeric[], p_split_from uuid[], p_margin_warned boolean[], p_close_at_reopen boolean[],
  p_created_at timestamptz[], p_closed_at timestamptz[], p_edited_at timestamptz[], p_version integer[],
  p_account_version bigint[],
  o_id uuid[], o_user_id uuid[], o_symbol text[], o_type text[], o_side text[], o_price numeric[], o_size numeric[],
  o_leverage integer[], o_take_profit_price numeric[], o_stop_loss_price numeric[], o_reserved numeric[], o_rules text[],
  o_status text[], o_reason text[], o_position_id uuid[], o_client_id text[], o_created_at timestamptz[],
  o_version integer[], o_account_version bigint[],
  l_group_id uuid[], l_account text[], l_user_id uuid[], l_amount numeric[], l_kind text[], l_source_id uuid[],
  t_id uuid[], t_user_id uuid[], t_wallet_id uuid[], t_type text[], t_amount numeric[], t_description text[],
  n_id uuid[], n_user_id uuid[], n_kind text[], n_message text[], n_symbol text[], n_position_id uuid[],
  n_order_id uuid[],
  e_user_id uuid[], e_balance numeric[], e_equity numeric[],
  a_user_id uuid[], a_client_id text[], a_procedure text[], a_body_hash text[], a_answer text[]
) returns void language plpgsql as $$
declare
  touched integer;
  b_day constant date := (b_at at time zone 'utc')::date;
begin
  -- Held until the commit: a successor raises the epoch only when no batch of ours is under way.
  perform 1 from app.engine_epoch where epoch = b_epoch for share;
  if not found then
    raise exception 'engine epoch % is over', b_epoch using errcode = 'ZE001';
  end if;

  -- Judged before anything is changed: an account that is deleted below has no manager any more.
  if b_rare is not null and exists (
    select from jsonb_to_recordset(b_rare -> 'audits') as a (actor_id uuid, subject_id uuid, authority text)
    where a.authority is not null and not exists (
      select from app.users actor
      where actor.id = a.actor_id and (actor.role = 'admin' or a.authority = 'assigned' and actor.role = 'manager'
        and exists (select from app.users s where s.id = a.subject_id and s.manager_id = actor.id)))
  ) then
    raise exception 'not this account''s staff' using errcode = 'ZE003';
  end if;

  update app.wallets w
  set available_balance = b.available, margin = b.margin, order_margin = b.order_margin, version = b.version,
      last_updated = b_at
  from unnest(w_user_id, w_expected_version, w_version, w_available, w_margin, w_order_margin)
    as b (user_id, expected_version, version, available, margin, order_margin)
  where w.user_id = b.user_id and w.version = b.expected_version;
  get diagnostics touched = row_count;
  if touched <> cardinality(w_user_id) then
    raise exception 'wallets changed meanwhile: % of % as expected', touched, cardinality(w_user_id)
      using errcode = 'ZE002';
  end if;

  if cardinality(p_id) > 0 then
    insert into app.positions as p (
      id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, take_profit_price,
      stop_loss_price, initial_stop_loss_price, status, close_price, realized_pnl, close_reason, close_price_source,
      rules, fee_rate, fees, split_from, margin_warned, close_at_reopen, created_at, closed_at, edited_at, version,
      account_version, updated_at)
    select b.*, b_at
    from unnest(p_id, p_user_id, p_symbol, p_side, p_entry_price, p_size, p_leverage, p_margin, p_liquidation_price,
                p_take_profit_price, p_stop_loss_price, p_initial_stop_loss_price, p_status, p_close_price,
                p_realized_pnl, p_close_reason, p_close_price_source, p_rules, p_fee_rate, p_fees, p_split_from,
                p_margin_warned, p_close_at_reopen, p_created_at, p_closed_at, p_edited_at, p_version, p_account_version) as b
    on conflict (id) do update set
      side = excluded.side, entry_price = excluded.entry_price, size = excluded.size, leverage = excluded.leverage,
      margin = excluded.margin, liquidation_price = excluded.liquidation_price,
      take_profit_price = excluded.take_profit_price, stop_loss_price = excluded.stop_loss_price,
      initial_stop_loss_price = excluded.initial_stop_loss_price, status = excluded.status,
      close_price = excluded.close_price, realized_pnl = excluded.realized_pnl, close_reason = excluded.close_reason,
      close_price_source = excluded.close_price_source, fees = excluded.fees, margin_warned = excluded.margin_warned,
      close_at_reopen = excluded.close_at_reopen, created_at = excluded.created_at, closed_at = excluded.closed_at,
      edited_at = excluded.edited_at, version = excluded.version, account_version = excluded.account_version, updated_at = excluded.updated_at
    where p.user_id = excluded.user_id and p.version < excluded.version
      and (p.status = 'open' or excluded.status = 'closed');
    get diagnostics touched = row_count;
    if touched <> cardinality(p_id) then
      raise exception 'positions changed meanwhile: % of % as expected', touched, cardinality(p_id)
        using errcode = 'ZE002';
    end if;
  end if;

  if cardinality(o_id) > 0 then
    insert into app.orders as o (
      id, user_id, symbol, type, side, price, size, leverage, take_profit_price, stop_loss_price, reserved, rules,
      status, reason, position_id, client_id, created_at, version, account_version, updated_at)
    select b.*, b_at
    from unnest(o_id, o_user_id, o_symbol, o_type, o_side, o_price, o_size, o_leverage, o_take_profit_price,
                o_stop_loss_price, o_reserved, o_rules, o_status, o_reason, o_position_id, o_client_id, o_created_at,
                o_version, o_account_version) as b
    on conflict (id) do update set
      price = excluded.price, reserved = excluded.reserved, status = excluded.status, reason = excluded.reason,
      position_id = excluded.position_id, version = excluded.version, account_version = excluded.account_version,
      updated_at = excluded.updated_at
    where o.user_id = excluded.user_id and o.version < excluded.version and o.status = 'NEW';
    get diagnostics touched = row_count;
    if touched <> cardinality(o_id) then
      raise exception 'orders changed meanwhile: % of % as expected', touched, cardinality(o_id)
        using errcode = 'ZE002';
    end if;
  end if;

  if cardinality(l_group_id) > 0 then
    insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id, created_at)
    select b.*, b_at from unnest(l_group_id, l_account, l_user_id, l_amount, l_kind, l_source_id) as b;
  end if;

  if cardinality(t_id) > 0 then
    insert into app.transactions (id, user_id, wallet_id, type, amount, description, status, created_at, completed_at)
    select b.*, 'completed', b_at, b_at
    from unnest(t_id, t_user_id, t_wallet_id, t_type, t_amount, t_description) as b;
  end if;

  if cardinality(n_id) > 0 then
    insert into app.notifications (id, user_id, kind, message, symbol, position_id, order_id, created_at)
    select b.*, b_at from unnest(n_id, n_user_id, n_kind, n_message, n_symbol, n_position_id, n_order_id) as b;
  end if;

  if cardinality(e_user_id) > 0 then
    insert into app.equity_snapshots (user_id, balance, equity, at)
    select b.*, b_at from unnest(e_user_id, e_balance, e_equity) as b
    on conflict (user_id, at) do update set balance = excluded.balance, equity = excluded.equity;
  end if;

  if cardinality(a_user_id) > 0 then
    insert into app.commands (user_id, client_id, procedure, body_hash, answer, created_at)
    select b.user_id, b.client_id, b.procedure, decode(b.body_hash, 'hex'), b.answer::json, b_at
    from unnest(a_user_id, a_client_id, a_procedure, a_body_hash, a_answer)
      as b (user_id, client_id, procedure, body_hash, answer);
  end if;

  if b_totals is not null then
    insert into app.daily_totals as t
      (day, writer, volume, opened, closed, realized_pnl, deposits, withdrawals, fees, balance)
    values (b_day, 'engine', b_totals[1], b_totals[2], b_totals[3], b_totals[4], b_totals[5], b_totals[6], b_totals[7],
            b_totals[8])
    on conflict (day, writer) do update set
      volume = t.volume + excluded.volume, opened = t.opened + excluded.opened, closed = t.closed + excluded.closed,
      realized_pnl = t.realized_pnl + excluded.realized_pnl, deposits = t.deposits + excluded.deposits,
      withdrawals = t.withdrawals + excluded.withdrawals, fees = t.fees + excluded.fees,
      balance = t.balance + excluded.balance;
  end if;

  if b_rare is not null then
    insert into app.audit_log (actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail, at)
    select a.actor_id, a.on_behalf_of, a.subject_id, a.action, a.object_id, a.reason, a.request_id,
           coalesce(a.detail, '{}'), b_at
    from jsonb_to_recordset(b_rare -> 'audits')
      as a (actor_id uuid, on_behalf_of uuid, subject_id uuid, action text, object_id uuid, reason text,
            request_id text, detail jsonb);

    update app.users u set restricted_at = case when r.restricted then coalesce(u.restricted_at, b_at) end
    from jsonb_to_recordset(b_rare -> 'restrictions') as r (user_id uuid, restricted boolean)
    where u.id = r.user_id;

    -- The line's id is the id of the ledger group that closed the position (A11).
    update app.transactions t set amount = a.amount
    from jsonb_to_recordset(b_rare -> 'amended') as a (position_id uuid, user_id uuid, amount numeric)
    where t.type = 'position_closed' and t.user_id = a.user_id
      and t.id = (select group_id from app.ledger_entries where source_id = a.position_id and kind = 'close' limit 1);
    get diagnostics touched = row_count;
    if touched <> jsonb_array_length(b_rare -> 'amended') then
      raise exception 'no line of an edited position' using errcode = 'ZE002';
    end if;

    -- A73: everything of the account goes, the books and the audit log stay under an id that names nobody.
    if jsonb_array_length(b_rare -> 'deletions') > 0 then
      -- Nobody signs in as them, and nobody makes one of them an admin, from here to the commit.
      perform from app.users u
      where u.id in (select d::uuid from jsonb_array_elements_text(b_rare -> 'deletions') as d) and u.role <> 'admin'
      for update;
      get diagnostics touched = row_count;
      if touched <> jsonb_array_length(b_rare -> 'deletions') then
        raise exception 'an admin is not deleted' using errcode = 'ZE003';
      end if;
      insert into app.deleted_sessions (id, user_id, ended_at)
      select s.id, s.user_id, b_at from app.sessions s
      where s.revoked_at is null
        and s.user_id in (select d::uuid from jsonb_array_elements_text(b_rare -> 'deletions') as d);
      insert into app.daily_totals as t (day, writer, volume, opened, closed, realized_pnl)
      select b_day, 'engine', -coalesce(sum(round(p.entry_price * p.size, 8)), 0), -count(*),
             -count(*) filter (where p.status = 'closed'), -coalesce(sum(p.realized_pnl), 0)
      from app.positions p
      where p.user_id in (select d::uuid from jsonb_array_elements_text(b_rare -> 'deletions') as d)
      on conflict (day, writer) do update set
        volume = t.volume + excluded.volume, opened = t.opened + excluded.opened, closed = t.closed + excluded.closed,
        realized_pnl = t.realized_pnl + excluded.realized_pnl;
      delete from app.commands c
      where c.user_id in (select d::uuid from jsonb_array_elements_text(b_rare -> 'deletions') as d);
      delete from app.users u
      where u.id in (select d::uuid from jsonb_array_elements_text(b_rare -> 'deletions') as d);
    end if;
  end if;

  insert into app.engine_batches (id, epoch, commands, committed_at) values (b_id, b_epoch, b_commands, b_at);
end $$;
