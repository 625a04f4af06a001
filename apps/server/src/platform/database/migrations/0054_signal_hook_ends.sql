-- Only traders trade: with another role the addresses for signals end for good, as API keys do, by whatever statement.
create function app.end_signal_hooks_of_user() returns trigger language plpgsql as $$
begin
  update app.signal_hooks h set revoked_at = clock_timestamp()
  from app.trading_accounts a
  where a.id = h.account_id and a.owner_id = new.id and h.revoked_at is null;
  return null;
end $$;
create trigger users_end_signal_hooks after update of role on app.users
  for each row when (old.role = 'trader' and new.role <> 'trader') execute function app.end_signal_hooks_of_user();

-- Those that a change of role left before there was the trigger.
update app.signal_hooks h set revoked_at = clock_timestamp()
from app.trading_accounts a join app.users u on u.id = a.owner_id
where a.id = h.account_id and u.role <> 'trader' and h.revoked_at is null;
