/** The user's own API keys: the list, and the dialogs that create and revoke one. */
import Plus from 'lucide-react/icons/plus';
import { useRef, useState } from 'react';
import { RequestDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { Button, EmptyState, ReadError, showToast } from '../../shared/ui/index.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyFacts, KeyList } from './KeyList.tsx';
import { KeysSkeleton } from './KeysSkeleton.tsx';
import { type ListedKey, type MadeKey, useKeys } from './keys.ts';
import { NewKeyDialog } from './NewKeyDialog.tsx';

type View =
  | { readonly name: 'list' | 'create' }
  | { readonly name: 'made'; readonly made: MadeKey }
  | { readonly name: 'revoke'; readonly item: ListedKey };

export default function OwnKeys() {
  const { supabase } = useSignedIn();
  const keys = useKeys();
  const [view, setView] = useState<View>({ name: 'list' });
  const list = useRef<HTMLUListElement>(null);
  const back = () => setView({ name: 'list' });
  if (keys.data === undefined) {
    return keys.isError ? <ReadError title="Failed to load the API keys" reading={keys} /> : <KeysSkeleton />;
  }
  const create = (
    <Button tone="primary" onClick={() => setView({ name: 'create' })}>
      <Plus size={16} aria-hidden="true" />
      Create API key
    </Button>
  );
  const onRevoked = async () => {
    await keys.refetch();
    back();
    showToast('success', 'Key revoked');
    list.current?.focus();
  };
  return (
    <>
      {keys.data.length === 0 ? (
        <EmptyState title="No API keys" action={create}>
          A key lets a bot or a script trade in one account without your password.
        </EmptyState>
      ) : (
        <>
          <KeyList
            label="API keys"
            keys={keys.data}
            list={list}
            onRevoke={(item) => setView({ name: 'revoke', item })}
          />
          <div className="mt-3">{create}</div>
        </>
      )}
      {view.name === 'create' ? (
        <CreateKeyDialog
          onClose={back}
          onMade={(made) => {
            setView({ name: 'made', made });
            void keys.refetch();
          }}
        />
      ) : null}
      {view.name === 'made' ? <NewKeyDialog made={view.made} onClose={back} /> : null}
      {view.name === 'revoke' ? (
        <RequestDialog
          title={`Revoke ${view.item.name}?`}
          description="Programs that use this key are refused at once, and this cannot be undone. Open positions and waiting orders stay."
          confirm="Revoke"
          tone="down"
          send={() => unwrap(supabase.rest.rpc('revoke_api_key', { p_key_id: view.item.id }))}
          failed="Failed to revoke the key"
          onDone={() => void onRevoked()}
          onClose={back}
        >
          <KeyFacts item={view.item} />
        </RequestDialog>
      ) : null}
    </>
  );
}
