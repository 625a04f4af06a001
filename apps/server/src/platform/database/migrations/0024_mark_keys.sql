-- The audit log stands for an email, name or phone number by a mark (SEC-F9). It is made with a key of the person's own, which is
-- deleted with the account: from then on nobody can find the value by trying, neither from the log nor from a later backup.
-- Marks of before stay as they are, because no row of the log is ever changed.
alter table app.credentials add column mark_key bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
  check (length(mark_key) = 32);
