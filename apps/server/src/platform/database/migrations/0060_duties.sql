-- What one process of several does at a time. The term rises with each holder; a statement that proves the term (`for key share`)
-- changes nothing once another process has taken the duty (`for update`). See platform/duties.
create table app.duties (
  name text primary key check (name in ('market', 'ledger', 'chores')),
  -- The process that holds it; null: nobody does.
  holder uuid,
  term bigint not null default 0 check (term >= 0),
  -- The holder's last beat.
  heard_at timestamptz,
  -- How far the holder was at that beat, as the duty counts it: of the market, the number of its last frame.
  mark bigint
);
insert into app.duties (name) values ('market'), ('ledger'), ('chores');
