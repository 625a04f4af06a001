-- Who has what open is found by account (positions_open), whatever the statistics say. The planner counts the rows of a partial
-- index by its last analyze: where nothing was open then, the index of the back office (0016), which is sorted by time, looked
-- cheaper for one account's positions, and every such lookup read the open positions of everybody. With a condition of its
-- own, which says the same (a check of the table), it serves only those who ask for everybody's by that condition.
drop index app.positions_all_open;
create index positions_all_open on app.positions (created_at desc, id desc)
  include (user_id, symbol, side, entry_price, size, leverage) where closed_at is null;

-- And the statistics are to know soon: a tenth of the rows, as by default, is a hundred thousand of a million.
alter table app.positions set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
alter table app.orders set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
