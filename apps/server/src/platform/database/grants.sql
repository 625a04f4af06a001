-- The complete rights of the application's role, applied at every start, so they cover tables of new migrations. The role
-- reads and writes rows; it creates, alters and truncates no table, and the ledger is append-only for it.
revoke all on schema app, api from public, fulcrum_app;
grant usage on schema app, api to fulcrum_app;

revoke all on all tables in schema app, api from public, fulcrum_app;
grant select, insert, update, delete on all tables in schema app to fulcrum_app;
grant select on all tables in schema api to fulcrum_app;
revoke update, delete on app.ledger_entries, app.audit_log from fulcrum_app;
-- A trigger that runs as the owner writes the chain over the log.
revoke insert, update, delete on app.audit_chain, app.audit_head from fulcrum_app;
-- Counters only grow: a counted day stays counted, and only the trigger of an edit moves it.
revoke delete on app.daily_totals from fulcrum_app;
revoke update, delete on app.house_days from fulcrum_app;
-- The migration inserts its one row; the position of the last ledger check moves but is never deleted.
revoke insert, delete on app.checkpoints from fulcrum_app;
-- The time when a session was deleted with its account: its tokens are void from then on.
revoke update on app.deleted_sessions from fulcrum_app;
-- A price shock that staff applied stays part of its path.
revoke update, delete on app.price_shocks from fulcrum_app;
-- A market that was in force stays as well: its bars are computed from it.
revoke update, delete on app.simulated_paths from fulcrum_app;
revoke insert, update, delete on app.symbols_in_use from fulcrum_app;
-- The migration inserts its rows; an engine takes slots and gives them back.
revoke insert, delete on app.engine_slots from fulcrum_app;
-- The migration inserts its rows; a process takes a duty and gives it back.
revoke insert, delete on app.duties from fulcrum_app;
revoke update on app.replica_marks from fulcrum_app;
-- The settings of a cluster are replaced as a whole.
revoke update on app.cluster_settings from fulcrum_app;
-- A choice of sources stands until the operator removes it.
revoke update, delete on app.market_sources from fulcrum_app;
revoke delete on app.replay_position from fulcrum_app;
-- Whose an account was stays known.
revoke update, delete on app.other_accounts from fulcrum_app;
-- What was filled stays as it was filled, and the book that it was filled on.
revoke update, delete on app.executions, app.quoted_books from fulcrum_app;
-- A link leads where it led when it was requested.
revoke update on app.export_links from fulcrum_app;
-- A class and its history stay.
revoke delete on app.classes from fulcrum_app;
revoke update on app.class_tutors from fulcrum_app;
-- A contest and its result stay.
revoke delete on app.programs from fulcrum_app;
revoke update, delete on app.program_results, app.program_markets from fulcrum_app;
-- What a challenge has decided stays as it was decided.
revoke update, delete on app.program_verdicts from fulcrum_app;
-- An invitation is revoked, never deleted; an import stays whose it was.
revoke delete on app.invitations from fulcrum_app;
revoke update, delete on app.user_imports from fulcrum_app;
-- A message that was sent stays as it was.
revoke update, delete on app.class_messages from fulcrum_app;
revoke update on app.imported_users from fulcrum_app;
-- A halt is lifted, never deleted.
revoke delete on app.halts from fulcrum_app;
-- A version of a file is evidence once it exists.
revoke update, delete on app.file_uploads, app.file_chunks, app.files from fulcrum_app;
-- An identity check, a chat message and a contact form are deleted only with the account.
revoke delete on app.kyc_verifications, app.chat_messages, app.contact_forms from fulcrum_app;

revoke all on all sequences in schema app from public, fulcrum_app;
grant usage on all sequences in schema app to fulcrum_app;

revoke all on all functions in schema app, api from public;
grant execute on all functions in schema app, api to fulcrum_app;

-- PUBLIC may create temporary tables by default; revoking needs an owner, so elsewhere PostgreSQL only warns.
do $$ begin
  execute format('revoke create, temporary on database %I from public, fulcrum_app', current_database());
  if (select nspowner = (select oid from pg_roles where rolname = current_user) from pg_namespace where nspname = 'public')
    or (select rolsuper from pg_roles where rolname = current_user) then
    revoke all on schema public from public;
  end if;
end $$;
