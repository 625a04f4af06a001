/** Every bucket of `/storage/v1`, declared once. An undeclared bucket does not exist. */
import { kycPictureBytesMax } from '@fulcrum/domain';
import type { AuditedAction } from './audit-actions.ts';
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
  /**
   * Allowed content types. The server detects them from the bytes and ignores the file's name and the client's
   * header.
   */
  readonly types: readonly string[];
  /** The files are pictures: the server decodes and re-encodes each one before it stores it. */
  readonly picture: { readonly pixelsMax: number; readonly sidePixelsMax: number };
  /** Names within an owner's folder. */
  readonly fileName: RegExp;
  /** The longest life of a signed link, in seconds. */
  readonly linkLifetimeSMax: number;
  /** The action of each view of a file in the audit log. */
  readonly viewAction: AuditedAction;
  readonly access: Readonly<Partial<Record<UserRole, BucketAccess>>>;
}

/** Private (A59, A60). A second upload to a path is a new version; the earlier ones are retained (A57). */
export const kycDocuments = {
  name: 'kyc-documents',
  fileBytesMax: kycPictureBytesMax,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  picture: { pixelsMax: 40_000_000, sidePixelsMax: 16_384 },
  fileName: /^(document_front|document_back|selfie)\.jpg$/,
  linkLifetimeSMax: 60,
  viewAction: 'kyc.view_document',
  access: {
    trader: { upload: 'own folder', list: 'own folder' },
    admin: { list: 'all', read: 'all' },
  },
} as const satisfies Bucket;

export const buckets = [kycDocuments] as const;
export const bucketByName: ReadonlyMap<string, Bucket> = new Map(
  buckets.map((bucket) => [bucket.name, bucket]),
);
