-- The coach reads the stop orders that reduced the positions of an account.
create index orders_reducing on app.orders (user_id) where reduce_only;
