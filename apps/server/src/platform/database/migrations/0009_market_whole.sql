-- Prices of many sources: what a price is worth, bars of live sources, and what makes the simulated paths.
alter table app.last_prices
  add column state text not null default 'stale'
    check (state in ('closed', 'stale', 'delayed', 'live', 'replay', 'simulated')),
  -- The market's own time; null for a price that was stored before it was kept.
  add column market_time timestamptz;

drop view api.trading_pairs;
create view api.trading_pairs as
  select p.symbol as id, p.symbol, p.name, p.nickname, p.type, p.base_asset, p.quote_asset, p.min_price, p.max_price,
         p.tick_size, p.min_qty, p.max_qty, p.step_size, p.trading_hours, p.sort_order,
         l.price, l.price_change_percent, l.volume, l.quote_volume, l.high_24h, l.low_24h, l.source, l.state, l.priced_at,
         coalesce(l.market_open, false) as market_open
  from app.trading_pairs p left join app.last_prices l using (symbol)
  where p.listed;

-- Bars of live sources; those of the simulation and of a recording are computed. `open_time` is the bar's name as the
-- contract has it. A bar that we sampled ourselves (`sampled`) gives way to the provider's own.
create table app.candles (
  symbol text not null references app.trading_pairs (symbol),
  source text not null check (source in ('binance', 'yahoo')),
  timeframe text not null check (timeframe in ('1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M')),
  open_time timestamptz not null,
  open numeric(28, 8) not null check (open > 0),
  high numeric(28, 8) not null check (high >= greatest(open, close)),
  low numeric(28, 8) not null check (low > 0 and low <= least(open, close)),
  close numeric(28, 8) not null,
  volume numeric(28, 8) not null check (volume >= 0),
  quote_volume numeric(28, 8) not null check (quote_volume >= 0),
  sampled boolean not null,
  primary key (symbol, source, timeframe, open_time)
);
-- Retention walks the minutes by time.
create index candles_minutes on app.candles using brin (open_time) where timeframe = '1m';

-- A simulated market that took over from a live one goes on from its last price: the factor on its path.
create table app.simulated_scales (
  symbol text primary key references app.trading_pairs (symbol),
  scale double precision not null check (scale > 0 and scale < 'infinity'),
  since timestamptz not null
);

-- Moves that staff gave simulated prices. Part of the path for ever, so that the same seed gives the same price again.
create table app.price_shocks (
  id bigint generated always as identity primary key,
  symbol text not null references app.trading_pairs (symbol),
  at timestamptz not null,
  percent numeric(28, 8) not null check (percent >= -50 and percent <= 100),
  half_life_minutes numeric(28, 8) check (half_life_minutes > 0)
);

-- Symbols that somebody's money hangs on: a source does not change under them, and their prices are asked for first.
create view app.symbols_in_use as
  select distinct symbol from app.positions where status = 'open'
  union
  select distinct symbol from app.orders where status = 'NEW';
