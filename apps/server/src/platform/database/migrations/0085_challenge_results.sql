-- An attempt that passes a challenge has a result as a contest has: a document, its hash in the audit chain. 0 is the result of a contest.
alter table app.program_results add column attempt integer not null default 0 check (attempt >= 0);
alter table app.program_results drop constraint program_results_pkey;
alter table app.program_results add primary key (program_id, attempt);
create index program_verdicts_passed on app.program_verdicts (created_at) where outcome = 'passed';
