-- Identity checks, conversations with support, messages of visitors. docs/people.md says why they look so.

-- What a picture was before it was decoded and encoded again: the same picture is found again by it.
alter table app.files add column original_sha256 bytea check (length(original_sha256) = 32);
create index files_original on app.files (original_sha256);
create index files_sha256 on app.files (sha256);

-- One row per attempt (A57). Pictures are versions of files, so an attempt keeps its own whatever is uploaded later.
create table app.kyc_verifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.users (id) on delete cascade,
  attempt integer not null check (attempt > 0),
  first_name text not null check (app.can_be_seen(first_name) and length(first_name) <= 100),
  last_name text not null check (app.can_be_seen(last_name) and length(last_name) <= 100),
  date_of_birth date not null,
  country text not null check (app.can_be_seen(country) and length(country) <= 60),
  address text not null check (app.can_be_seen(address) and length(address) <= 200),
  city text not null check (app.can_be_seen(city) and length(city) <= 100),
  postal_code text not null check (app.can_be_seen(postal_code) and length(postal_code) <= 20),
  document_type text not null check (document_type in ('passport', 'id_card', 'drivers_license')),
  document_number text not null check (app.can_be_seen(document_number) and length(document_number) <= 50),
  -- The same number is the same, however it is spaced.
  document_key text not null generated always as (upper(regexp_replace(document_number, '[^[:alnum:]]', '', 'g'))) stored,
  document_front_file uuid not null references app.files (id) on delete cascade,
  document_back_file uuid not null references app.files (id) on delete cascade,
  selfie_file uuid not null references app.files (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  submitted_at timestamptz not null,
  reviewed_at timestamptz,
  reviewer_id uuid references app.users (id) on delete set null,
  reject_type text check (reject_type in ('retry', 'final')),
  reasons jsonb not null default '[]',
  -- With a line of the reasons that the trader is not told.
  private_note text check (length(private_note) <= 2000),
  client_id text check (length(client_id) <= 64),
  -- Of the decision, for a reviewer who repeats it.
  decision_client_id text check (length(decision_client_id) <= 64),
  version integer not null default 1,
  check ((status = 'pending') = (reviewed_at is null)),
  check ((status = 'rejected') = (reject_type is not null)),
  unique (user_id, attempt)
);
create unique index kyc_verifications_pending on app.kyc_verifications (user_id) where status = 'pending';
create unique index kyc_verifications_once on app.kyc_verifications (user_id, client_id) where client_id is not null;
create index kyc_verifications_newest on app.kyc_verifications (status, submitted_at desc, id desc);
create index kyc_verifications_document on app.kyc_verifications (document_key);
-- What the deletion of an account asks of this table, within the engine's commit: by reviewer, and by each of its files.
create index kyc_verifications_reviewer on app.kyc_verifications (reviewer_id) where reviewer_id is not null;
create index kyc_verifications_front on app.kyc_verifications (document_front_file);
create index kyc_verifications_back on app.kyc_verifications (document_back_file);
create index kyc_verifications_selfie on app.kyc_verifications (selfie_file);

create function app.kyc_verification_is_decided_once() returns trigger language plpgsql as $$
begin
  -- Only who reviewed it may be forgotten, with that account.
  if old.status <> 'pending' and (to_jsonb(new) - 'reviewer_id') is distinct from (to_jsonb(old) - 'reviewer_id') then
    raise exception using errcode = 'check_violation', message = 'a decided identity check does not change';
  end if;
  return new;
end $$;
create trigger kyc_verification_is_decided_once before update on app.kyc_verifications
  for each row execute function app.kyc_verification_is_decided_once();

create view api.kyc_verifications as
  select id, user_id, attempt, first_name, last_name, date_of_birth, country, address, city, postal_code, document_type,
         document_number, user_id || '/document_front.jpg' as document_front_url,
         user_id || '/document_back.jpg' as document_back_url, user_id || '/selfie.jpg' as selfie_url,
         status, submitted_at, reviewed_at, reject_type, reasons, reviewer_id, private_note, version
  from app.kyc_verifications;

-- A trader has one open conversation at most. Its row is the lock under which messages are numbered.
create table app.chat_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.users (id) on delete cascade,
  status text not null default 'open' check (status in ('open', 'closed')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  closed_at timestamptz,
  support_id uuid references app.users (id) on delete set null,
  last_seq bigint not null default 0,
  version bigint not null default 1,
  trader_seen_seq bigint not null default 0,
  trader_seen_at timestamptz,
  support_seen_seq bigint not null default 0,
  -- Of the trader's first message that nobody has answered yet.
  waiting_since timestamptz,
  rating integer check (rating between 1 and 5),
  rating_comment text check (length(rating_comment) <= 500),
  rated_at timestamptz,
  check ((status = 'closed') = (closed_at is not null)),
  check (status = 'open' or waiting_since is null),
  check ((rating is null) = (rated_at is null)),
  check (trader_seen_seq <= last_seq and support_seen_seq <= last_seq)
);
create unique index chat_sessions_open on app.chat_sessions (user_id) where status = 'open';
create index chat_sessions_newest on app.chat_sessions (status, created_at desc);
create index chat_sessions_of on app.chat_sessions (user_id, created_at desc);
create index chat_sessions_support on app.chat_sessions (support_id) where support_id is not null;

