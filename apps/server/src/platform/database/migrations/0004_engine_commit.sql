-- One batch of the engine, written by one statement. The arithmetic is packages/domain's; this function only guards:
-- the epoch (an engine whose successor has started writes nothing), the version that the engine expects of each wallet,
-- the rows that each step must touch. The ledger trigger and the tables' checks guard the rest. All or nothing.
--
-- Arrays of one prefix run in parallel: w_ wallets (ordered by user, one each), o_ opened positions, c_ closed positions
-- (also ones opened by this very batch), l_ ledger entries, t_ completed transactions, a_ stored answers.
create function app.engine_commit(
  p_epoch bigint, p_batch uuid, p_commands integer, p_at timestamptz,
  w_user_id uuid[], w_expected_version bigint[], w_version bigint[],
  w_available numeric[], w_margin numeric[], w_order_margin numeric[],
  o_id uuid[], o_user_id uuid[], o_symbol text[], o_side text[], o_entry_price numeric[], o_size numeric[],
  o_leverage integer[], o_margin numeric[], o_liquidation_price numeric[], o_rules text[], o_account_version bigint[],
  c_id uuid[], c_user_id uuid[], c_close_price numeric[], c_realized_pnl numeric[], c_close_reason text[],
  c_close_price_source text[], c_version integer[], c_account_version bigint[],
  l_group_id uuid[], l_account text[], l_user_id uuid[], l_amount numeric[], l_kind text[], l_source_id uuid[],
  t_id uuid[], t_user_id uuid[], t_wallet_id uuid[], t_type text[], t_amount numeric[], t_description text[],
  a_user_id uuid[], a_client_id text[], a_procedure text[], a_body_hash text[], a_answer text[]
) returns void language plpgsql as $$
declare touched integer;
begin
  -- Held until the commit: a successor raises the epoch only when no batch of ours is under way.
  perform 1 from app.engine_epoch where epoch = p_epoch for share;
  if not found then
    raise exception 'engine epoch % is over', p_epoch using errcode = 'ZE001';
  end if;

  update app.wallets w
  set available_balance = b.available, margin = b.margin, order_margin = b.order_margin, version = b.version,
      last_updated = p_at
  from unnest(w_user_id, w_expected_version, w_version, w_available, w_margin, w_order_margin)
    as b (user_id, expected_version, version, available, margin, order_margin)
  where w.user_id = b.user_id and w.version = b.expected_version;
  get diagnostics touched = row_count;
  if touched <> cardinality(w_user_id) then
    raise exception 'wallets changed meanwhile: % of % as expected', touched, cardinality(w_user_id)
      using errcode = 'ZE002';
  end if;

  if cardinality(o_id) > 0 then
    insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, rules,
                               account_version, status, created_at, updated_at)
    select b.*, 'open', p_at, p_at
    from unnest(o_id, o_user_id, o_symbol, o_side, o_entry_price, o_size, o_leverage, o_margin, o_liquidation_price,
                o_rules, o_account_version) as b;
  end if;

  if cardinality(c_id) > 0 then
    update app.positions p
    set status = 'closed', close_price = b.close_price, realized_pnl = b.realized_pnl, close_reason = b.close_reason,
        close_price_source = b.close_price_source, version = b.version, account_version = b.account_version,
        closed_at = p_at, updated_at = p_at
    from unnest(c_id, c_user_id, c_close_price, c_realized_pnl, c_close_reason, c_close_price_source, c_version,
                c_account_version)
      as b (id, user_id, close_price, realized_pnl, close_reason, close_price_source, version, account_version)
    where p.id = b.id and p.user_id = b.user_id and p.status = 'open' and p.version = b.version - 1;
    get diagnostics touched = row_count;
    if touched <> cardinality(c_id) then
      raise exception 'positions changed meanwhile: % of % as expected', touched, cardinality(c_id)
        using errcode = 'ZE002';
    end if;
  end if;

  insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id, created_at)
  select b.*, p_at from unnest(l_group_id, l_account, l_user_id, l_amount, l_kind, l_source_id) as b;

  if cardinality(t_id) > 0 then
    insert into app.transactions (id, user_id, wallet_id, type, amount, description, status, created_at, completed_at)
    select b.*, 'completed', p_at, p_at
    from unnest(t_id, t_user_id, t_wallet_id, t_type, t_amount, t_description) as b;
  end if;

  if cardinality(a_user_id) > 0 then
    insert into app.commands (user_id, client_id, procedure, body_hash, answer, created_at)
    select b.user_id, b.client_id, b.procedure, decode(b.body_hash, 'hex'), b.answer::jsonb, p_at
    from unnest(a_user_id, a_client_id, a_procedure, a_body_hash, a_answer)
      as b (user_id, client_id, procedure, body_hash, answer);
  end if;

  insert into app.engine_batches (id, epoch, commands, committed_at) values (p_batch, p_epoch, p_commands, p_at);
end $$;
