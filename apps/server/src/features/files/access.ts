/**
 * Permissions on paths, from the contract's buckets and nothing else. Invariant: default deny. A caller who may not
 * read a path gets the same answer whether or not the file exists. During impersonation no file is accessible (A45).
 */
import {
  type Bucket,
  type BucketAccess,
  bucketByName,
  type Caller,
  type FolderScope,
  isImpersonating,
  type SignedIn,
} from '@fulcrum/contract';
import { FileError } from './errors.ts';

/** The rights of a signed-in caller in a bucket. */
interface Permission {
  readonly caller: SignedIn;
  readonly bucket: Bucket;
  readonly access: BucketAccess;
}

/** @throws FileError `bucket_unknown`, `not_signed_in`, `while_impersonating`, `role_not_allowed` */
function permissionIn(caller: Caller, bucketName: string): Permission {
  const bucket = bucketByName.get(bucketName);
  if (!bucket) throw new FileError('bucket_unknown');
  if (caller.role === 'anon') throw new FileError('not_signed_in');
  if (isImpersonating(caller)) throw new FileError('while_impersonating');
  const access = bucket.access[caller.role];
  if (!access) throw new FileError('role_not_allowed');
  return { caller, bucket, access };
}

const folderOf = (userId: string) => `${userId}/`;

/**
 * `path` is null when the request names no valid path.
 * @throws FileError also `folder_foreign`; `path_invalid` for a file name that the bucket does not accept
 */
export function requireUpload(
  caller: Caller,
  bucketName: string,
  path: string | null,
): Permission & { readonly path: string } {
  const permission = permissionIn(caller, bucketName);
  if (!permission.access.upload) throw new FileError('role_not_allowed');
  if (path === null) throw new FileError('path_invalid');
  const own = folderOf(permission.caller.userId);
  if (!path.startsWith(own)) throw new FileError('folder_foreign');
  if (!permission.bucket.fileName.test(path.slice(own.length))) throw new FileError('path_invalid');
  return { ...permission, path };
}

/** @throws FileError also `object_unknown` for a path that the caller may not read */
export function requireRead(caller: Caller, bucketName: string, path: string): Permission {
  const { permission, readablePrefix } = requireReader(caller, bucketName);
  if (!path.startsWith(readablePrefix)) throw new FileError('object_unknown');
  return permission;
}

/** The bucket, its reader and the prefix of all readable paths; '' is all. @throws FileError */
export function requireReader(
  caller: Caller,
  bucketName: string,
): { readonly permission: Permission; readonly readablePrefix: string } {
  const permission = permissionIn(caller, bucketName);
  const { read } = permission.access;
  if (!read) throw new FileError('role_not_allowed');
  return { permission, readablePrefix: getReadablePrefix(read, permission.caller) };
}

/** The bucket and the prefix of all paths in the caller's listings; '' is all. @throws FileError */
export function requireList(
  caller: Caller,
  bucketName: string,
): { readonly bucket: Bucket; readonly readablePrefix: string } {
  const { bucket, access, caller: signedIn } = permissionIn(caller, bucketName);
  if (!access.list) throw new FileError('role_not_allowed');
  return { bucket, readablePrefix: getReadablePrefix(access.list, signedIn) };
}

const getReadablePrefix = (scope: FolderScope, caller: SignedIn): string =>
  scope === 'all' ? '' : folderOf(caller.userId);
