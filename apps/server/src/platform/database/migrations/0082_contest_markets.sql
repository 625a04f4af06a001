-- Contests on simulated markets are proved by keys that are committed to at the begin (decision 32). A begin is noticed once.
alter table app.programs add column begun_at timestamptz;
update app.programs set begun_at = begins_at where begins_at <= now();
create index programs_to_begin on app.programs (begins_at) where begun_at is null;

-- The text as it was hashed.
create table app.program_markets (
  program_id uuid primary key references app.programs (id),
  commitment text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null
);

-- What the entrants traded at, one price a line, as the document of the result has its hash. Null where no market was committed to.
alter table app.program_results add column prices text;

-- A contest that was made by mistake is withdrawn before it begins; its name is free again.
alter table app.programs add column withdrawn_at timestamptz;
drop index app.programs_name;
create unique index programs_name on app.programs (lower(name)) where withdrawn_at is null;
