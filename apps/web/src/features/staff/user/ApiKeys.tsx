/** The API keys of a trader, without secrets, each with a button that revokes it. Nothing is shown for a trader without keys. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failedWith } from '../../../shared/form/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { ReadError, showToast } from '../../../shared/ui/index.ts';
import { fetchKeys, KeyList, type ListedKey } from '../../api-keys/index.ts';
import { ReasonDialog } from '../user-dialogs/index.ts';
import { refetchMs, userKey } from './user-queries.ts';

interface ApiKeysProps {
  readonly userId: string;
  readonly username: string;
}

export function ApiKeys({ userId, username }: ApiKeysProps) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const queryKey = [...userKey(userId), 'api-keys'];
  const reading = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchKeys(supabase, userId, signal),
    refetchInterval: refetchMs,
  });
  const { data, isError } = reading;
  const [revoked, setRevoked] = useState<ListedKey | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const close = () => {
    setRevoked(null);
    list.current?.focus();
  };
  if (data === undefined ? !isError : data.length === 0) return null;
  return (
    <section aria-labelledby="api-keys" className="panel overflow-hidden">
      <h2 id="api-keys" className="border-b border-line px-4 py-1.5 text-14 leading-7 font-semibold">
        API keys
      </h2>
      {data === undefined ? (
        <ReadError title="Failed to load the API keys" reading={reading} />
      ) : (
        <div className="px-4 pt-2.5 pb-2">
          <KeyList label={`API keys of ${username}`} keys={data} list={list} onRevoke={setRevoked} />
        </div>
      )}
      {revoked === null ? null : (
        <ReasonDialog
          title={`Revoke ${revoked.name}`}
          description={`Programs of ${username} that use this key are refused at once, and this cannot be undone.`}
          send={async (reason) => {
            await unwrap(supabase.rest.rpc('revoke_api_key', { p_key_id: revoked.id, p_reason: reason }));
            return () => {
              showToast('success', 'Key revoked');
              void cache.invalidateQueries({ queryKey: userKey(userId) });
              close();
            };
          }}
          failed={failedWith('Failed to revoke the key')}
          onClose={close}
          submit="Revoke key"
          tone="down"
        />
      )}
    </section>
  );
}
