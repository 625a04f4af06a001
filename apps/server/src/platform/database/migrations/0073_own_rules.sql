-- A trader's own rules of the coach: a limit of the share at risk, and rules that are off.
alter table app.user_settings drop constraint user_settings_key_check;
alter table app.user_settings add constraint user_settings_key_check
  check (key in ('layout', 'watchlists', 'ticket', 'shortcuts', 'columns', 'users-views', 'coach'));
