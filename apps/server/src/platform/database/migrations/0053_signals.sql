-- Inbound signals: addresses of an account that take orders from outside (`POST /hooks/<secret>`), and what came in by them.
-- No view shows either: the secret is stored as its hash alone, and a body is its sender's.
create table app.signal_hooks (
  id uuid primary key,
  account_id uuid not null references app.trading_accounts (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  -- SHA-256 of 32 random bytes.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index signal_hooks_account on app.signal_hooks (account_id, created_at);

create table app.signals (
  id uuid primary key,
  hook_id uuid not null references app.signal_hooks (id) on delete cascade,
  account_id uuid not null references app.trading_accounts (id) on delete cascade,
  received_at timestamptz not null,
  body text not null,
  body_hash bytea not null check (length(body_hash) = 32),
  outcome text not null check (outcome in ('pending', 'done', 'refused', 'too_late', 'unreadable')),
  -- What the signal means, decided once: a repeat after a crash does the same. Null before, and of a body that means nothing.
  steps jsonb,
  summary text,
  -- The refusal, or what else its owner should know.
  detail text,
  order_ids uuid[] not null default '{}',
  position_ids uuid[] not null default '{}',
  finished_at timestamptz,
  check ((outcome = 'pending') = (finished_at is null))
);
create index signals_account on app.signals (account_id, received_at desc, id desc);
create index signals_repeated on app.signals (hook_id, body_hash, received_at);
create index signals_received on app.signals (received_at);
create index signals_pending on app.signals (received_at, id) where outcome = 'pending';
