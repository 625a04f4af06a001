-- The catalogue, the last price of each symbol (written at most once a second, behind memory), and favourites.
create table app.trading_pairs (
  symbol text primary key check (length(symbol) between 1 and 32),
  name text not null,
  nickname text,
  type text not null check (type in ('crypto', 'stock', 'forex', 'commodity', 'index')),
  base_asset text not null,
  quote_asset text not null,
  min_price numeric(28, 8) not null check (min_price > 0),
  max_price numeric(28, 8) not null check (max_price > min_price),
  tick_size numeric(28, 8) not null check (tick_size > 0),
  min_qty numeric(28, 8) not null check (min_qty > 0),
  max_qty numeric(28, 8) not null check (max_qty >= min_qty),
  step_size numeric(28, 8) not null check (step_size > 0),
  trading_hours text not null,
  sort_order integer not null,
  listed boolean not null default true
);

create table app.last_prices (
  symbol text primary key references app.trading_pairs (symbol),
  price numeric(28, 8) not null check (price > 0),
  price_change_percent numeric(28, 8),
  volume numeric(28, 8) not null default 0,
  quote_volume numeric(28, 8) not null default 0,
  high_24h numeric(28, 8),
  low_24h numeric(28, 8),
  source text not null check (source in ('simulated', 'replay', 'binance', 'yahoo')),
  priced_at timestamptz not null,
  market_open boolean not null
);

create table app.favorites (
  user_id uuid not null references app.users (id) on delete cascade,
  -- In the normal form of RULE-39: upper case, only A-Z and 0-9.
  symbol text not null check (symbol ~ '^[A-Z0-9]{1,32}$'),
  created_at timestamptz not null default now(),
  primary key (user_id, symbol)
);

-- More stars than there can be markets are a mistake or an attack.
create function app.favorites_are_bounded() returns trigger language plpgsql as $$
begin
  if exists (select from app.favorites where user_id in (select user_id from inserted)
             group by user_id having count(*) > 1000) then
    raise exception 'at most 1000 favorites' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger favorites_are_bounded after insert on app.favorites
  referencing new table as inserted for each statement execute function app.favorites_are_bounded();

create view api.trading_pairs as
  select p.symbol as id, p.symbol, p.name, p.nickname, p.type, p.base_asset, p.quote_asset, p.min_price, p.max_price,
         p.tick_size, p.min_qty, p.max_qty, p.step_size, p.trading_hours, p.sort_order,
         l.price, l.price_change_percent, l.volume, l.quote_volume, l.high_24h, l.low_24h, l.source, l.priced_at,
         coalesce(l.market_open, false) as market_open
  from app.trading_pairs p left join app.last_prices l using (symbol)
  where p.listed;

create view api.favorites as select user_id, symbol, created_at from app.favorites;
