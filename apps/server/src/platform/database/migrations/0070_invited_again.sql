-- A repeat of the command that made a link to choose a password finds it again.
alter table app.recoveries add column client_id text;
create unique index recoveries_command on app.recoveries (user_id, client_id);
