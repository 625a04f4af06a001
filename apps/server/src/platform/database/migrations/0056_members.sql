-- What an engine of a cluster says of itself; null where a server runs alone.
alter table app.engines
  add column process uuid,
  add column name text,
  add column version text,
  -- The last beat, by this database's clock.
  add column heard_at timestamptz,
  -- False from the moment on at which it gives its slots back.
  add column takes_slots boolean not null default true;
