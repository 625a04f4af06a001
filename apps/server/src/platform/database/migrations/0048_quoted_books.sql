-- The books that an exchange streamed and an execution names (A114). A modelled one is computed again from its id; these cannot be.
create table app.quoted_books (
  symbol text not null,
  quote_id text not null,
  -- `live_best`: the best price of each side is the exchange's, the levels behind it are modelled.
  source text not null check (source in ('live', 'live_best')),
  mid numeric(28, 8) not null check (mid > 0),
  priced_at timestamptz not null,
  -- [[price, size]] as decimal texts, the best level first, of a profile and before what an account has used up.
  bids jsonb not null,
  asks jsonb not null,
  primary key (symbol, quote_id)
);
