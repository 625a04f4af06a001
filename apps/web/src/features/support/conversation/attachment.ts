/**
 * The picture of a message that is being written: checked, then uploaded at once with progress, so that the message can be
 * sent when it is there. The queue keeps the stored version's id alone. Limits: one picture a message; a reload, or another
 * conversation, forgets a picture that was not sent.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { newUuid } from '../../../shared/ids/index.ts';
import { log as appLog } from '../../../shared/log/log.ts';
import { checkPicture, sendPicture, UploadError } from '../../../shared/pictures/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';

const log = appLog.of('chat');
const bucket = 'chat-attachments';
const failedText = 'The upload failed. Please try again.';

export type UploadState =
  /** From 0 to 1. */
  | { readonly kind: 'uploading'; readonly progress: number }
  | { readonly kind: 'failed'; readonly text: string; readonly canRetry: boolean }
  | { readonly kind: 'ready'; readonly versionId: string };

export interface Attachment {
  readonly name: string;
  /** An object URL of the chosen file. */
  readonly src: string;
  readonly state: UploadState;
}

interface Chosen {
  readonly file: File;
  readonly src: string;
  /** The same for every attempt. */
  readonly path: string;
  readonly abort: AbortController;
}

/** The first picture among pasted or dropped files. */
export const findPicture = (files: FileList | null | undefined): File | null =>
  [...(files ?? [])].find(({ type }) => type.startsWith('image/')) ?? files?.[0] ?? null;

export function useAttachment() {
  const { supabase, user } = useSignedIn();
  const chosen = useRef<Chosen | null>(null);
  const [attachment, setAttachment] = useState<Attachment | null>(null);

  const upload = useCallback(
    async (one: Chosen): Promise<void> => {
      const show = (state: UploadState) => {
        if (chosen.current === one) setAttachment({ name: one.file.name, src: one.src, state });
      };
      show({ kind: 'uploading', progress: 0 });
      try {
        const fault = await checkPicture(one.file);
        if (fault !== null) return show({ kind: 'failed', text: fault, canRetry: false });
        const versionId = await sendPicture({
          supabase,
          bucket,
          path: one.path,
          file: one.file,
          signal: one.abort.signal,
          onProgress: (progress) => show({ kind: 'uploading', progress }),
        });
        show({ kind: 'ready', versionId });
      } catch (cause) {
        if (one.abort.signal.aborted) return;
        log.warn('A picture could not be uploaded', cause);
        const text = cause instanceof UploadError ? cause.message : failedText;
        show({ kind: 'failed', text, canRetry: true });
      }
    },
    [supabase],
  );
  const remove = useCallback(() => {
    const one = chosen.current;
    chosen.current = null;
    setAttachment(null);
    if (one === null) return;
    one.abort.abort();
    URL.revokeObjectURL(one.src);
  }, []);
  const attach = useCallback(
    (file: File) => {
      remove();
      const path = `${user.id}/${newUuid()}.jpg`;
      chosen.current = { file, src: URL.createObjectURL(file), path, abort: new AbortController() };
      void upload(chosen.current);
    },
    [remove, upload, user.id],
  );
  const retry = useCallback(() => {
    if (chosen.current !== null) void upload(chosen.current);
  }, [upload]);
  useEffect(() => remove, [remove]);
  return { attachment, attach, retry, remove };
}
