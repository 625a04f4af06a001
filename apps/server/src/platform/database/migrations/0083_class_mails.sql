-- A message to a class is mailed to members who want that (user_settings, group 'mails').
alter table app.user_settings drop constraint user_settings_key_check;
alter table app.user_settings add constraint user_settings_key_check
  check (key in ('layout', 'watchlists', 'ticket', 'shortcuts', 'columns', 'users-views', 'coach', 'mails'));
-- How many of the recipients it was mailed to.
alter table app.class_messages add column mailed integer not null default 0 check (mailed between 0 and recipients);
