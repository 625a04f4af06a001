-- People and their sessions. Everything lives in schema app; clients see only the views of schema api.
create schema app;
create schema api;

-- One row per person: sign-in and profile are one operation (A50), so they are one row apart from the secret.
create table app.users (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email) and length(email) <= 254),
  username text not null check (length(username) between 1 and 40),
  role text not null check (role in ('trader', 'manager', 'support', 'admin')),
  phone_number text check (phone_number ~ '^\+[1-9][0-9]{1,14}$'),
  created_at timestamptz not null default now(),
  last_login timestamptz,
  manager_id uuid references app.users (id) on delete set null,
  kyc_status text not null default 'unverified' check (kyc_status in ('unverified', 'pending', 'verified', 'rejected')),
  kyc_verified_at timestamptz,
  restricted_at timestamptz,
  check (manager_id is null or role = 'trader')
);
create unique index users_email on app.users (email);
create unique index users_username on app.users (lower(username));
create index users_manager on app.users (manager_id) where manager_id is not null;

create table app.credentials (
  user_id uuid primary key references app.users (id) on delete cascade,
  password_hash text not null,
  changed_at timestamptz not null default now()
);

-- A session is one sign-in on one device. Access tokens name it; revoking it voids them at once.
create table app.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.users (id) on delete cascade,
  -- Set while staff act as user_id's target (A45); reserved from the first migration on.
  acting_as uuid references app.users (id) on delete cascade,
  acting_until timestamptz,
  created_at timestamptz not null default now(),
  auth_time timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  user_agent text,
  address inet,
  revoked_at timestamptz
);
create index sessions_user on app.sessions (user_id) where revoked_at is null;
create index sessions_revoked on app.sessions (revoked_at) where revoked_at is not null;

-- Refresh tokens are stored as SHA-256 only. A rotated one stays usable for siblings for 60 s; later reuse revokes the session.
create table app.refresh_tokens (
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references app.sessions (id) on delete cascade,
  issued_at timestamptz not null default now(),
  rotated_at timestamptz,
  expires_at timestamptz not null
);
create index refresh_tokens_session on app.refresh_tokens (session_id);

-- Failed and counted attempts per key (account or address); survives a restart.
create table app.attempt_limits (
  key text primary key,
  window_started_at timestamptz not null,
  attempts integer not null check (attempts >= 0)
);

-- Who did what to whom, in the same transaction as the change. Append-only for the application's role.
create table app.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  subject_id uuid,
  action text not null,
  reason text,
  detail jsonb not null default '{}'
);
create index audit_log_subject on app.audit_log (subject_id, at desc);

create view api.users as
  select id, email, username, role, phone_number, created_at, last_login, manager_id, kyc_status, kyc_verified_at
  from app.users;
