-- What an admin stopped: while one of these is not lifted nothing is opened, closed or filled, over a restart too. Halts of the
-- engine's own are not here: they are found anew by whoever looks.
create table app.halts (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  halted_by uuid references app.users (id) on delete set null,
  reason text not null,
  lifted_at timestamptz,
  lifted_by uuid references app.users (id) on delete set null
);
create unique index halts_in_force on app.halts ((true)) where lifted_at is null;
-- For the deletion of an account.
create index halts_by on app.halts (halted_by) where halted_by is not null;
create index halts_lifted_by on app.halts (lifted_by) where lifted_by is not null;

-- A move of a price is made once, however often it is asked for: whose id of the act it was.
alter table app.price_shocks
  add column admin_id uuid,
  add column client_id text check (length(client_id) between 1 and 64),
  add unique (admin_id, client_id);
