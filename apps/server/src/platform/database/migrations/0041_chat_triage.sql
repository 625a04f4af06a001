-- What support notes about a conversation in its list: tags, and until when it is snoozed. No trader reads it, so it is no
-- part of app.chat_sessions. The tags are names of the team's list.
create table app.chat_tags (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,23}$'),
  created_at timestamptz not null
);
create table app.chat_triage (
  session_id uuid primary key references app.chat_sessions (id) on delete cascade,
  user_id uuid not null references app.users (id) on delete cascade,
  tags text[] not null default '{}' check (cardinality(tags) <= 5),
  snoozed_until timestamptz,
  is_open boolean not null default true,
  updated_at timestamptz not null
);
create index chat_triage_open on app.chat_triage (session_id) where is_open;
create index chat_triage_user on app.chat_triage (user_id);
create view api.chat_triage as
  select session_id, user_id, tags, snoozed_until, is_open, updated_at from app.chat_triage;

-- A message of the trader, and the close, end a snooze.
create function app.chat_snooze_ends() returns trigger language plpgsql as $$
begin
  update app.chat_triage t set snoozed_until = null, updated_at = greatest(t.updated_at, new.created_at)
  where t.session_id = new.session_id and t.snoozed_until is not null;
  return null;
end $$;
create trigger chat_snooze_ends after insert on app.chat_messages
  for each row when (new.sender_role = 'trader') execute function app.chat_snooze_ends();
create function app.chat_triage_is_closed() returns trigger language plpgsql as $$
begin
  update app.chat_triage t set is_open = false, snoozed_until = null, updated_at = greatest(t.updated_at, new.updated_at)
  where t.session_id = new.id;
  return null;
end $$;
create trigger chat_triage_is_closed after update on app.chat_sessions
  for each row when (new.status = 'closed' and old.status = 'open') execute function app.chat_triage_is_closed();

-- An agent who is named in an internal note and has not opened the conversation since: reading deletes the row.
create table app.chat_mentions (
  id uuid primary key default gen_random_uuid(),
  note_id uuid not null references app.chat_notes (id) on delete cascade,
  session_id uuid not null references app.chat_sessions (id) on delete cascade,
  agent_id uuid not null references app.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (note_id, agent_id)
);
create index chat_mentions_agent on app.chat_mentions (agent_id, session_id);
create index chat_mentions_session on app.chat_mentions (session_id);
create view api.chat_mentions as select id, note_id, session_id, agent_id, created_at from app.chat_mentions;

-- '@lina.' names lina where no agent is called 'lina.'; of a note the first ten names count, and its author is not notified.
create function app.chat_note_mentions() returns trigger language plpgsql as $$
begin
  insert into app.chat_mentions (note_id, session_id, agent_id)
  select new.id, new.session_id, u.id
  from (select distinct lower(parts[1]) as name
        from regexp_matches(left(new.content, 4000), '(?:^|[^[:alnum:]_@.-])@([[:alnum:]_.-]+)', 'g') as parts limit 10) named
  join app.users u on u.role = 'support' and u.id <> new.author_id
    and (lower(u.username) = named.name
      or lower(u.username) = rtrim(named.name, '.-')
        and not exists (select from app.users o where o.role = 'support' and lower(o.username) = named.name))
  on conflict do nothing;
  return null;
end $$;
create trigger chat_note_mentions after insert on app.chat_notes
  for each row when (new.content like '%@%') execute function app.chat_note_mentions();

-- As in migration 0028. An agent who gets another role has no mentions, either.
create or replace function app.support_has_details() returns trigger language plpgsql as $$
begin
  if new.role = 'support' then
    insert into app.support_details (user_id) values (new.id) on conflict do nothing;
  else
    delete from app.support_details d where d.user_id = new.id;
    delete from app.chat_mentions m where m.agent_id = new.id;
    update app.chat_sessions s set assigned_to = null, version = s.version + 1 where s.assigned_to = new.id;
  end if;
  return null;
end $$;
