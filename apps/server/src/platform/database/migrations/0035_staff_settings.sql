-- Admins too take choices from browser to browser: the columns of their tables and their own views of the users list.
alter table app.user_settings drop constraint user_settings_key_check;
alter table app.user_settings add constraint user_settings_key_check
  check (key in ('layout', 'watchlists', 'ticket', 'shortcuts', 'columns', 'users-views'));
