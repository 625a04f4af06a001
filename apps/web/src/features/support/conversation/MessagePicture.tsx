/**
 * The picture of a message: read when it comes near the view, shown in a box of one size, so that the log does not move, and
 * enlarged on request. Its bytes stay in memory as long as the page shows it, and a few minutes more.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchPicture } from '../../../shared/pictures/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import { Button, Dialog, Skeleton } from '../../../shared/ui/index.ts';
import { useInView } from '../../../shared/widget/index.ts';
import type { ChatMessage } from './types.ts';

const box = 'block h-40 w-56 max-w-full rounded-control';

/** The object URL of the bytes; null while there are none. */
function useObjectUrl(bytes: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === undefined) return;
    const made = URL.createObjectURL(bytes);
    setUrl(made);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(made);
    };
  }, [bytes]);
  return url;
}

interface MessagePictureProps {
  readonly message: ChatMessage;
  readonly author: string;
}

export function MessagePicture({ message, author }: MessagePictureProps) {
  const { supabase, impersonation } = useSignedIn();
  const [element, isNear] = useInView<HTMLDivElement>();
  const [isLarge, setLarge] = useState(false);
  const { data, isError, refetch, isFetching } = useQuery({
    queryKey: ['chat-picture', message.attachment_id],
    queryFn: async ({ signal }) => {
      const args = { p_session_id: message.session_id, p_message_ids: [message.id] };
      const { pictures } = await unwrap(supabase.rest.rpc('get_chat_pictures', args).abortSignal(signal));
      const [picture] = pictures;
      if (picture === undefined) throw new Error('the picture is gone');
      return fetchPicture(supabase, picture, signal);
    },
    enabled: isNear && impersonation === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const src = useObjectUrl(data);
  const title = `Picture from ${author === 'You' ? 'you' : author}, ${formatClock(message.created_at)}`;
  return (
    <div ref={element} className="my-0.5">
      {src !== null ? (
        <button
          type="button"
          aria-label={`Enlarge: ${title}`}
          onClick={() => setLarge(true)}
          className="block max-w-full overflow-hidden rounded-control"
        >
          <img src={src} alt="" className={`${box} object-cover`} />
        </button>
      ) : isError || impersonation !== null ? (
        <div className={`${box} grid place-content-center gap-2 bg-inset text-center text-12 text-text-2`}>
          {impersonation === null ? (
            <>
              The picture could not be loaded.
              <Button size="compact" pending={isFetching} onClick={() => void refetch()}>
                Retry
              </Button>
            </>
          ) : (
            'Pictures are not shown while impersonating a user.'
          )}
        </div>
      ) : (
        <div role="status" aria-label="Loading the picture">
          <Skeleton className={box} />
        </div>
      )}
      {src === null ? null : (
        <Dialog open={isLarge} onOpenChange={setLarge} title={title} size="widest">
          <img src={src} alt={title} className="mx-auto max-h-[70dvh] max-w-full object-contain" />
        </Dialog>
      )}
    </div>
  );
}
