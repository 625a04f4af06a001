/**
 * Sends one picture to the storage endpoint as the official client would, but with `XMLHttpRequest`, because only
 * that reports progress. An expired token is renewed once.
 */
import { parseJson } from '../json/parse-json.ts';
import type { Supabase } from '../supabase/index.ts';

export class UploadError extends Error {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** `message` is a text for the user. */
  constructor(message: string, status: number) {
    super(message);
    this.name = 'UploadError';
    this.status = status;
  }
}

/** The server ends any request after two minutes. */
const timeoutMs = 2 * 60_000;
const unauthorised = 401;
const lostText = 'The upload was interrupted. Check your connection and try again.';
const failedText = 'The upload failed. Please try again.';

export interface Upload {
  readonly supabase: Supabase;
  readonly bucket: string;
  /** In the user's own folder. */
  readonly path: string;
  readonly file: Blob;
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** The id of the stored version. @throws UploadError; DOMException `AbortError` when the signal aborts it */
export async function sendPicture(upload: Upload): Promise<string> {
  const { data: current } = await upload.supabase.auth.getSession();
  const token = current.session?.access_token ?? null;
  try {
    return await send(upload, token);
  } catch (cause) {
    if (!(cause instanceof UploadError) || cause.status !== unauthorised) throw cause;
    const { data: renewed } = await upload.supabase.auth.refreshSession();
    if (!renewed.session) throw cause;
    return send(upload, renewed.session.access_token);
  }
}

function send(
  { supabase, bucket, path, file, signal, onProgress }: Upload,
  token: string | null,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    request.addEventListener('error', () => reject(new UploadError(lostText, 0)));
    request.addEventListener('timeout', () => reject(new UploadError(lostText, 0)));
    request.addEventListener('load', () => {
      const id = request.status >= 200 && request.status < 300 ? parseVersionId(request.responseText) : null;
      if (id !== null) resolve(id);
      else reject(new UploadError(parseErrorMessage(request.responseText, request.status), request.status));
    });
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.open('POST', `/storage/v1/object/${bucket}/${path}`);
    request.timeout = timeoutMs;
    request.setRequestHeader('apikey', supabase.config.anonKey);
    request.setRequestHeader('authorization', `Bearer ${token ?? supabase.config.anonKey}`);
    request.setRequestHeader('x-application-name', 'fulcrum');
    // Every version of a path is stored (A57).
    request.setRequestHeader('x-upsert', 'true');
    const form = new FormData();
    form.append('cacheControl', '3600');
    form.append('', file);
    request.send(form);
  });
}

/** Null for an answer in another form. */
function parseVersionId(body: string): string | null {
  const answer = parseJson(body);
  const id: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'Id') : null;
  return typeof id === 'string' ? id : null;
}

/** The server's text of a refusal; the text of a server error would not help the user. */
function parseErrorMessage(body: string, status: number): string {
  if (status >= 500 && status !== 503) return failedText;
  const answer = parseJson(body);
  if (typeof answer !== 'object' || answer === null || !('message' in answer)) return failedText;
  return typeof answer.message === 'string' ? answer.message : failedText;
}
