-- Web Push: the devices of a trader that get notifications while the app is closed. One subscription per session, so it ends
-- with the session. No view shows the endpoint or the keys: with them anybody could send to the device.
create table app.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.users (id) on delete cascade,
  session_id uuid not null unique references app.sessions (id) on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 1024 and endpoint like 'https://%'),
  p256dh bytea not null check (length(p256dh) = 65),
  auth bytea not null check (length(auth) = 16),
  -- The server's public key that the browser subscribed with; another key cannot send to it.
  server_key text not null,
  created_at timestamptz not null,
  last_sent_at timestamptz
);
create index push_subscriptions_user on app.push_subscriptions (user_id);

-- The queue: a row per notification and device, written with the notification and deleted when the push service accepts it.
create table app.push_deliveries (
  subscription_id uuid not null references app.push_subscriptions (id) on delete cascade,
  notification_id uuid not null references app.notifications (id) on delete cascade,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  primary key (subscription_id, notification_id)
);
create index push_deliveries_due on app.push_deliveries (next_attempt_at);
create index push_deliveries_notification on app.push_deliveries (notification_id);

-- Every writer of notifications fills the queue in its own transaction. At most 20 wait for a device; the rest is only in the
-- app's list. What is older than the subscription is never sent to it. A subscription that is being deleted is skipped: the
-- engine must not wait for a log-out.
create function app.queue_push() returns trigger language plpgsql as $$
begin
  if not exists (select from app.push_subscriptions) then
    return null;
  end if;
  insert into app.push_deliveries (subscription_id, notification_id, next_attempt_at)
    select s.id, n.id, n.created_at
    from (
      select id, user_id, created_at, row_number() over (partition by user_id order by created_at, id) as place
      from written) n
    join app.push_subscriptions s on s.user_id = n.user_id and s.created_at <= n.created_at
    where n.place + (select count(*) from app.push_deliveries d where d.subscription_id = s.id) <= 20
    for key share of s skip locked
    on conflict do nothing;
  return null;
end $$;
create trigger notifications_queue_push after insert on app.notifications
  referencing new table as written for each statement execute function app.queue_push();

-- Every end of a session ends its subscription: log-out, revocation, a new password, another role.
create function app.end_push() returns trigger language plpgsql as $$
begin
  delete from app.push_subscriptions where session_id = new.id;
  return null;
end $$;
create trigger sessions_end_push after update of revoked_at on app.sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function app.end_push();
