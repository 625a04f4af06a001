-- Shows that a standby follows this primary: what is inserted here arrives there, or the standby is on another timeline or of another database.
create table app.replica_marks (
  mark uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now()
);
