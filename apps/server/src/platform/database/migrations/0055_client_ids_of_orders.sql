-- The exchange's door finds orders by the client's own name and take profits by the number of their position. Only accounts with net
-- positions trade there; rows of other accounts are in neither index. The engine changes none of the columns.
create index orders_client_id on app.orders (user_id, client_id, created_at) where rules = 'perpetual' and client_id is not null;
create index positions_number on app.positions (number) where rules = 'perpetual';
