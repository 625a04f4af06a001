-- A journal has room for so many entries of all accounts of its user (A112): practice accounts add none.
create or replace function app.journal_has_room() returns trigger language plpgsql as $$
declare
  writer uuid;
begin
  for writer in
    select distinct a.owner_id from written w join app.trading_accounts a on a.id = w.user_id order by a.owner_id
  loop
    -- Who waits here counts afterwards what the other one has written.
    perform pg_advisory_xact_lock(hashtext('app.journal_entries'), hashtext(writer::text));
    if (select count(*) from app.trading_accounts a join app.journal_entries e on e.user_id = a.id
        where a.owner_id = writer) > 10000 then
      raise exception using errcode = 'check_violation', constraint = 'journal_entries_room', message = 'a journal holds at most 10000 entries';
    end if;
  end loop;
  return null;
end $$;

-- A deletion books every account of the user out first. One that was opened since the engine read which there are still has its
-- money: the batch is refused, and the next one knows the account.
create function app.account_is_booked_out() returns trigger language plpgsql as $$
begin
  if exists (select from app.wallets w where w.user_id = old.id and w.balance <> 0) then
    raise exception 'account % still has money', old.id using errcode = 'ZE002';
  end if;
  return old;
end $$;
create trigger account_is_booked_out before delete on app.trading_accounts for each row when (old.kind <> 'main')
  execute function app.account_is_booked_out();

-- A row of no account. Where statistics say that the table is empty, the planner reads it again for every row of a list: 40 times the
-- cost of the list. With one row it hashes the table.
insert into app.other_accounts (id, owner_id)
values ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
