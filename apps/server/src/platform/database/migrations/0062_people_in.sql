-- Invitations to register (A117). The code is stored in clear, because staff show it again: it signs no one in.
create table app.invitations (
  id uuid primary key default gen_random_uuid(),
  code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  note text not null default '',
  -- USDT; null is SIGNUP_BALANCE.
  start_balance numeric(28, 8) check (start_balance >= 0),
  uses integer not null default 0,
  uses_max integer not null check (uses_max > 0),
  check (uses between 0 and uses_max),
  created_by uuid references app.users (id) on delete set null,
  client_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  unique (created_by, client_id)
);

-- An import of users from a file, and who was created by it: a repeat of the same import finds them again.
create table app.user_imports (
  id uuid primary key,
  actor_id uuid references app.users (id) on delete set null,
  created_at timestamptz not null
);
create index user_imports_actor on app.user_imports (actor_id);
create table app.imported_users (
  user_id uuid primary key references app.users (id) on delete cascade,
  import_id uuid not null references app.user_imports (id)
);
create index imported_users_import on app.imported_users (import_id);

-- What a link to choose a password is for: a forgotten one, or the first one of an imported user.
alter table app.recoveries add column purpose text not null default 'recovery' check (purpose in ('recovery', 'invitation'));
