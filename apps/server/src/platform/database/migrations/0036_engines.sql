-- One row per start of an engine; its id is the epoch of its batches. To end one, lock its row for update and set ended_at: that waits
-- for its batch under way, and lets none begin (`engine_write_v2`).
create table app.engines (
  id bigint generated always as identity primary key,
  started_at timestamptz not null default now(),
  -- The last time that its writing session began, by a commit that PostgreSQL confirmed.
  confirmed_at timestamptz not null default now(),
  ended_at timestamptz
);
-- Epochs only rise, those of earlier releases included.
select setval(pg_get_serial_sequence('app.engines', 'id'), epoch + 1, false) from app.engine_epoch;

-- The slot of an account: the last byte of its owner's id.
create function app.slot_of(owner uuid) returns smallint language sql immutable parallel safe
  as $$ select get_byte(uuid_send(owner), 15)::smallint $$;

-- Which engine writes the accounts of a slot. It changes on the session that writes that engine's batches, or in the transaction that
-- ends the engine; a free slot is taken by whoever comes first.
create table app.engine_slots (
  slot smallint primary key check (slot between 0 and 255),
  engine bigint references app.engines (id)
);
insert into app.engine_slots (slot) select generate_series(0, 255);

-- Each engine has one of sixteen writers, so that its batches do not wait for the commit of another engine's. 'engine' is that of
-- earlier releases.
alter table app.daily_totals drop constraint daily_totals_writer_check;
alter table app.daily_totals add constraint daily_totals_writer_check
  check (writer ~ '^(accounts|engine|engine:([0-9]|1[0-5]))$');

-- A broken invariant is a halt in force as well, until an admin lifts it. One of each cause.
alter table app.halts add column cause text not null default 'staff' check (cause in ('staff', 'ledger'));
drop index app.halts_in_force;
create unique index halts_in_force on app.halts (cause) where lifted_at is null;
