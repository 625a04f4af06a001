-- Trading accounts (A112). A person's main account has the person's id, so stored rows keep their `user_id`; where money
-- stands it names the account from here on.
create table app.trading_accounts (
  id uuid primary key,
  owner_id uuid not null references app.users (id) on delete cascade,
  kind text not null check (kind in ('main', 'practice', 'class', 'contest', 'challenge')),
  name text not null check (length(name) between 1 and 40),
  -- The terms; null is what the server has for main accounts.
  rules text check (rules in ('standard', 'as-specified')),
  leverage_max integer check (leverage_max between 1 and 125),
  fee_rate numeric(28, 8) check (fee_rate >= 0),
  fill_profile text not null default 'exact' check (fill_profile in ('exact')),
  -- What a reset goes back to; null is what the account was opened with.
  start_balance numeric(28, 8) check (start_balance >= 0),
  status text not null default 'active' check (status in ('active', 'archived')),
  -- The client's own name of the request that opened it.
  client_id text check (length(client_id) between 1 and 64),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  check ((kind = 'main') = (id = owner_id)),
  check ((kind = 'main') = (rules is null)),
  check ((rules is null) = (leverage_max is null) and (rules is null) = (fee_rate is null)),
  check ((status = 'archived') = (archived_at is not null)),
  check (kind <> 'main' or status = 'active'),
  -- The slot of an account follows its owner's: all accounts of a person belong to one engine.
  check (right(id::text, 2) = right(owner_id::text, 2))
);
create unique index trading_accounts_name on app.trading_accounts (owner_id, lower(name));
create unique index trading_accounts_client on app.trading_accounts (owner_id, client_id);

insert into app.trading_accounts (id, owner_id, kind, name, created_at, updated_at)
select u.id, u.id, 'main', 'Main', u.created_at, u.created_at from app.users u;

-- Whatever inserts a user opens the main account.
create function app.open_main_account() returns trigger language plpgsql as $$
begin
  insert into app.trading_accounts (id, owner_id, kind, name, created_at, updated_at)
  values (new.id, new.id, 'main', 'Main', new.created_at, new.created_at);
  return null;
end $$;
create trigger open_main_account after insert on app.users for each row execute function app.open_main_account();

-- The owner of every account besides the main ones, for good: the ledger keeps the entries of an account that is gone.
create table app.other_accounts (id uuid primary key, owner_id uuid not null);
create function app.note_other_account() returns trigger language plpgsql as $$
begin
  insert into app.other_accounts (id, owner_id) values (new.id, new.owner_id);
  return null;
end $$;
create trigger note_other_account after insert on app.trading_accounts for each row when (new.kind <> 'main')
  execute function app.note_other_account();

do $$
declare owned text;
begin
  foreach owned in array
    array['wallets', 'positions', 'orders', 'equity_snapshots', 'notifications', 'alerts', 'journal_entries']
  loop
    execute format('alter table app.%1$I drop constraint %1$I_user_id_fkey, add constraint %1$I_user_id_fkey '
                   'foreign key (user_id) references app.trading_accounts (id) on delete cascade', owned);
  end loop;
end $$;

-- As before (0033), to the devices of the person: a notification of another account reaches them as well.
create or replace function app.queue_push() returns trigger language plpgsql as $$
begin
  if not exists (select from app.push_subscriptions) then
    return null;
  end if;
  insert into app.push_deliveries (subscription_id, notification_id, next_attempt_at)
    select s.id, n.id, n.created_at
    from (
      select w.id, a.owner_id, w.created_at,
             row_number() over (partition by a.owner_id order by w.created_at, w.id) as place
      from written w join app.trading_accounts a on a.id = w.user_id) n
    join app.push_subscriptions s on s.user_id = n.owner_id and s.created_at <= n.created_at
    where n.place + (select count(*) from app.push_deliveries d where d.subscription_id = s.id) <= 20
    for key share of s skip locked
    on conflict do nothing;
  return null;
end $$;

create view api.trading_accounts as
  select id, owner_id, kind, name, rules, leverage_max, fee_rate, fill_profile, start_balance, status, created_at,
         updated_at, archived_at
  from app.trading_accounts;
