-- Acting as somebody else (A45), password recovery, and the mails that wait to be sent.
alter table app.sessions drop column acting_as, drop column acting_until;

-- One row per impersonation, kept as evidence. Access tokens name it (act.id), so ending it voids them at once.
create table app.impersonations (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references app.sessions (id) on delete cascade,
  actor_id uuid not null references app.users (id) on delete cascade,
  target_id uuid not null references app.users (id) on delete cascade,
  reason text not null check (length(reason) between 1 and 500),
  started_at timestamptz not null,
  -- At most an hour after the start.
  until timestamptz not null check (until > started_at and until <= started_at + interval '1 hour'),
  ended_at timestamptz,
  check (actor_id <> target_id)
);
-- No nesting: a session acts as one person at a time.
create unique index impersonations_live on app.impersonations (session_id) where ended_at is null;
create index impersonations_target on app.impersonations (target_id) where ended_at is null;
create index impersonations_actor on app.impersonations (actor_id);
create index impersonations_ended on app.impersonations (ended_at) where ended_at is not null;

-- A request for a recovery link. The link's code and token are made when the mail is written; only their SHA-256 is kept.
create table app.recoveries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.users (id) on delete cascade,
  -- base64url SHA-256 of the verifier that stays in the requesting browser (RFC 7636); null without PKCE.
  code_challenge text check (length(code_challenge) = 43),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  code_hash bytea unique check (length(code_hash) = 32),
  token_hash bytea unique check (length(token_hash) = 32),
  used_at timestamptz
);
create index recoveries_user on app.recoveries (user_id);
create index recoveries_expiry on app.recoveries (expires_at);

-- Mails to be sent, written in the transaction of what they tell. Nothing secret is in `detail`.
create table app.mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  recipient text not null,
  detail jsonb not null default '{}',
  created_at timestamptz not null,
  -- Not sent after it: a late link or notice would only confuse.
  expires_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  sent_at timestamptz,
  last_error text
);
create index mails_waiting on app.mails (next_attempt_at) where sent_at is null;
