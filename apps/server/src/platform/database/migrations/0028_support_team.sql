-- Support as a team: who attends a conversation, pictures in messages, and search in them.

alter table app.chat_sessions add column assigned_to uuid references app.users (id) on delete set null;
create index chat_sessions_assigned on app.chat_sessions (assigned_to) where assigned_to is not null;
-- Those who answered last attend what is open.
update app.chat_sessions s
set assigned_to = l.sender_id, version = s.version + 1
from (select distinct on (m.session_id) m.session_id, m.sender_id from app.chat_messages m
      where m.sender_role = 'support' order by m.session_id, m.seq desc) l
where l.session_id = s.id and s.status = 'open'
  and exists (select from app.users u where u.id = l.sender_id and u.role = 'support');

create or replace view api.chat_sessions as
  select s.id, s.user_id, s.status, s.created_at, s.updated_at, s.closed_at, s.support_id, s.last_seq, s.version,
         s.trader_seen_seq, s.trader_seen_at, s.support_seen_seq,
         (select count(*)::int from app.chat_messages m
          where m.session_id = s.id and m.read_at is null and m.sender_role = 'trader') as unread_count,
         (select count(*)::int from app.chat_messages m
          where m.session_id = s.id and m.seq > s.trader_seen_seq and m.sender_role = 'support') as trader_unread_count,
         s.waiting_since, l.content as last_message, l.created_at as last_message_at, l.sender_role as last_sender_role,
         (select m.sender_id from app.chat_messages m
          where m.session_id = s.id and m.sender_role = 'support' order by m.seq desc limit 1) as last_agent_id,
         s.rating, s.rating_comment, s.rated_at, s.assigned_to
  from app.chat_sessions s
  left join lateral (
    select m.content, m.created_at, m.sender_role from app.chat_messages m
    where m.session_id = s.id and m.seq = s.last_seq
  ) l on true;

-- A picture in a message. It is deleted with its message, whoever owns it; a version of a file is never deleted otherwise.
alter table app.chat_messages add column attachment_id uuid references app.files (id) on delete set null;
create unique index chat_messages_attachment on app.chat_messages (attachment_id) where attachment_id is not null;
create or replace view api.chat_messages as
  select m.id, m.session_id, m.user_id, m.seq, m.sender_id, m.sender_role, u.username as sender_name, m.content,
         m.created_at, m.read_at, m.client_id, m.attachment_id
  from app.chat_messages m left join app.users u on u.id = m.sender_id;
create function app.chat_attachment_is_deleted() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.file_uploads u where u.id = old.attachment_id;
  return null;
end $$;
create trigger chat_attachment_is_deleted after delete on app.chat_messages
  for each row when (old.attachment_id is not null) execute function app.chat_attachment_is_deleted();

-- As in migration 0013. The first answer assigns the conversation to its sender; a message may have a picture of its sender's,
-- which is in no other message (outcome 'no picture').
drop function app.write_chat_message(
  uuid, text, uuid, text, text, timestamptz, boolean, boolean, text, interval, interval);
create function app.write_chat_message(
  p_sender uuid, p_role text, p_session uuid, p_content text, p_client_id text, p_now timestamptz, p_may_write boolean,
  p_everywhere boolean, p_notice text, p_quiet interval, p_seen_quiet interval,
  p_attachment uuid, out outcome text, out written_at timestamptz, out written_message json, out written_session json, out written_notice json)
language plpgsql as $$
declare
  held app.chat_sessions;
  message_id uuid;
  notice_id uuid;
  is_first_unseen boolean;
begin
  -- The accounts that the foreign keys will ask for, in their order, and then the session (features/support/locking.ts).
  perform from app.users u
  where u.id = any(array(select p_sender union select s.user_id from app.chat_sessions s where s.id = p_session))
  order by u.id for key share;
  select s.* into held from app.chat_sessions s
  where s.id = p_session and (p_role = 'support' or s.user_id = p_sender) for no key update;
  if not found then
    outcome = 'missing';
    return;
  end if;

  if p_client_id is not null then
    select to_json(m) into written_message from api.chat_messages m
    where m.sender_id = p_sender and m.client_id = p_client_id
      and (m.session_id = held.id or p_everywhere and m.user_id = p_sender)
    order by m.session_id = held.id desc limit 1;
    if found then
      outcome = 'repeated';
      return;
    end if;
  end if;
  if held.status = 'closed' or not p_may_write then
    outcome = case when held.status = 'closed' then 'closed' else 'too fast' end;
    return;
  end if;

  if p_attachment is not null and (
    not exists (select from app.files f
                where f.id = p_attachment and f.owner_id = p_sender and f.bucket = 'chat-attachments')
    or exists (select from app.chat_messages m where m.attachment_id = p_attachment))
  then
    outcome = 'no picture';
    return;
  end if;

  -- Later than everything that was written there before, in whole milliseconds.
  written_at = greatest(p_now, date_trunc('milliseconds', held.updated_at) + interval '1 millisecond');
  is_first_unseen = p_role = 'support' and not exists (
    select from app.chat_messages m
    where m.session_id = held.id and m.sender_role = 'support' and m.seq > held.trader_seen_seq);
  update app.chat_sessions s
  set last_seq = held.last_seq + 1, version = s.version + 1, updated_at = written_at,
      waiting_since = case when p_role = 'support' then null else coalesce(s.waiting_since, written_at) end,
      assigned_to = case when p_role = 'support' then coalesce(s.assigned_to, p_sender) else s.assigned_to end
  where s.id = held.id;
  insert into app.chat_messages
    (session_id, user_id, seq, sender_id, sender_role, content, client_id, created_at, read_at, attachment_id)
  values (held.id, held.user_id, held.last_seq + 1, p_sender, p_role, p_content, p_client_id, written_at,
          case when p_role = 'support' then written_at end, p_attachment)
  returning id into message_id;
  select to_json(m) into written_message from api.chat_messages m where m.id = message_id;
  select to_json(s) into written_session from api.chat_sessions s where s.id = held.id;

  -- The trader is notified of an answer unless a notice of late is unread, or was read just now.
  if is_first_unseen and not exists (
    select from app.notifications n
    where n.user_id = held.user_id and n.created_at > written_at - p_quiet and n.kind = 'chat_reply'
      and (n.read_at is null or n.read_at > written_at - p_seen_quiet))
  then
    insert into app.notifications (id, user_id, kind, message, created_at)
    values (gen_random_uuid(), held.user_id, 'chat_reply', p_notice, written_at) returning id into notice_id;
    select to_json(n) into written_notice from api.notifications n where n.id = notice_id;
  end if;
  outcome = 'written';
end $$;

-- An agent who gets another role leaves their conversations to all.
create or replace function app.support_has_details() returns trigger language plpgsql as $$
begin
  if new.role = 'support' then
    insert into app.support_details (user_id) values (new.id) on conflict do nothing;
  else
    delete from app.support_details d where d.user_id = new.id;
    update app.chat_sessions s set assigned_to = null, version = s.version + 1 where s.assigned_to = new.id;
  end if;
  return null;
end $$;

-- Words and beginnings of words, in any language: 'simple' neither stems nor leaves out words.
create index chat_messages_words on app.chat_messages using gin (to_tsvector('simple', content));
