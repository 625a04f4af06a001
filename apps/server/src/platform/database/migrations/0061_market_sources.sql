-- Which markets PRICE_FEED=auto serves by their provider, as the first leader of a cluster chose. A later leader, after a crash or a
-- planned change, keeps to it: another choice would hold the prices of open positions. To choose again, delete the rows and restart.
create table app.market_sources (
  market text primary key check (market in ('crypto', 'stock', 'forex', 'commodity', 'index')),
  -- Why the market is simulated instead; null: its provider serves it.
  unused_because text,
  chosen_at timestamptz not null default now()
);
