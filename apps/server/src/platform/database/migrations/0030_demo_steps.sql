-- What of the demo's past is written (docs/demo.md). A step is written once in the life of a database, in the transaction of
-- what it writes: a start after a kill goes on with the next one, and what was cleared or deleted does not come back.
create table app.demo_steps (
  step text primary key check (length(step) <= 64),
  done_at timestamptz not null default now()
);
