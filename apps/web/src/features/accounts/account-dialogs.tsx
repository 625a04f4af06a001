/** Opens, renames and archives a practice account. The server checks every bound, and its texts are shown. */
import {
  accountNameMax,
  checkAccountName,
  type FeeRate,
  type FillTerms,
  fillTerms,
  MAX_LEVERAGE,
  parseDecimal,
  practiceBalance,
  type QuotedProfile,
  quotedProfiles,
  toDecimalString,
  toNumber,
} from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { isWholeTo } from '../../shared/decimals/whole.ts';
import { RequestDialog } from '../../shared/form/ConfirmDialog.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { NameDialog } from '../../shared/form/NameDialog.tsx';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { queryKeys } from '../../shared/query/index.ts';
import { reloadProfile, useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { Segmented, showToast, TextField } from '../../shared/ui/index.ts';
import { formatFeeRate, toFeeObjection } from './account-text.ts';
import type { ListedAccount } from './queries.ts';

/** The digits of an amount without its grouping; null when it is none. */
function toDecimalText(text: string): string | null {
  const parsed = parseAmount(text);
  return parsed.kind === 'amount' ? toDecimalString(parsed.size) : null;
}

/** A percentage as the fraction that the server stores. */
function toFraction(text: string): string | null {
  const percent = toDecimalText(text.replace('%', ''));
  return percent === null ? null : toDecimalString(parseDecimal(percent) / 100n);
}

const positionKinds = [
  { value: 'single', label: 'One a trade' },
  { value: 'net', label: 'One a market' },
] as const;
const positionTexts = {
  single: 'Every order opens a position of its own, at the one price of the market.',
  net: 'Orders add to one net position of a market, or reduce it. They fill on an order book, with a spread and a depth.',
} as const;

const percentOf = (rate: FeeRate): string => formatFeeRate(toNumber(rate));
const fees = ({ makerFee, takerFee, latencyMs }: FillTerms): string => {
  const delay = latencyMs === 0 ? '' : `, filled ${latencyMs} ms after it was sent`;
  return `fees ${percentOf(makerFee)} and ${percentOf(takerFee)}${delay}`;
};
/** Each states what orders meet, the fees of makers and takers, and the latency. */
const profileTexts: Readonly<Record<QuotedProfile, string>> = {
  ideal: 'No spread, no depth, no fee.',
  retail: `Spread and depth of a retail broker; ${fees(fillTerms.retail)}.`,
  pro: `Those of a large exchange; ${fees(fillTerms.pro)}.`,
  stress: `A market in trouble; ${fees(fillTerms.stress)}.`,
};

interface CreateDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (account: Pick<ListedAccount, 'id' | 'kind'>) => void;
}

export function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const { supabase } = useSignedIn();
  const [kind, setKind] = useState<'single' | 'net'>('single');
  const [profile, setProfile] = useState<QuotedProfile>('retail');
  const isNet = kind === 'net';
  const clientIdOf = useRepeatableClientId();
  const submission = useSubmission({
    names: ['name', 'balance', 'leverage', ...(isNet ? [] : (['fee'] as const))],
    check: ({ name, balance, leverage, fee = '' }) => ({
      name: checkAccountName(name),
      balance: toDecimalText(balance) === null ? 'Type an amount, such as 10000.' : null,
      leverage: isWholeTo(leverage, MAX_LEVERAGE) ? null : `Type a whole number from 1 to ${MAX_LEVERAGE}.`,
      fee: isNet || toFraction(fee) !== null ? null : 'Type a percentage, such as 0.05.',
    }),
    send: async ({ name, balance, leverage, fee = '' }) => {
      const terms = {
        p_name: name,
        p_start_balance: toDecimalText(balance),
        p_leverage_max: Number(leverage),
        ...(isNet
          ? { p_rules: 'perpetual' as const, p_fill_profile: profile }
          : { p_fee_rate: toFraction(fee) }),
      };
      const { id, kind } = await unwrap(
        supabase.rest.rpc('create_account', { ...terms, p_client_id: clientIdOf(JSON.stringify(terms)) }),
      );
      return () => onCreated({ id, kind });
    },
    failed: (cause) => {
      const text = failedWith('Failed to open the account')(cause);
      const feeObjection = toFeeObjection(text);
      return feeObjection === null ? text : { text: feeObjection, at: 'fee' };
    },
  });
  return (
    <FormDialog
      title="New practice account"
      description="It starts with its own money and rules, which stay as they are. A reset returns it to its start balance."
      submission={submission}
      submit="Open account"
      onClose={onClose}
    >
      <TextField
        {...submission.fieldOf('name')}
        label="Name"
        placeholder="Scalping"
        maxLength={accountNameMax}
      />
      <TextField
        {...submission.fieldOf('balance')}
        label="Start balance in USDT"
        inputMode="decimal"
        defaultValue={toDecimalString(practiceBalance.default)}
      />
      <div className="flex flex-col gap-1.5">
        <Segmented label="Positions" options={positionKinds} value={kind} onChange={setKind} />
        <p className="text-12 text-text-2">{positionTexts[kind]}</p>
      </div>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          {...submission.fieldOf('leverage')}
          label="Greatest leverage"
          inputMode="numeric"
          defaultValue={String(MAX_LEVERAGE)}
        />
        {isNet ? (
          <SelectField
            label="Fills"
            value={profile}
            options={quotedProfiles.map((name) => ({ value: name, label: fillTerms[name].title }))}
            onChange={setProfile}
            hint={profileTexts[profile]}
          />
        ) : (
          <TextField
            {...submission.fieldOf('fee')}
            label="Fee in %"
            inputMode="decimal"
            defaultValue={formatFeeRate(supabase.config.feeRate).replace('%', '')}
            hint="Of the value, at the opening and at the close"
          />
        )}
      </div>
    </FormDialog>
  );
}

interface AccountDialogProps {
  readonly account: ListedAccount;
  readonly onClose: () => void;
}

export function RenameDialog({ account, onClose }: AccountDialogProps) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const rename = async (name: string) => {
    await unwrap(supabase.rest.rpc('rename_account', { p_account_id: account.id, p_name: name }));
    await Promise.all([cache.invalidateQueries({ queryKey: queryKeys.accounts(user.id) }), reloadProfile()]);
  };
  return (
    <NameDialog
      title={`Rename ${account.name}`}
      submit="Rename"
      name={account.name}
      maxLength={accountNameMax}
      check={checkAccountName}
      save={rename}
      failed={failedWith('Failed to rename the account')}
      onClose={onClose}
    />
  );
}

interface ArchiveDialogProps extends AccountDialogProps {
  /** The page shows the account that is archived now. */
  readonly onLeft: () => void;
}

export function ArchiveDialog({ account, onClose, onLeft }: ArchiveDialogProps) {
  const { user, accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const archive = async () => {
    await unwrap(supabase.rest.rpc('archive_account', { p_account_id: account.id }));
    await cache.invalidateQueries({ queryKey: queryKeys.accounts(user.id) });
  };
  const onDone = () => {
    showToast('success', `${account.name} is archived`);
    if (account.id === accountId) onLeft();
    else onClose();
  };
  return (
    <RequestDialog
      title={`Archive ${account.name}?`}
      description="It stays in the list and can be read. It never trades again, and this cannot be undone."
      confirm="Archive"
      tone="down"
      send={archive}
      failed="Failed to archive the account"
      onDone={onDone}
      onClose={onClose}
    />
  );
}
