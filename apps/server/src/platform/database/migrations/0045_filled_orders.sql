-- The fill of a position that staff have changed is not known. After 0044 and apart from it, so that the release before goes on trading: this locks no table.
update app.orders o set filled_size = o.size, filled_value = round(p.entry_price * o.size, 8)
from app.positions p where o.status = 'FILLED' and p.id = o.position_id and p.edited_at is null;

-- What is there satisfies the former, stricter rules.
alter table app.positions validate constraint positions_rules_check;
alter table app.positions validate constraint positions_entry_value;
alter table app.orders validate constraint orders_rules_check;
alter table app.orders validate constraint orders_status_check;
alter table app.orders validate constraint orders_position;
alter table app.orders validate constraint orders_reserve;
alter table app.orders validate constraint orders_filled;
