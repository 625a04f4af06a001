/**
 * Who may do what with which path, from the contract's buckets and nothing else. Invariant: default deny. Whoever may not
 * read a path learns nothing about it: the answer is the same whether something is there or not. While a staff member acts
 * as somebody else, files are out of reach altogether (A45).
 */
import {
  type Bucket,
  type BucketAccess,
  bucketByName,
  type Caller,
  type FolderScope,
  isActing,
  type SignedIn,
} from '@fulcrum/contract';
import { FileError } from './errors.ts';

/** What somebody signed in may do in a bucket. */
export interface Permission {
  readonly caller: SignedIn;
  readonly bucket: Bucket;
  readonly access: BucketAccess;
}

/** @throws FileError `bucket_unknown`, `not_signed_in`, `while_acting`, `role_not_allowed` */
function permissionIn(caller: Caller, bucketName: string): Permission {
  const bucket = bucketByName.get(bucketName);
  if (!bucket) throw new FileError('bucket_unknown');
  if (caller.role === 'anon') throw new FileError('not_signed_in');
  if (isActing(caller)) throw new FileError('while_acting');
  const access = bucket.access[caller.role];
  if (!access) throw new FileError('role_not_allowed');
  return { caller, bucket, access };
}

const folderOf = (userId: string) => `${userId}/`;

/**
 * `path` is null when the request names none that an object can have.
 * @throws FileError also `folder_foreign`; `path_invalid` for a file name that the bucket does not take
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

/** @throws FileError also `object_unknown` for a path outside the caller's reach */
export function requireRead(caller: Caller, bucketName: string, path: string): Permission {
  const { permission, reach } = requireReader(caller, bucketName);
  if (!path.startsWith(reach)) throw new FileError('object_unknown');
  return permission;
}

/** The bucket's reader and the beginning of all paths that they read; '' is all. @throws FileError */
export function requireReader(
  caller: Caller,
  bucketName: string,
): { readonly permission: Permission; readonly reach: string } {
  const permission = permissionIn(caller, bucketName);
  const { read } = permission.access;
  if (!read) throw new FileError('role_not_allowed');
  return { permission, reach: reachOf(read, permission.caller) };
}

/** The bucket and the beginning of all paths in the caller's listings; '' is all. @throws FileError */
export function requireList(
  caller: Caller,
  bucketName: string,
): { readonly bucket: Bucket; readonly reach: string } {
  const { bucket, access, caller: signedIn } = permissionIn(caller, bucketName);
  if (!access.list) throw new FileError('role_not_allowed');
  return { bucket, reach: reachOf(access.list, signedIn) };
}

const reachOf = (scope: FolderScope, caller: SignedIn): string =>
  scope === 'all' ? '' : folderOf(caller.userId);
