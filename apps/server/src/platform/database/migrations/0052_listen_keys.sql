-- Listen keys of the exchange's door: one for each API key, computed from the salt and a secret of the server. Who has it reads the
-- account's events until it ends.
create table app.listen_keys (
  key_id uuid primary key references app.api_keys (id) on delete cascade,
  salt bytea not null check (length(salt) = 16),
  expires_at timestamptz not null
);
