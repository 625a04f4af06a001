-- Canned replies that all of support have. No view: procedures of support and admins read and write them.
create table app.team_replies (
  id uuid primary key,
  shortcut text not null constraint team_replies_shortcut check (shortcut ~ '^[a-z0-9][a-z0-9-]{0,23}$'),
  content text not null constraint team_replies_content check (app.can_be_seen(content) and length(content) <= 2000),
  updated_at timestamptz not null,
  constraint team_replies_unique unique (shortcut)
);
