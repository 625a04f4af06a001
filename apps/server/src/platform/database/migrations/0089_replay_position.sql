-- Where the recording of a cluster is, written by the leader of the market: the next leader goes on there. The position is in played
-- milliseconds, as get_market_controls counts them.
create table app.replay_position (
  only_row boolean primary key default true check (only_row),
  -- A hash that tells one recording from another.
  recording text not null,
  position double precision not null,
  speed double precision not null,
  -- That of PRICE_FEED then: when it is changed there, the new one holds.
  configured_speed double precision not null,
  paused boolean not null,
  -- [{symbol, at, decision, position}]: how staff went on at jumps.
  decisions jsonb not null,
  stored_at timestamptz not null default now()
);
