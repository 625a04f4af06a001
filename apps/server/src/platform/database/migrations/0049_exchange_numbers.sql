-- Whole numbers below 2^53, ascending in time, by which the exchange's door names orders, executions and positions: its clients
-- know no UUIDs. A row has four of them (docs/exchange-api.md). The engine's statement does not name the column, so the default fills it.
create sequence app.exchange_numbers increment by 4 minvalue 1000 maxvalue 9007199254740988;

alter table app.orders add column number bigint;
alter table app.executions add column number bigint;
alter table app.positions add column number bigint;

-- Only accounts with net positions trade at that door; rows of other accounts, which may be millions, stay without a number.
with made as (
  select 'order' as kind, o.id, o.created_at from app.orders o where o.rules = 'perpetual'
  union all select 'position', p.id, p.created_at from app.positions p where p.rules = 'perpetual'
  union all select 'execution', e.id, e.created_at
  from app.trading_accounts a join app.executions e on e.user_id = a.id where a.rules = 'perpetual'
), numbered as materialized (
  select kind, id, nextval('app.exchange_numbers') as number from (select * from made order by created_at, kind, id) m
), orders as (
  update app.orders o set number = n.number from numbered n where n.kind = 'order' and n.id = o.id
), positions as (
  update app.positions p set number = n.number from numbered n where n.kind = 'position' and n.id = p.id
)
update app.executions e set number = n.number from numbered n where n.kind = 'execution' and n.id = e.id;

alter table app.orders alter column number set default nextval('app.exchange_numbers');
alter table app.executions alter column number set default nextval('app.exchange_numbers');
alter table app.positions alter column number set default nextval('app.exchange_numbers');
create unique index orders_number on app.orders (number) where rules = 'perpetual';
