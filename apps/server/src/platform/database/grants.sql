-- What the application may do, and nothing else: run again at every start, so a table of a new migration is covered.
-- It reads and writes rows; it makes, alters and empties no table, and the books are append-only for it.
revoke all on schema app, api from public, fulcrum_app;
grant usage on schema app, api to fulcrum_app;

revoke all on all tables in schema app, api from public, fulcrum_app;
grant select, insert, update, delete on all tables in schema app to fulcrum_app;
grant select on all tables in schema api to fulcrum_app;
revoke update, delete on app.ledger_entries, app.audit_log from fulcrum_app;
-- The chain over the log is written by a trigger that runs as the owner.
revoke insert, update, delete on app.audit_chain, app.audit_head from fulcrum_app;
-- Counters only ever count on: a day once counted stays counted, and only the trigger of an edit moves it.
revoke delete on app.daily_totals from fulcrum_app;
revoke update, delete on app.house_days from fulcrum_app;
-- Its one row was made by the migration, and how far the books were checked is moved but never forgotten.
revoke insert, delete on app.checkpoints from fulcrum_app;
-- When a session went with its account: its tokens are void from then on.
revoke update on app.deleted_sessions from fulcrum_app;
-- A move that staff gave a price is part of its path for good.
revoke update, delete on app.price_shocks from fulcrum_app;
revoke insert, update, delete on app.symbols_in_use from fulcrum_app;
-- A halt is lifted, never forgotten.
revoke delete on app.halts from fulcrum_app;
-- A version of a file is evidence once it is there.
revoke update, delete on app.file_uploads, app.file_chunks, app.files from fulcrum_app;
-- An attempt at an identity check, a message and a visitor's letter go with the account or not at all.
revoke delete on app.kyc_verifications, app.chat_messages, app.contact_forms from fulcrum_app;

revoke all on all sequences in schema app from public, fulcrum_app;
grant usage on all sequences in schema app to fulcrum_app;

revoke all on all functions in schema app, api from public;
grant execute on all functions in schema app, api to fulcrum_app;

-- PUBLIC may by default make temporary tables; an owner's right, so elsewhere it may stay (PostgreSQL then only warns).
do $$ begin
  execute format('revoke create, temporary on database %I from public, fulcrum_app', current_database());
  if (select nspowner = (select oid from pg_roles where rolname = current_user) from pg_namespace where nspname = 'public')
    or (select rolsuper from pg_roles where rolname = current_user) then
    revoke all on schema public from public;
  end if;
end $$;
