/** Creates a key for one of the user's active accounts. The server checks addresses and end, and its texts are shown. */
import { apiKeyNameMax, checkApiKeyName } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useSubmission } from '../../shared/form/index.ts';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { fromWire, unwrap } from '../../shared/supabase/index.ts';
import { Segmented, TextField } from '../../shared/ui/index.ts';
import { keyFields, type MadeKey, parseAddressList, toEndOfDay, toKeyRefusal } from './keys.ts';

const scopes = [
  { value: 'read', label: 'Read' },
  { value: 'trade', label: 'Read and trade' },
] as const;
const scopeTexts = {
  read: 'Reads prices, orders, positions and history of the account.',
  trade: 'Also places, changes and cancels orders, and closes positions.',
} as const;

/** The accounts that a key can be for, the main one first. */
function useActiveAccounts() {
  const { user, supabase } = useSignedIn();
  const { data = [] } = useQuery({
    queryKey: queryKeys.accounts(user.id),
    queryFn: async ({ signal }) =>
      (await unwrap(supabase.rest.rpc('list_accounts', {}).abortSignal(signal))).map(fromWire),
  });
  return data.filter(({ status }) => status === 'active');
}

interface CreateKeyDialogProps {
  readonly onMade: (made: MadeKey) => void;
  readonly onClose: () => void;
}

export function CreateKeyDialog({ onMade, onClose }: CreateKeyDialogProps) {
  const { supabase, accountId: shownId } = useSignedIn();
  const accounts = useActiveAccounts();
  const [chosenId, setChosenId] = useState(shownId);
  // The shown account may be archived.
  const accountId = (accounts.find(({ id }) => id === chosenId) ?? accounts[0])?.id ?? chosenId;
  const [scope, setScope] = useState<'read' | 'trade'>('trade');
  const submission = useSubmission({
    names: keyFields,
    check: ({ name }) => ({ name: checkApiKeyName(name) }),
    send: async ({ name, addresses, expires }) => {
      const made = await unwrap(
        supabase.rest.rpc('create_api_key', {
          p_name: name,
          p_scopes: [scope],
          p_account_id: accountId,
          p_addresses: parseAddressList(addresses),
          p_expires_at: toEndOfDay(expires),
        }),
      );
      return () => onMade(fromWire(made));
    },
    failed: toKeyRefusal,
  });
  const { fieldOf } = submission;
  return (
    <FormDialog
      title="Create API key"
      description="The key works for one account. Its secret is shown once, after this step."
      submission={submission}
      submit="Create key"
      onClose={onClose}
    >
      <TextField {...fieldOf('name')} label="Name" placeholder="Grid bot" maxLength={apiKeyNameMax} />
      <SelectField
        label="Account"
        value={accountId}
        options={
          accounts.length === 0
            ? [{ value: shownId, label: 'Loading…' }]
            : accounts.map(({ id, kind, name }) => ({
                value: id,
                label: kind === 'main' ? 'Main account' : name,
              }))
        }
        onChange={setChosenId}
      />
      <div className="flex flex-col gap-1.5">
        <Segmented label="Permissions" options={scopes} value={scope} onChange={setScope} />
        <p className="text-12 text-text-2">{scopeTexts[scope]}</p>
      </div>
      <TextField
        {...fieldOf('addresses')}
        label="Addresses"
        placeholder="203.0.113.7, 2001:db8::/32"
        autoCapitalize="none"
        spellCheck={false}
        hint="Optional: IP addresses or networks that it works from, separated by commas. Leave it empty for everywhere."
      />
      <TextField
        {...fieldOf('expires')}
        label="Expires after"
        type="date"
        max="9999-12-31"
        hint="Optional: the last day of the key."
      />
    </FormDialog>
  );
}