-- Empty ones that their trader deleted (A65): a message from a tab that still has one of them goes to the open one.
create table app.chat_sessions_deleted (
  id uuid primary key,
  user_id uuid not null references app.users (id) on delete cascade,
  deleted_at timestamptz not null
);
create index chat_sessions_deleted_of on app.chat_sessions_deleted (user_id, deleted_at desc);

create table app.chat_messages (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references app.chat_sessions (id) on delete cascade,
  -- Whose conversation it is.
  user_id uuid not null references app.users (id) on delete cascade,
  seq bigint not null check (seq > 0),
  sender_id uuid references app.users (id) on delete set null,
  sender_role text not null check (sender_role in ('trader', 'support')),
  content text not null check (app.can_be_seen(content) and length(content) <= 4000),
  client_id text check (length(client_id) <= 64),
  created_at timestamptz not null,
  read_at timestamptz,
  unique (session_id, seq)
);
create unique index chat_messages_once on app.chat_messages (session_id, sender_id, client_id) where client_id is not null;
create index chat_messages_unread on app.chat_messages (session_id) where read_at is null;
create index chat_messages_sender on app.chat_messages (sender_id, created_at desc);
create index chat_messages_user on app.chat_messages (user_id);
create index chat_messages_when on app.chat_messages (created_at);

create view api.chat_messages as
  select m.id, m.session_id, m.user_id, m.seq, m.sender_id, m.sender_role, u.username as sender_name, m.content,
         m.created_at, m.read_at, m.client_id
  from app.chat_messages m left join app.users u on u.id = m.sender_id;

create view api.chat_sessions as
  select s.id, s.user_id, s.status, s.created_at, s.updated_at, s.closed_at, s.support_id, s.last_seq, s.version,
         s.trader_seen_seq, s.trader_seen_at, s.support_seen_seq,
         (select count(*)::int from app.chat_messages m
          where m.session_id = s.id and m.read_at is null and m.sender_role = 'trader') as unread_count,
         (select count(*)::int from app.chat_messages m
          where m.session_id = s.id and m.seq > s.trader_seen_seq and m.sender_role = 'support') as trader_unread_count,
         s.waiting_since, l.content as last_message, l.created_at as last_message_at, l.sender_role as last_sender_role,
         (select m.sender_id from app.chat_messages m
          where m.session_id = s.id and m.sender_role = 'support' order by m.seq desc limit 1) as last_agent_id,
         s.rating, s.rating_comment, s.rated_at
  from app.chat_sessions s
  left join lateral (
    select m.content, m.created_at, m.sender_role from app.chat_messages m
    where m.session_id = s.id and m.seq = s.last_seq
  ) l on true;

