-- A day of the house that was counted follows what staff edit later in the times of a position. It is moved by the difference
-- and not counted again: who traded on it may have been deleted since, and stays counted. Before each row, because rows of the
-- same statement then see each other: two positions of one person that leave a day take them out of it once.
create function app.house_days_follow() returns trigger language plpgsql security definer
  set search_path = pg_catalog, app, pg_temp as $$
declare
  was date[] := array_remove(array[(old.created_at at time zone 'utc')::date, (old.closed_at at time zone 'utc')::date], null);
  now_is date[] := array_remove(array[(new.created_at at time zone 'utc')::date, (new.closed_at at time zone 'utc')::date], null);
begin
  -- A day that is being counted meanwhile is counted before this, or after it: the counter takes the same lock alone.
  perform pg_advisory_xact_lock_shared(4617316);
  update app.house_days h set
    active_traders = greatest(0, h.active_traders + case
      when exists (
        select from app.positions p
        where p.user_id = new.user_id and p.id <> new.id
          and h.day in ((p.created_at at time zone 'utc')::date, (p.closed_at at time zone 'utc')::date)) then 0
      else (h.day = any (now_is))::int - (h.day = any (was))::int end),
    liquidations = greatest(0, h.liquidations
      + coalesce(new.close_reason = 'liquidation' and h.day = (new.closed_at at time zone 'utc')::date, false)::int
      - coalesce(old.close_reason = 'liquidation' and h.day = (old.closed_at at time zone 'utc')::date, false)::int)
  where h.day = any (was || now_is);
  return new;
end $$;

-- A close gives its position a time it had not: that day is not counted yet.
create trigger house_days_follow before update on app.positions for each row
  when (old.created_at is distinct from new.created_at
    or (old.closed_at is not null and old.closed_at is distinct from new.closed_at))
  execute function app.house_days_follow();
