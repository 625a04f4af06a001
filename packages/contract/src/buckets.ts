/** Every bucket of `/storage/v1`, declared once. What is not declared here does not exist. */
import { kycPictureBytesMax } from '@fulcrum/domain';
import type { UserRole } from './roles.ts';

/** `own folder`: names that begin with `{the caller's id}/`. */
export type FolderScope = 'own folder' | 'all';

export interface BucketAccess {
  readonly upload?: 'own folder';
  readonly list?: FolderScope;
  /** Downloads and signed links. */
  readonly read?: FolderScope;
}

export interface Bucket {
  readonly name: string;
  readonly fileBytesMax: number;
  /** Content types by the file's own bytes, whatever its name or the client says. */
  readonly types: readonly string[];
  /** Files are pictures: each is decoded and encoded again before it is there. */
  readonly picture: { readonly pixelsMax: number; readonly sidePixelsMax: number };
  /** Names within an owner's folder. */
  readonly fileName: RegExp;
  /** Life of a signed link at most, in seconds. */
  readonly linkLifetimeSMax: number;
  /** What each look at a file is called in the audit log. */
  readonly viewAction: string;
  readonly access: Readonly<Partial<Record<UserRole, BucketAccess>>>;
}

/** Private (A59, A60). A file sent again to a path is a new version; the earlier ones are kept behind it (A57). */
export const kycDocuments = {
  name: 'kyc-documents',
  fileBytesMax: kycPictureBytesMax,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  picture: { pixelsMax: 40_000_000, sidePixelsMax: 16_384 },
  fileName: /^(document_front|document_back|selfie)\.jpg$/,
  linkLifetimeSMax: 60,
  viewAction: 'kyc_document_viewed',
  access: {
    trader: { upload: 'own folder', list: 'own folder' },
    admin: { list: 'all', read: 'all' },
  },
} as const satisfies Bucket;

export const buckets = [kycDocuments] as const;
export const bucketByName: ReadonlyMap<string, Bucket> = new Map(
  buckets.map((bucket) => [bucket.name, bucket]),
);
