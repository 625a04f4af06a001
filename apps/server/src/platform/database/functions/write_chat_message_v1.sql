-- A message, and all that is decided under its session's lock: whether it is a repeat, whether its sender writes too fast, its
-- number and time, whether the trader is notified of an answer. Called by itself it is one transaction in one round trip; every
-- statement in it sees what was committed before the lock was had, so the pace holds over all processes. outcome is 'written',
-- 'repeated' (written_message is what was written then), 'closed', 'no picture', 'too fast' (written_at is when the next one is
-- allowed: p_pace messages within p_pace_within; any number with null) or 'missing' (there is no such session within the sender's reach). With
-- p_everywhere a repeat is found in all sessions of the sender.
create function app.write_chat_message_v1(
  p_sender uuid, p_role text, p_session uuid, p_content text, p_client_id text, p_now timestamptz, p_pace integer, p_pace_within interval,
  p_everywhere boolean, p_notice text, p_quiet interval, p_seen_quiet interval,
  p_attachment uuid, out outcome text, out written_at timestamptz, out written_message json, out written_session json, out written_notice json)
language plpgsql as $$
declare
  held app.chat_sessions;
  message_id uuid;
  notice_id uuid;
  is_first_unseen boolean;
begin
  -- The pace of an agent counts over all conversations. A trader writes in one, whose lock is enough.
  if p_role = 'support' then
    perform pg_advisory_xact_lock(hashtext('pace of messages'), hashtext(p_sender::text));
  end if;
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
  if held.status = 'closed' then
    outcome = 'closed';
    return;
  end if;
  -- Later ones were written while the clock was ahead: they would refuse the sender until it is that time.
  select least(min(m.created_at), p_now) + p_pace_within into written_at
  from (select created_at from app.chat_messages
        where sender_id = p_sender and created_at > p_now - p_pace_within and created_at <= p_now + p_pace_within
        order by created_at desc limit p_pace) m
  having count(*) >= p_pace;
  if found then
    outcome = 'too fast';
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
