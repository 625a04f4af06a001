-- Playbooks of a trader (packages/domain/src/playbooks.ts has the lengths). Personal, as the journal is. Each named constraint has its text
-- for the user in packages/contract/src/constraints.ts.
create table app.playbooks (
  user_id uuid not null references app.trading_accounts (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null constraint playbooks_name check (app.can_be_seen(name) and length(name) <= 60),
  criteria text[] not null default '{}' constraint playbooks_criteria check (cardinality(criteria) <= 12),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, id)
);

create function app.are_criteria(text[]) returns boolean language sql immutable as $$
  select not exists (select from unnest($1) as one where one is null or not app.can_be_seen(one) or length(one) > 120)
    and cardinality($1) = (select count(distinct one) from unnest($1) as one)
$$;

create function app.playbook_is_sound() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  if not app.are_criteria(new.criteria) then
    raise exception using errcode = 'check_violation', constraint = 'playbooks_criteria', message = 'criteria differ and have 1 to 120 characters';
  end if;
  if tg_op = 'INSERT' then
    -- Who waits here counts afterwards what the other one has written.
    perform pg_advisory_xact_lock(hashtext('app.playbooks'), hashtext(new.user_id::text));
    if not exists (select from app.playbooks p where p.user_id = new.user_id and p.id = new.id)
      and (select count(*) from app.playbooks p where p.user_id = new.user_id) >= 50 then
      raise exception using errcode = 'check_violation', constraint = 'playbooks_room', message = 'an account has at most 50 playbooks';
    end if;
  end if;
  return new;
end $$;
create trigger playbook_is_sound before insert or update on app.playbooks
  for each row execute function app.playbook_is_sound();

-- The criteria stand as they were answered: a reworded one is another one.
create table app.playbook_trades (
  user_id uuid not null references app.trading_accounts (id) on delete cascade,
  position_id uuid not null references app.positions (id) on delete cascade,
  playbook_id uuid not null,
  met text[] not null default '{}',
  unmet text[] not null default '{}',
  updated_at timestamptz not null default now(),
  constraint playbook_trades_answers check (cardinality(met) + cardinality(unmet) <= 12 and not met && unmet),
  primary key (user_id, position_id),
  foreign key (user_id, playbook_id) references app.playbooks (user_id, id) on delete cascade
);
create index playbook_trades_playbook on app.playbook_trades (user_id, playbook_id);
create index playbook_trades_position on app.playbook_trades (position_id);

create function app.playbook_trade_is_sound() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  if not app.are_criteria(new.met || new.unmet) then
    raise exception using errcode = 'check_violation', constraint = 'playbook_trades_answers', message = 'criteria differ and have 1 to 120 characters';
  end if;
  -- A position of another account is as good as none.
  if not exists (select from app.positions p where p.id = new.position_id and p.user_id = new.user_id) then
    raise exception using errcode = 'foreign_key_violation', constraint = 'playbook_trades_position', message = 'no such position';
  end if;
  return new;
end $$;
create trigger playbook_trade_is_sound before insert or update on app.playbook_trades
  for each row execute function app.playbook_trade_is_sound();

create view api.playbooks as select id, user_id, name, criteria, created_at, updated_at from app.playbooks;
create view api.playbook_trades as
  select user_id, position_id, playbook_id, met, unmet, updated_at from app.playbook_trades;
