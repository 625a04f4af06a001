-- What ends with a session, and what is looked for by age or by person.

-- A session that is deleted takes its impersonations with it; the unique index covers the live ones only.
create index impersonations_session on app.impersonations (session_id);
-- For the sessions that ran out (`pruneSessions`).
create index sessions_created on app.sessions (created_at);
-- For the notices that one recipient was sent within a day.
create index mails_recipient on app.mails (recipient, created_at);

comment on table app.impersonations is
  'One row per impersonation, named by access tokens (act.id). Rows are deleted with their session, a week after its end; '
  'the evidence is app.audit_log, which has the start, the reason and the end of each and cannot be changed or deleted.';
