-- A simulated market that becomes another one (another key, seed, engine, or weekends) keeps its past: each row is a market and
-- the instant from which it is in force. A secret key stays in secrets.json; `key_id` tells it from others.
create table app.simulated_paths (
  number integer primary key check (number >= 0),
  engine integer not null check (engine > 0),
  key_id text not null check (length(key_id) between 1 and 64),
  -- A chosen one, which is public; null where the key is secret.
  seed text check (length(seed) between 1 and 64),
  weekends boolean not null,
  -- Null: from the beginning.
  since timestamptz,
  check ((number = 0) <= (since is null))
);

-- A factor belongs to a path: that of a path of the past says what its bars were. Those of before have the number 0.
alter table app.simulated_scales add column path integer not null default 0;
alter table app.simulated_scales alter column path drop default;
alter table app.simulated_scales drop constraint simulated_scales_pkey;
alter table app.simulated_scales add primary key (path, symbol);
