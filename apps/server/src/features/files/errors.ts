/**
 * The refusals of the files feature. Each is an `AppError`, so every protocol can answer it. `reason` is finer than
 * the contract's code, for the one protocol whose client distinguishes them.
 */
import { AppError, type ErrorCode, texts } from '@fulcrum/contract';

const refusals = {
  bucket_unknown: ['not_found', 'Bucket not found'],
  // Also for a caller who may not know whether the file exists.
  object_unknown: ['not_found', 'Object not found'],
  path_invalid: ['invalid_argument', 'Invalid key'],
  not_signed_in: ['not_signed_in', texts.authSessionMissing],
  role_not_allowed: ['not_allowed', 'Your role may not do this in this bucket.'],
  folder_foreign: ['not_allowed', 'Files go into your own folder only.'],
  while_impersonating: ['not_allowed', texts.notWhileImpersonating],
  image_refused: ['unsupported_media_type', texts.imageRefused],
  image_too_large: ['payload_too_large', texts.imageRefused],
  image_too_many_pixels: ['payload_too_large', texts.imageTooManyPixels],
  image_too_long: ['payload_too_large', texts.imageTooLong],
  image_too_detailed: ['payload_too_large', texts.imageTooDetailed],
  upload_broken_off: ['invalid_argument', 'The upload was broken off.'],
  upload_too_slow: ['invalid_argument', 'The upload was too slow. Please try again on a faster connection.'],
  storage_full: ['payload_too_large', texts.filesFull],
  too_many_transfers: ['too_many_attempts', texts.tooManyAttempts(1)],
} as const satisfies Record<string, readonly [ErrorCode, string]>;
export type FileRefusal = keyof typeof refusals;

export class FileError extends AppError {
  readonly reason: FileRefusal;
  constructor(reason: FileRefusal) {
    super(refusals[reason][0], refusals[reason][1]);
    this.name = 'FileError';
    this.reason = reason;
  }
}
