-- Who works on an identity check, and until when. No column of the view: only the review's procedures read them. A decision
-- clears them, so a decided row stays as it is when the claimer's account goes.
alter table app.kyc_verifications
  add column claimed_by uuid references app.users (id) on delete set null,
  add column claimed_until timestamptz,
  -- Of the claim, for a reviewer who repeats it.
  add column claim_client_id text check (length(claim_client_id) <= 64),
  add check (status = 'pending' or claimed_by is null);
create index kyc_verifications_claimed on app.kyc_verifications (claimed_by) where claimed_by is not null;

-- The bytes of such a version are deleted. Its row stays with its hash, by which a duplicate is still found.
alter table app.files add column discarded_at timestamptz;
-- What the retention looks for: decided attempts by the time of their decision.
create index kyc_verifications_decided on app.kyc_verifications (reviewed_at) where status <> 'pending';

-- The one way by which the application removes the bytes of a stored picture: those of the attempts that were decided before
-- p_decided_before, at most p_attempts_max at once, the oldest first. A picture belongs to one attempt. It runs as the owner of
-- the tables. Returns the attempts that had pictures.
create function app.discard_kyc_pictures(p_decided_before timestamptz, p_at timestamptz, p_attempts_max integer)
returns table (id uuid, user_id uuid, attempt integer, pictures integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query
    with due as (
      select v.id, v.user_id, v.attempt, array[v.document_front_file, v.document_back_file, v.selfie_file] as files
      from app.kyc_verifications v
      where v.status <> 'pending' and v.reviewed_at < p_decided_before
        and exists (
          select from app.files f
          where f.id in (v.document_front_file, v.document_back_file, v.selfie_file) and f.discarded_at is null)
      order by v.reviewed_at limit p_attempts_max
    ), discarded as (
      update app.files f set discarded_at = p_at from due
      where f.id = any(due.files) and f.discarded_at is null returning f.id, due.id as attempt_id
    ), removed as (
      delete from app.file_chunks c using discarded d where c.upload_id = d.id
    )
    select due.id, due.user_id, due.attempt, count(d.id)::integer
    from due join discarded d on d.attempt_id = due.id group by due.id, due.user_id, due.attempt;
end $$;
