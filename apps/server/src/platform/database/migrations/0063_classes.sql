-- Classes (A112): a member has an account of the kind `class` with the class's money and rules. The limits stand here alone; the engine
-- reads them with the account. Money, rules, fees and leverage are copied into the account when it is opened, and are fixed from then on.
create table app.classes (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 40),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  check (ends_at > begins_at),
  start_balance numeric(28, 8) not null check (start_balance >= 0),
  rules text not null check (rules in ('standard', 'as-specified', 'perpetual')),
  leverage_max integer not null check (leverage_max between 1 and 125),
  -- Null is every listed one.
  symbols text[] check (cardinality(symbols) > 0),
  -- Null is no limit besides that of every account.
  positions_max integer check (positions_max > 0),
  created_by uuid references app.users (id) on delete set null,
  client_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  unique (created_by, client_id)
);
create unique index classes_name on app.classes (lower(name));

create table app.class_tutors (
  class_id uuid not null references app.classes (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  primary key (class_id, user_id)
);
create index class_tutors_user on app.class_tutors (user_id);

-- Only managers are tutors: with another role the classes end for good, by whatever statement.
create function app.end_tutor_of_classes() returns trigger language plpgsql as $$
begin
  delete from app.class_tutors where user_id = new.id;
  return null;
end $$;
create trigger users_end_tutor after update of role on app.users
  for each row when (old.role = 'manager' and new.role <> 'manager') execute function app.end_tutor_of_classes();

alter table app.trading_accounts add column class_id uuid references app.classes (id);
alter table app.trading_accounts add check ((kind = 'class') = (class_id is not null));
create unique index trading_accounts_class on app.trading_accounts (class_id, owner_id) where class_id is not null;

alter table app.invitations add column class_id uuid references app.classes (id);
