-- What support did, computed from messages, closes and ratings (A69). Nothing is stored. Each figure has one formula, here;
-- the view by day and the procedure get_support_metrics both read it. docs/people.md defines the figures.
-- A conversation is opened by its first message: one without any was never had. Where p_agent is null, all agents count.

create index chat_messages_opened on app.chat_messages (created_at) include (session_id) where seq = 1;
create index chat_messages_answers on app.chat_messages (created_at) include (session_id) where sender_role = 'support';
create index chat_messages_answers_of on app.chat_messages (session_id, seq) include (sender_id, created_at) where sender_role = 'support';
create index chat_messages_asked on app.chat_messages (session_id, seq) include (created_at) where sender_role = 'trader';
create index chat_sessions_closed on app.chat_sessions (closed_at) where closed_at is not null;
create index chat_sessions_waiting on app.chat_sessions (waiting_since) where waiting_since is not null;

-- The waits that ended with an agent's message in [p_from, p_to), credited to who sent it. Messages of the trader in a row
-- are one wait, from the first of them on: the message after the agents' last one, unless that is an agent's again.
-- is_first marks the first wait of its conversation.
create function app.support_waits(p_from timestamptz, p_to timestamptz, p_agent uuid)
returns table (session_id uuid, agent_id uuid, seconds double precision, is_first boolean)
language sql stable as $$
  with answers as (
    select m.session_id, m.seq, m.sender_id, m.created_at,
           coalesce(lag(m.seq) over (partition by m.session_id order by m.seq), 0) as answered_seq
    from app.chat_messages m
    where m.sender_role = 'support' and m.session_id in (
      select a.session_id from app.chat_messages a
      where a.sender_role = 'support' and a.created_at >= p_from and a.created_at < p_to
        and (p_agent is null or a.sender_id = p_agent))
  ), waits as (
    select a.session_id, a.sender_id, a.created_at, t.created_at as since,
           row_number() over (partition by a.session_id order by a.seq) as number
    from answers a
    join app.chat_messages t
      on t.session_id = a.session_id and t.seq = a.answered_seq + 1 and t.sender_role = 'trader'
  )
  -- A clock that was set back makes no negative wait.
  select w.session_id, w.sender_id, greatest(0, extract(epoch from w.created_at - w.since))::double precision, w.number = 1
  from waits w
  where w.created_at >= p_from and w.created_at < p_to and (p_agent is null or w.sender_id = p_agent)
$$;

-- The conversations opened in [p_from, p_to), of an agent those that they wrote in or closed, and what became of them.
create function app.support_opened(p_from timestamptz, p_to timestamptz, p_agent uuid)
returns table (session_id uuid, closed_by uuid, is_closed boolean, is_answered boolean)
language sql stable as $$
  select s.id, s.support_id, s.status = 'closed',
         exists (select from app.chat_messages a where a.session_id = s.id and a.sender_role = 'support')
  from app.chat_messages o join app.chat_sessions s on s.id = o.session_id
  where o.seq = 1 and o.created_at >= p_from and o.created_at < p_to
    and (p_agent is null or s.support_id = p_agent
      or exists (select from app.chat_messages a where a.session_id = s.id and a.sender_id = p_agent))
$$;

-- The conversations closed in [p_from, p_to), credited to who closed them: how long since the trader's first message (null
-- where the trader never wrote), and the trader's rating.
create function app.support_closings(p_from timestamptz, p_to timestamptz, p_agent uuid)
returns table (session_id uuid, agent_id uuid, seconds double precision, rating integer)
language sql stable as $$
  select s.id, s.support_id,
         case when f.at is not null then greatest(0, extract(epoch from s.closed_at - f.at))::double precision end, s.rating
  from app.chat_sessions s
  left join lateral (
    select m.created_at as at from app.chat_messages m
    where m.session_id = s.id and m.sender_role = 'trader' order by m.seq limit 1
  ) f on true
  where s.closed_at >= p_from and s.closed_at < p_to and s.last_seq > 0 and (p_agent is null or s.support_id = p_agent)
$$;

-- The conversations that were open at p_at with a message in the 24 hours before it; of an agent those they wrote in.
create function app.support_active(p_at timestamptz, p_agent uuid) returns bigint
language sql stable as $$
  select count(*) from app.chat_sessions s
  where (s.closed_at is null or s.closed_at > p_at)
    and s.id in (select m.session_id from app.chat_messages m
                 where m.created_at > p_at - interval '24 hours' and m.created_at <= p_at)
    and (p_agent is null or exists (
      select from app.chat_messages a where a.session_id = s.id and a.sender_id = p_agent and a.created_at <= p_at))
$$;

-- Messages in [p_from, p_to): of both sides, or of one agent.
create function app.support_interactions(p_from timestamptz, p_to timestamptz, p_agent uuid) returns bigint
language sql stable as $$
  select count(*) from app.chat_messages m
  where m.created_at >= p_from and m.created_at < p_to and (p_agent is null or m.sender_id = p_agent)
$$;

-- By UTC day, today last, of the last 400 days since the first message. A day is reckoned only where it is asked for:
-- the condition on the date meets the list of days before any figure is.
create or replace view api.support_metrics as
  select d.day::date as date, o.sessions as "totalSessions", w.mean as "averageResponseTime",
         o.resolved as "resolutionRate", c.satisfied as "customerSatisfaction",
         app.support_active(least(now(), (d.day + interval '1 day') at time zone 'UTC'), null)::int as "activeChats",
         app.support_interactions(d.day at time zone 'UTC', (d.day + interval '1 day') at time zone 'UTC', null)::int
           as "dailyInteractions"
  from generate_series(
         greatest(
           coalesce((select min(m.created_at) from app.chat_messages m) at time zone 'UTC', now() at time zone 'UTC')::date,
           (now() at time zone 'UTC')::date - 399)::timestamp,
         (now() at time zone 'UTC')::date::timestamp, interval '1 day') as d (day)
  cross join lateral (
    select avg(w.seconds)::numeric as mean
    from app.support_waits(d.day at time zone 'UTC', (d.day + interval '1 day') at time zone 'UTC', null) w) w
  cross join lateral (
    select count(*)::int as sessions,
           (100 * count(*) filter (where o.is_closed and o.is_answered))::numeric / nullif(count(*), 0) as resolved
    from app.support_opened(d.day at time zone 'UTC', (d.day + interval '1 day') at time zone 'UTC', null) o) o
  cross join lateral (
    select (100 * count(*) filter (where c.rating >= 4))::numeric / nullif(count(c.rating), 0) as satisfied
    from app.support_closings(d.day at time zone 'UTC', (d.day + interval '1 day') at time zone 'UTC', null) c) c;