-- A message, and all that is decided under its session's lock: whether it is a repeat, its number and time, whether the trader
-- is told of an answer. Called by itself it is one transaction in one round trip, so the lock is held as long as PostgreSQL
-- works and no longer; every statement in it sees what was committed before the lock was had. outcome is 'written',
-- 'repeated' (written_message is what was written then), 'closed', 'too fast' (p_may_write is false) or 'missing' (there is no
-- such session within the sender's reach). With p_everywhere a repeat is looked for in all sessions of the sender.
create function app.write_chat_message(
  p_sender uuid, p_role text, p_session uuid, p_content text, p_client_id text, p_now timestamptz, p_may_write boolean,
  p_everywhere boolean, p_notice text, p_quiet interval, p_seen_quiet interval,
  out outcome text, out written_at timestamptz, out written_message json, out written_session json, out written_notice json)
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

  -- Later than everything that was written there before, in whole milliseconds.
  written_at = greatest(p_now, date_trunc('milliseconds', held.updated_at) + interval '1 millisecond');
  is_first_unseen = p_role = 'support' and not exists (
    select from app.chat_messages m
    where m.session_id = held.id and m.sender_role = 'support' and m.seq > held.trader_seen_seq);
  update app.chat_sessions s
  set last_seq = held.last_seq + 1, version = s.version + 1, updated_at = written_at,
      waiting_since = case when p_role = 'support' then null else coalesce(s.waiting_since, written_at) end
  where s.id = held.id;
  insert into app.chat_messages
    (session_id, user_id, seq, sender_id, sender_role, content, client_id, created_at, read_at)
  values (held.id, held.user_id, held.last_seq + 1, p_sender, p_role, p_content, p_client_id, written_at,
          case when p_role = 'support' then written_at end)
  returning id into message_id;
  select to_json(m) into written_message from api.chat_messages m where m.id = message_id;
  select to_json(s) into written_session from api.chat_sessions s where s.id = held.id;

  -- The trader is told of an answer unless they have been told lately and have not looked, or have looked just now.
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

-- For support's eyes. A plain row: who wrote it, beside what and when is filled in here.
create table app.chat_notes (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references app.chat_sessions (id) on delete cascade,
  author_id uuid not null references app.users (id) on delete cascade,
  author_name text,
  content text not null constraint chat_notes_content check (app.can_be_seen(content) and length(content) <= 4000),
  after_seq bigint not null default 0,
  created_at timestamptz not null default now()
);
create index chat_notes_session on app.chat_notes (session_id, created_at);
create index chat_notes_author on app.chat_notes (author_id);
create function app.chat_note_is_placed() returns trigger language plpgsql as $$
begin
  select u.username into new.author_name from app.users u where u.id = new.author_id;
  select s.last_seq into new.after_seq from app.chat_sessions s where s.id = new.session_id;
  new.after_seq = coalesce(new.after_seq, 0);
  new.created_at = clock_timestamp();
  if (select count(*) from app.chat_notes n where n.session_id = new.session_id) >= 500 then
    raise exception using errcode = 'check_violation', constraint = 'chat_notes_room', message = 'a conversation has at most 500 notes';
  end if;
  return new;
end $$;
create trigger chat_note_is_placed before insert on app.chat_notes
  for each row execute function app.chat_note_is_placed();
create view api.chat_notes as
  select id, session_id, author_id, author_name, content, after_seq, created_at from app.chat_notes;

create table app.canned_replies (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.users (id) on delete cascade,
  shortcut text not null constraint canned_replies_shortcut check (shortcut ~ '^[a-z0-9][a-z0-9-]{0,23}$'),
  content text not null constraint canned_replies_content check (app.can_be_seen(content) and length(content) <= 2000),
  updated_at timestamptz not null default now(),
  constraint canned_replies_unique unique (user_id, shortcut)
);
create function app.canned_reply_is_sound() returns trigger language plpgsql as $$
begin
  new.updated_at = clock_timestamp();
  if tg_op = 'INSERT' and (select count(*) from app.canned_replies r where r.user_id = new.user_id) >= 100 then
    raise exception using errcode = 'check_violation', constraint = 'canned_replies_room', message = 'at most 100 canned replies';
  end if;
  return new;
end $$;
create trigger canned_reply_is_sound before insert or update on app.canned_replies
  for each row execute function app.canned_reply_is_sound();
create view api.canned_replies as select id, user_id, shortcut, content, updated_at from app.canned_replies;

-- A70: everybody of support has one, nobody else.
create table app.support_details (
  user_id uuid primary key references app.users (id) on delete cascade,
  status text not null default 'offline' check (status in ('available', 'busy', 'offline')),
  level text not null default 'Agent',
  department text not null default 'Customer Support',
  working_hours jsonb not null default '{"start": "09:00", "end": "17:00", "timezone": "UTC"}',
  specializations text[] not null default '{General}'
);
create function app.support_has_details() returns trigger language plpgsql as $$
begin
  if new.role = 'support' then
    insert into app.support_details (user_id) values (new.id) on conflict do nothing;
  else
    delete from app.support_details d where d.user_id = new.id;
  end if;
  return null;
end $$;
create trigger support_has_details after insert or update of role on app.users
  for each row execute function app.support_has_details();
insert into app.support_details (user_id) select id from app.users where role = 'support';
create view api.support_details as
  select user_id, status, level, department, working_hours as "workingHours", specializations from app.support_details;

create table app.contact_forms (
  id uuid primary key default gen_random_uuid(),
  name text not null check (app.can_be_seen(name) and length(name) <= 100),
  email text not null check (length(email) between 3 and 254),
  subject text not null check (app.can_be_seen(subject) and length(subject) <= 200),
  message text not null check (app.can_be_seen(message) and length(message) <= 5000),
  status text not null default 'new' check (status in ('new', 'read', 'replied', 'archived')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reply text check (length(reply) <= 5000),
  replied_by uuid references app.users (id) on delete set null,
  replied_at timestamptz,
  -- Made by the browser: a repeated send is the same message.
  client_id text unique check (length(client_id) <= 64),
  -- Of the answer, for an administrator who repeats it.
  reply_client_id text check (length(reply_client_id) <= 64),
  version integer not null default 1
);
create index contact_forms_newest on app.contact_forms (created_at desc, id desc);
create index contact_forms_status on app.contact_forms (status, created_at desc);
create index contact_forms_replied on app.contact_forms (replied_by) where replied_by is not null;
create view api.contact_forms as
  select c.id, c.name, c.email, c.subject, c.message, c.status, c.created_at, c.updated_at, u.id as user_id, c.reply,
         c.replied_by, c.replied_at, c.version
  from app.contact_forms c left join app.users u on u.email = lower(btrim(c.email));

-- With them, the deletion of an account finds all that refers to it by an index.
create index sessions_of on app.sessions (user_id);
create index impersonations_of on app.impersonations (target_id);
