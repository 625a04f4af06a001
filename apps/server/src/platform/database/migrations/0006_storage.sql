-- Files of /storage/v1. Bytes live here, so that a backup has them and a transaction covers them.

-- One row per attempt to store a file, made before its first byte. It is what limits are counted by, and what bytes of
-- an attempt that never ended are found and swept by.
create table app.file_uploads (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references app.users (id) on delete cascade,
  started_at timestamptz not null
);
create index file_uploads_owner on app.file_uploads (owner_id, started_at);

create table app.file_chunks (
  upload_id uuid not null references app.file_uploads (id) on delete cascade,
  position integer not null check (position >= 0),
  content bytea not null check (length(content) between 1 and 262144),
  primary key (upload_id, position)
);
-- Pictures are compressed already.
alter table app.file_chunks alter column content set storage external;

-- One row per version of a file; it appears when all its bytes are there. The highest version is what a path leads to,
-- the earlier ones are evidence (A57): the application's role may not change or delete any of these rows.
create table app.files (
  id uuid primary key references app.file_uploads (id) on delete cascade,
  bucket text not null,
  -- Compared by bytes, which is the order of a listing and lets the index find a folder.
  path text collate "C" not null check (length(path) between 1 and 200),
  version integer not null check (version > 0),
  owner_id uuid not null references app.users (id) on delete cascade,
  content_type text not null,
  size_bytes integer not null check (size_bytes > 0),
  chunks integer not null check (chunks > 0),
  sha256 bytea not null check (length(sha256) = 32),
  -- As the client sent it; downloads answer no-store whatever it says (A59).
  cache_control_s integer not null check (cache_control_s >= 0),
  stored_at timestamptz not null,
  unique (bucket, path, version)
);
create index files_owner on app.files (owner_id);

-- The one way by which the application removes bytes: those of attempts that did not become a file, one (p_upload) or all
-- that started before p_started_before. It runs as the owner of the tables. An attempt that is being finished at this
-- moment is locked and left alone. The attempt itself is forgotten later, at p_forget_before: limits count it.
create function app.discard_unfinished_uploads(
  p_upload uuid, p_started_before timestamptz, p_forget_before timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_upload record;
begin
  for v_upload in
    select u.id, u.started_at from app.file_uploads u
    where (p_upload is null or u.id = p_upload) and u.started_at < p_started_before
      and not exists (select from app.files f where f.id = u.id)
    for update skip locked
  loop
    -- Asked again under the lock: it may have been finished after the look at all of them.
    continue when exists (select from app.files f where f.id = v_upload.id);
    delete from app.file_chunks c where c.upload_id = v_upload.id;
    if v_upload.started_at < p_forget_before then
      delete from app.file_uploads u where u.id = v_upload.id;
    end if;
  end loop;
end $$;
