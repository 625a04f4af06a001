-- From which ledger entry on a loss beyond a margin is first paid by the other side of its symbol: older ones were booked to
-- the insurance at once, and are not held to what came later.
alter table app.checkpoints add column offset_since bigint not null default 0;
update app.checkpoints set offset_since = coalesce((select max(id) from app.ledger_entries), 0);
