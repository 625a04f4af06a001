-- Whether a text has a character with a shape: white space has none, nor have those that Unicode calls default ignorable, nor
-- has the empty Braille cell.
create function app.can_be_seen(text) returns boolean language sql immutable as $$
  select $1 ~ ('[^\s\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f'
    || '\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]')
$$;

-- A trader's notes (ENT-28). Personal: no policy lets anybody else read them. The lengths are those of
-- packages/domain/src/journal.ts; each named constraint has its text for the user in packages/contract/src/constraints.ts.
create table app.journal_entries (
  user_id uuid not null references app.users (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  title text not null constraint journal_entries_title check (app.can_be_seen(title) and length(title) <= 200),
  content text not null constraint journal_entries_content check (app.can_be_seen(content) and length(content) <= 20000),
  tags text[] not null default '{}' constraint journal_entries_tags check (cardinality(tags) <= 20),
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
  -- What an edit has to name: no two states of an entry share it, even when the clock is set back.
  new.updated_at = clock_timestamp();
  if tg_op = 'UPDATE' then
    new.updated_at = greatest(new.updated_at, old.updated_at + interval '1 microsecond');
  end if;
  if exists (select from unnest(new.tags) as tag where tag is null or not app.can_be_seen(tag) or length(tag) > 40) then
    raise exception using errcode = 'check_violation', constraint = 'journal_entries_tags', message = 'a tag has 1 to 40 characters';
  end if;
  -- Somebody else's position is as good as none.
  if new.position_id is not null and not exists
    (select from app.positions p where p.id = new.position_id and p.user_id = new.user_id) then
    raise exception using errcode = 'foreign_key_violation', constraint = 'journal_entries_position', message = 'no such position';
  end if;
  return new;
end $$;
create trigger journal_entry_is_sound before insert or update on app.journal_entries
  for each row execute function app.journal_entry_is_sound();

create function app.journal_has_room() returns trigger language plpgsql as $$
declare
  writer uuid;
begin
  for writer in select distinct user_id from written order by user_id loop
    -- Who waits here counts afterwards what the other one has written.
    perform pg_advisory_xact_lock(hashtext('app.journal_entries'), hashtext(writer::text));
    if (select count(*) from app.journal_entries e where e.user_id = writer) > 10000 then
      raise exception using errcode = 'check_violation', constraint = 'journal_entries_room', message = 'a journal holds at most 10000 entries';
    end if;
  end loop;
  return null;
end $$;
create trigger journal_has_room after insert on app.journal_entries
  referencing new table as written for each statement execute function app.journal_has_room();

create view api.journal_entries as
  select id, user_id, title, content, tags, created_at, updated_at, position_id from app.journal_entries;
