-- The retention of pictures that were uploaded for an identity check and never submitted: those that were stored before
-- p_stored_before and belong to no attempt, of at most p_users_max users at once. A submission holds the lock of
-- its user and sets the status to pending, so a user who submits at this moment is left alone. It runs as the owner of the tables.
-- Returns the users who had such pictures.
create function app.discard_unsubmitted_pictures(p_stored_before timestamptz, p_at timestamptz, p_users_max integer)
returns table (user_id uuid, pictures integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query
    with owners as (
      select u.id from app.users u
      where u.kyc_status <> 'pending' and exists (
        select from app.files f
        where f.owner_id = u.id and f.bucket = 'kyc-documents' and f.discarded_at is null
          and f.stored_at < p_stored_before
          and not exists (
            select from app.kyc_verifications v where v.user_id = u.id
              and f.id in (v.document_front_file, v.document_back_file, v.selfie_file)))
      order by u.id limit p_users_max for no key update skip locked
    ), discarded as (
      update app.files f set discarded_at = p_at from owners
      where f.owner_id = owners.id and f.bucket = 'kyc-documents' and f.discarded_at is null
        and f.stored_at < p_stored_before
        and not exists (
          select from app.kyc_verifications v where v.user_id = owners.id
            and f.id in (v.document_front_file, v.document_back_file, v.selfie_file))
      returning f.id, f.owner_id
    ), removed as (
      delete from app.file_chunks c using discarded d where c.upload_id = d.id
    )
    select d.owner_id, count(*)::integer from discarded d group by d.owner_id;
end $$;
