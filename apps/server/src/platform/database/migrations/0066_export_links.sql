-- Links to files that are generated while they are sent. A row is good once, for a minute, in the session that requested it, at every
-- process of the installation. The link itself is stored nowhere.
create table app.export_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  number bigint generated always as identity,
  kind text not null,
  args jsonb not null,
  role text not null,
  user_id uuid not null references app.users (id) on delete cascade,
  actor_id uuid not null,
  session_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index export_links_actor on app.export_links (actor_id, number);
create index export_links_user on app.export_links (user_id);
