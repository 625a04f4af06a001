-- API keys (A119): each is for one trading account. No view shows them.
create table app.api_keys (
  -- The additional authenticated data of the secret, so it is made before the row.
  id uuid primary key,
  account_id uuid not null references app.trading_accounts (id) on delete cascade,
  name text not null check (length(name) between 1 and 40),
  api_key text not null unique check (api_key ~ '^paper_[0-9A-Za-z]{43}$'),
  -- AES-256-GCM under the server's own secret: nonce, tag, ciphertext.
  secret bytea not null check (length(secret) = 71),
  scopes text[] not null check (scopes <@ array['read', 'trade'] and 'read' = any (scopes)),
  -- Addresses and networks; empty is everywhere.
  addresses text[] not null check (cardinality(addresses) <= 20),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  revoked_at timestamptz
);
create index api_keys_account on app.api_keys (account_id);
create index api_keys_revoked on app.api_keys (revoked_at) where revoked_at is not null;
create index api_keys_expires on app.api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- An archived account ends its keys, by whatever statement.
create function app.end_api_keys_of_account() returns trigger language plpgsql as $$
begin
  update app.api_keys set revoked_at = new.archived_at where account_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger trading_accounts_end_api_keys after update of status on app.trading_accounts
  for each row when (old.status = 'active' and new.status = 'archived') execute function app.end_api_keys_of_account();

-- Only traders trade: with another role the keys end for good.
create function app.end_api_keys_of_user() returns trigger language plpgsql as $$
begin
  update app.api_keys k set revoked_at = clock_timestamp()
  from app.trading_accounts a
  where a.id = k.account_id and a.owner_id = new.id and k.revoked_at is null;
  return null;
end $$;
create trigger users_end_api_keys after update of role on app.users
  for each row when (old.role = 'trader' and new.role <> 'trader') execute function app.end_api_keys_of_user();
