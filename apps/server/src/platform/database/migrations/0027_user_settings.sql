-- What a trader chose for their screens, as one object per group of choices. It follows its user into every
-- browser; the last write wins. The shape of a value is the screen's own, which validates it on reading.
create table app.user_settings (
  user_id uuid not null references app.users (id) on delete cascade,
  key text not null check (key in ('layout', 'watchlists', 'ticket', 'shortcuts')),
  value jsonb not null check (jsonb_typeof(value) = 'object')
    constraint user_settings_value check (octet_length(value::text) <= 32768),
  updated_at timestamptz not null default now(),
  primary key (user_id, key)
);

create function app.user_setting_is_dated() returns trigger language plpgsql as $$
begin
  new.updated_at = now();
  return new;
end $$;
create trigger user_setting_is_dated before insert or update on app.user_settings
  for each row execute function app.user_setting_is_dated();

create view api.user_settings as select user_id, key, value, updated_at from app.user_settings;
