/** The API keys of a trader, without secrets, each with a button that revokes it. Nothing is shown for a trader without keys. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { failedWith, useSubmission } from '../../../shared/form/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { ReadError, showToast } from '../../../shared/ui/index.ts';
import { fetchKeys, KeyList, type ListedKey } from '../../api-keys/index.ts';
import { ReasonField, validateReason } from '../user-dialogs/index.ts';
import { refetchMs, userKey } from './user-queries.ts';

interface RevokeKeyDialogProps {
  readonly item: ListedKey;
  readonly username: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeKeyDialog({ item, username, onDone, onClose }: RevokeKeyDialogProps) {
  const supabase = useSupabase();
  const submission = useSubmission({
    names: ['reason'],
    check: (fields) => ({ reason: validateReason(fields.reason) }),
    send: async (fields) => {
      await unwrap(supabase.rest.rpc('revoke_api_key', { p_key_id: item.id, p_reason: fields.reason }));
      return () => {
        showToast('success', 'Key revoked');
        onDone();
        onClose();
      };
    },
    failed: failedWith('Failed to revoke the key'),
  });
  return (
    <FormDialog
      title={`Revoke ${item.name}`}
      description={`Programs of ${username} that use this key are refused at once, and this cannot be undone.`}
      submission={submission}
      onClose={onClose}
      submit="Revoke key"
      tone="down"
    >
      <ReasonField hint="Stored in the audit log." error={submission.errorOf('reason')} />
    </FormDialog>
  );
}

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
  const onDone = () => void cache.invalidateQueries({ queryKey: userKey(userId) });
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
        <RevokeKeyDialog
          item={revoked}
          username={username}
          onDone={onDone}
          onClose={() => {
            setRevoked(null);
            list.current?.focus();
          }}
        />
      )}
    </section>
  );
}
