/** Files as storage-js reads them. */
import type { ListEntry } from '../../features/files/index.ts';
import type { StoredFile } from '../../platform/files/index.ts';

const etagOf = (sha256: Buffer) => `"${sha256.toString('hex')}"`;
const cacheControlOf = (seconds: number) => `max-age=${seconds}`;

/** An entry of `list()`; a folder's `id` is null. The time of the last access is not stored. */
export function entryOnWire({ name, file }: ListEntry) {
  if (file === null) {
    return {
      name,
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    };
  }
  return {
    name,
    id: file.id,
    updated_at: file.updatedAt.toISOString(),
    created_at: file.createdAt.toISOString(),
    last_accessed_at: null,
    metadata: {
      eTag: etagOf(file.sha256),
      size: file.sizeBytes,
      mimetype: file.contentType,
      cacheControl: cacheControlOf(file.cacheControlS),
      lastModified: file.updatedAt.toISOString(),
      contentLength: file.sizeBytes,
      httpStatusCode: 200,
    },
  };
}

/** The answer of `info()`, about one version. */
export const fileOnWire = (file: StoredFile) => ({
  id: file.id,
  version: file.id,
  name: file.path,
  bucket_id: file.bucket,
  created_at: file.storedAt.toISOString(),
  last_modified: file.storedAt.toISOString(),
  size: file.sizeBytes,
  cache_control: cacheControlOf(file.cacheControlS),
  content_type: file.contentType,
  etag: etagOf(file.sha256),
});

/** Headers of a file's bytes: no cache stores them, and no browser guesses another type. */
export const headersOf = (file: StoredFile, disposition: string) => ({
  'content-type': file.contentType,
  'content-length': file.sizeBytes,
  'content-disposition': disposition,
  // The styles are those of the page that a browser makes around a picture of its own.
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'same-origin',
  etag: etagOf(file.sha256),
  'last-modified': file.storedAt.toUTCString(),
});
