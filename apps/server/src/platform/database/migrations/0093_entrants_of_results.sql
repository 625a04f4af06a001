-- How many entrants a contest's result has: it keeps those whose user was deleted since. Null for a challenge.
alter table app.program_results add column entrants integer
  generated always as (jsonb_array_length(document::jsonb -> 'entrants')) stored;
