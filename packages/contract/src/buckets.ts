/** Every bucket of `/storage/v1`, declared once. An undeclared bucket does not exist. */
import { chatLimits, kycPictureBytesMax } from '@fulcrum/domain';
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
  /** The action of each view of a file in the audit log; null where views are not recorded. */
  readonly viewAction: AuditedAction | null;
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

/**
 * Pictures in messages. They are read by a command alone (`get_chat_pictures`), which knows whose conversation it is; a
 * version that no message names is read by no one.
 */
export const chatAttachments = {
  name: 'chat-attachments',
  fileBytesMax: chatLimits.pictureBytes,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  picture: { pixelsMax: 40_000_000, sidePixelsMax: 16_384 },
  fileName: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.jpg$/,
  linkLifetimeSMax: 60,
  viewAction: null,
  access: {
    trader: { upload: 'own folder' },
    support: { upload: 'own folder' },
  },
} as const satisfies Bucket;

export const buckets = [kycDocuments, chatAttachments] as const;
export const bucketByName: ReadonlyMap<string, Bucket> = new Map(
  buckets.map((bucket) => [bucket.name, bucket]),
);
