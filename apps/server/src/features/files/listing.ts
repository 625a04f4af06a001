/**
 * The contents of a folder: the newest version of each file, and the subfolders as entries. Invariant: no entry comes
 * from a path outside `reach`, for any prefix.
 *
 * Known limitation: a folder is read whole before it is paged, so the listing of a bucket's root costs as much as its
 * number of files.
 */
import type { Queryable } from '../../platform/database/index.ts';

export const sortColumns = ['name', 'updated_at', 'created_at'] as const;

export interface ListRequest {
  /** A folder, with or without its slash; '' is the root. */
  readonly prefix: string;
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: { readonly column: (typeof sortColumns)[number]; readonly order: 'asc' | 'desc' };
  /** Prefix of names, in any case; '' is all. */
  readonly search: string;
}

export interface Folder {
  readonly name: string;
  readonly file: null;
}
interface ListedFile {
  readonly name: string;
  readonly file: {
    readonly id: string;
    readonly contentType: string;
    readonly sizeBytes: number;
    readonly sha256: Buffer;
    readonly cacheControlS: number;
    /** When the first version was stored. */
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };
}
export type ListEntry = Folder | ListedFile;

interface EntryRow {
  readonly name: string;
  readonly id: string | null;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly sha256: Buffer;
  readonly cache_control_s: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export async function list(
  db: Queryable,
  bucket: string,
  readablePrefix: string,
  { prefix, limit, offset, sortBy, search }: ListRequest,
): Promise<ListEntry[]> {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  const base = folder === '' ? '' : `${folder}/`;
  // Constants of this file, not the client's text.
  const order = sortBy.order === 'desc' ? 'desc' : 'asc';
  const column = sortColumns.find((known) => known === sortBy.column) ?? 'name';
  const { rows } = await db.query<EntryRow>(
    `with newest as (
       select distinct on (path) substr(path, length($2) + 1) as rest, id, content_type, size_bytes, sha256, cache_control_s,
              stored_at as updated_at, min(stored_at) over (partition by path) as created_at
       from app.files
       where bucket = $1 and starts_with(path, $2) and starts_with(path, $3) and discarded_at is null
       order by path, version desc
     ), entries as (
       select distinct split_part(rest, '/', 1) as name, null::uuid as id, null as content_type, null::int as size_bytes,
              null::bytea as sha256, null::int as cache_control_s, null::timestamptz as updated_at,
              null::timestamptz as created_at
       from newest where position('/' in rest) > 0
       union all
       select rest, id, content_type, size_bytes, sha256, cache_control_s, updated_at, created_at
       from newest where position('/' in rest) = 0
     )
     select * from entries where starts_with(lower(name), lower($4))
     order by ${column} ${order} nulls first, name limit $5 offset $6`,
    [bucket, base, readablePrefix, search, limit, offset],
  );
  return rows.map(entryOf);
}

function entryOf(row: EntryRow): ListEntry {
  if (row.id === null) return { name: row.name, file: null };
  return {
    name: row.name,
    file: {
      id: row.id,
      contentType: row.content_type,
      sizeBytes: row.size_bytes,
      sha256: row.sha256,
      cacheControlS: row.cache_control_s,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  };
}
