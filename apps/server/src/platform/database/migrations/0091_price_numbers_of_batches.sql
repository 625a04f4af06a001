-- The number of the market's prices that a batch was decided on (decision 23): the term of its leader and the frame. Null in a process
-- alone, which numbers none, and of releases before.
alter table app.engine_batches add column price_term bigint, add column price_seq bigint;

-- The release before calls the fifth version, so the earlier ones have no caller left.
drop function if exists app.engine_write_v3;
drop type if exists app.wallet_write_v3, app.position_write_v3, app.order_write_v3, app.execution_write_v3,
  app.ledger_entry_write_v3, app.transaction_write_v3, app.notification_write_v3, app.equity_write_v3,
  app.leverage_write_v3, app.answer_write_v3, app.totals_write_v3;
drop function if exists app.engine_write_v4;
drop type if exists app.wallet_write_v4, app.position_write_v4, app.order_write_v4, app.execution_write_v4,
  app.ledger_entry_write_v4, app.transaction_write_v4, app.notification_write_v4, app.equity_write_v4,
  app.leverage_write_v4, app.answer_write_v4, app.totals_write_v4;
