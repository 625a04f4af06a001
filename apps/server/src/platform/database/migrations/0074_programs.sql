-- Programs (A112, A116): contests now; challenges follow in the same tables. An entrant has an account of the kind `contest` with the
-- program's money and rules. Windows and limits stand here alone; the engine reads them with the account.
create table app.programs (
  id uuid primary key default gen_random_uuid(),
  face text not null check (face in ('contest', 'challenge')),
  name text not null check (length(name) between 1 and 40),
  description text not null default '' check (length(description) <= 1000),
  -- Null is open to every trader; else to the members of the class.
  class_id uuid references app.classes (id),
  registration_opens_at timestamptz not null,
  registration_ends_at timestamptz not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  check (registration_ends_at > registration_opens_at and ends_at > begins_at and registration_ends_at <= ends_at),
  -- What the contract's schema of the face says, with its version.
  rules jsonb not null check (jsonb_typeof(rules -> 'v') = 'number'),
  -- The last number given to an entrant; none is given twice.
  entrants integer not null default 0,
  -- Stored by the first step of the end, once: when, and the last accepted price of each symbol with its state.
  closing_marks jsonb,
  frozen_at timestamptz,
  check (frozen_at is null or closing_marks is not null),
  created_by uuid references app.users (id) on delete set null,
  client_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  unique (created_by, client_id)
);
create unique index programs_name on app.programs (lower(name));
-- What has not come to its end.
create index programs_running on app.programs (ends_at) where frozen_at is null;

alter table app.trading_accounts add column program_id uuid references app.programs (id);
alter table app.trading_accounts add column program_number integer;
alter table app.trading_accounts add check ((kind in ('contest', 'challenge')) = (program_id is not null));
alter table app.trading_accounts add check ((program_id is null) = (program_number is null));
create unique index trading_accounts_program on app.trading_accounts (program_id, program_number) where program_id is not null;
-- One account a trader; a challenge may be tried again.
create unique index trading_accounts_contest on app.trading_accounts (program_id, owner_id) where kind = 'contest';

-- The result as it was hashed: it names entrants by their number and outlives them.
create table app.program_results (
  program_id uuid primary key references app.programs (id),
  document text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null
);

-- A contest closes what is open at its end.
alter table app.positions drop constraint positions_close_reason_check;
alter table app.positions add constraint positions_close_reason_check
  check (close_reason in ('manual', 'liquidation', 'take_profit', 'stop_loss', 'staff', 'program_end')) not valid;
alter table app.positions validate constraint positions_close_reason_check;
