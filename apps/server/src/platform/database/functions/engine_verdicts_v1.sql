-- Writes the verdicts of a batch on challenges, and ends their accounts; called in the statement of the batch, before `engine_write`, which has the
-- fence. p_verdicts: [{account_id, outcome, rule, decided_at, marks, arithmetic}].
-- Raises ZE002 for a verdict on an account that is in no challenge, or has one.
create function app.engine_verdicts_v1(p_verdicts jsonb, p_at timestamptz) returns void language plpgsql as $$
declare
  touched integer;
begin
  insert into app.program_verdicts
    (account_id, program_id, attempt, step, outcome, rule, decided_at, marks, arithmetic, created_at)
  select a.id, a.program_id, a.program_attempt, a.program_step, v.outcome, v.rule, v.decided_at, v.marks, v.arithmetic, p_at
  from jsonb_to_recordset(p_verdicts)
    as v (account_id uuid, outcome text, rule text, decided_at timestamptz, marks jsonb, arithmetic jsonb)
  join app.trading_accounts a on a.id = v.account_id and a.status = 'active';
  get diagnostics touched = row_count;
  if touched <> jsonb_array_length(p_verdicts) then
    raise exception 'a verdict on no account in a challenge' using errcode = 'ZE002';
  end if;
  update app.trading_accounts a set status = 'archived', archived_at = p_at, updated_at = p_at
  from jsonb_to_recordset(p_verdicts) as v (account_id uuid) where a.id = v.account_id;
end $$;
