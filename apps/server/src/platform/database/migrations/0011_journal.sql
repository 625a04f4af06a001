-- A trader's notes (ENT-28). Personal: no policy lets anybody else read them.
create table app.journal_entries (
  id uuid not null,
  user_id uuid not null references app.users (id) on delete cascade,
  -- The lengths are the domain's (packages/domain/src/journal.ts); these only keep a row from growing without bound.
  title text not null check (title ~ '\S' and length(title) <= 200),
  content text not null check (content ~ '\S' and length(content) <= 20000),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  position_id uuid references app.positions (id) on delete set null,
  -- Made by clients: what one chooses never meets another's.
  primary key (user_id, id)
);
create index journal_entries_newest on app.journal_entries (user_id, created_at desc, id desc);
create index journal_entries_position on app.journal_entries (position_id) where position_id is not null;

create function app.journal_entry_is_sound() returns trigger language plpgsql as $$
begin
  -- An entry may be about the past, as one that was written elsewhere; none is from the future.
  new.created_at = least(coalesce(new.created_at, now()), now());
  new.updated_at = clock_timestamp();
  if exists (select from unnest(new.tags) as tag where tag is null or tag !~ '\S' or length(tag) > 40) then
    raise exception 'a tag has 1 to 40 characters' using errcode = 'check_violation';
  end if;
  -- Somebody else's position is as good as none.
  if new.position_id is not null and not exists
    (select from app.positions p where p.id = new.position_id and p.user_id = new.user_id) then
    raise exception 'no such position' using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger journal_entry_is_sound before insert or update on app.journal_entries
  for each row execute function app.journal_entry_is_sound();

create view api.journal_entries as
  select id, user_id, title, content, tags, created_at, updated_at, position_id from app.journal_entries;
