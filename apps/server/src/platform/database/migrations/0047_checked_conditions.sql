-- What is there satisfies the former, stricter rules. Apart from 0046, so that the release before goes on trading.
alter table app.orders validate constraint orders_type_check;
alter table app.orders validate constraint orders_price;
alter table app.orders validate constraint orders_size_check;
alter table app.orders validate constraint orders_filled;
alter table app.orders validate constraint orders_trail;
alter table app.orders validate constraint orders_time_in_force_check;
alter table app.orders validate constraint orders_expiry;
alter table app.orders validate constraint orders_arrival;
