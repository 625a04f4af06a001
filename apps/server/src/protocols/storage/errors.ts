/**
 * Errors of `/storage/v1` in the shape of Supabase's storage: `statusCode`, `code` and `error` name them, `message` is the
 * user's text. Invariant: an answer never carries the text of a fault; what is not in this file is logged and answered 500.
 */
import { AppError, busy, texts } from '@fulcrum/contract';
import { FileError, type FileRefusal } from '../../features/files/index.ts';
import { isOverload } from '../../platform/database/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';

export interface StorageFault {
  readonly status: number;
  readonly retryAfterS: number | null;
  readonly body: {
    readonly statusCode: string;
    readonly code: string;
    readonly error: string;
    readonly message: string;
  };
}

/** The names that storage-js and its users know. `exists()` takes `NoSuchKey` for a no. */
const nameOf: Readonly<Record<FileRefusal, string>> = {
  bucket_unknown: 'NoSuchBucket',
  object_unknown: 'NoSuchKey',
  path_invalid: 'InvalidKey',
  not_signed_in: 'InvalidJWT',
  role_not_allowed: 'AccessDenied',
  folder_foreign: 'AccessDenied',
  while_impersonating: 'AccessDenied',
  image_refused: 'InvalidMimeType',
  image_too_large: 'EntityTooLarge',
  image_too_many_pixels: 'EntityTooLarge',
  image_too_long: 'EntityTooLarge',
  image_too_detailed: 'EntityTooLarge',
  upload_broken_off: 'RequestTimeout',
  upload_too_slow: 'RequestTimeout',
  storage_full: 'EntityTooLarge',
  too_many_transfers: 'SlowDown',
};

const errorOf = (status: number, code: string, message: string, retryAfterS: number | null = null) =>
  ({
    status,
    retryAfterS,
    body: { statusCode: String(status), code, error: code, message },
  }) satisfies StorageFault;

export const invalidRequest = (message: string) => new AppError('invalid_argument', message);

export const notServed = (method: string, path: string) =>
  errorOf(404, 'not_found', `${method} ${path} is not served here.`);

const statusOf = (error: unknown): number | null =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : null;

/** Returns the response to an error; null for a fault. */
export function errorOnWire(error: unknown): StorageFault | null {
  if (isOverload(error)) return errorOnWire(busy());
  if (error instanceof FileError) {
    const retryAfterS = error.status === 429 ? 1 : null;
    return errorOf(error.status, nameOf[error.reason], error.message, retryAfterS);
  }
  if (error instanceof TooManyAttempts) return errorOf(429, 'SlowDown', error.message, error.retryAfterS);
  if (error instanceof AppError) {
    if (error.status === 401) return errorOf(401, 'InvalidJWT', error.message);
    return errorOf(error.status, error.code, error.message, error.status === 503 ? 1 : null);
  }
  // Errors of fastify and its form parser.
  const status = statusOf(error);
  if (status === null || status >= 500) return null;
  return status === 413
    ? errorOf(413, 'EntityTooLarge', 'The request is too large.')
    : errorOf(status, 'InvalidRequest', 'The request cannot be read.');
}

export const faultOnWire = errorOf(500, 'InternalError', texts.unexpectedError);
