-- Challenges (A112): the same program with another face. An account of the kind `challenge` is one step of one attempt; its rules are those of
-- the step in the program. What is decided of it is written once, with everything that the decision read.
alter table app.trading_accounts add column program_attempt integer;
alter table app.trading_accounts add column program_step smallint;
alter table app.trading_accounts add constraint trading_accounts_step
  check ((kind = 'challenge') = (program_step is not null) and (program_step is null) = (program_attempt is null));
-- A step of an attempt is opened once, and a trader makes one attempt at a time.
create unique index trading_accounts_attempt on app.trading_accounts (program_id, program_attempt, program_step) where kind = 'challenge';
create unique index trading_accounts_attempting on app.trading_accounts (program_id, owner_id) where kind = 'challenge' and status = 'active';
create index trading_accounts_challenges on app.trading_accounts (id) where kind = 'challenge' and status = 'active';

-- What the engine keeps of a step in progress besides its rows: where the day began, and the highest values. Without a row the step is as it began.
create table app.challenge_states (
  account_id uuid primary key references app.trading_accounts (id) on delete cascade,
  day_begins timestamptz not null,
  day_balance numeric(28, 8) not null,
  day_equity numeric(28, 8) not null,
  highest_day_end numeric(28, 8) not null,
  peak numeric(28, 8) not null,
  best_day numeric(28, 8) not null,
  updated_at timestamptz not null
);

-- Names accounts alone, and outlives them as the ledger does.
create table app.program_verdicts (
  account_id uuid primary key,
  program_id uuid not null references app.programs (id),
  attempt integer not null,
  step smallint not null,
  outcome text not null check (outcome in ('passed', 'failed')),
  rule text check (rule in ('daily_loss', 'max_loss', 'time_limit')),
  check ((outcome = 'failed') = (rule is not null)),
  -- The instant of the marks, which is that of the deciding tick.
  decided_at timestamptz not null,
  -- By symbol, of everything that was open: the price and how it stood.
  marks jsonb not null,
  -- What was compared, and what the day and the attempt were by then.
  arithmetic jsonb not null,
  created_at timestamptz not null
);
create index program_verdicts_program on app.program_verdicts (program_id, attempt, step);
