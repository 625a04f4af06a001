/** Makes a class or changes one. What is fixed once it had a member is refused by the server, in words. */
import {
  checkAccountName,
  dayMs,
  MAX_LEVERAGE,
  minuteMs,
  type RuleSetName,
  ruleSetNames,
  toDecimalString,
} from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { log } from '../../shared/log/log.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { Checkbox, showToast, TextField } from '../../shared/ui/index.ts';
import { useManagers } from '../staff/index.ts';
import { type Class, classesKey } from './queries.ts';

/** As a field for a local date and time has it. */
function toLocal(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}
const toIso = (local: string): string | null =>
  Number.isNaN(Date.parse(local)) ? null : new Date(local).toISOString();

function toBalance(text: string): string | null {
  const parsed = parseAmount(text);
  return parsed.kind === 'amount' ? toDecimalString(parsed.size) : null;
}
const toSymbols = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((name) => name !== '');
const isWhole = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text.trim());

const ruleTexts: Readonly<Record<RuleSetName, string>> = {
  standard: 'Standard: one position a trade',
  'as-specified': 'As specified: one position a trade',
  perpetual: 'Perpetual: one net position a market',
};
const monthMs = 30 * dayMs;

interface ClassDialogProps {
  /** Null makes one. */
  readonly edited: Class | null;
  readonly onSaved: (saved: Class) => void;
  readonly onClose: () => void;
}

export function ClassDialog({ edited, onSaved, onClose }: ClassDialogProps) {
  const { rest } = useSupabase();
  const cache = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  const clientIdOf = useRepeatableClientId();
  const { data: managers = [] } = useManagers();
  const [rules, setRules] = useState<RuleSetName>(edited?.rules ?? 'standard');
  const [tutors, setTutors] = useState<readonly string[]>(edited?.tutors.map(({ id }) => id) ?? []);
  const [isOpen, setOpen] = useState(edited?.members_see_each_other ?? false);
  const [openedAt] = useState(() => Date.now());
  const submission = useSubmission({
    names: ['name', 'begins', 'ends', 'balance', 'leverage', 'symbols', 'positions'],
    check: ({ name, begins, ends, balance, leverage, positions }) => ({
      name: checkAccountName(name),
      begins: toIso(begins) === null ? 'Choose a date and a time.' : null,
      ends: toIso(ends) === null ? 'Choose a date and a time.' : null,
      balance: toBalance(balance) === null ? 'Type an amount, such as 10000.' : null,
      leverage: isWhole(leverage) ? null : `Type a whole number from 1 to ${MAX_LEVERAGE}.`,
      positions:
        positions.trim() === '' || isWhole(positions) ? null : 'Type a whole number, or leave it empty.',
    }),
    send: async ({ name, begins, ends, balance, leverage, symbols, positions }) => {
      const allowed = toSymbols(symbols);
      const terms = {
        p_name: name,
        p_begins_at: toIso(begins) ?? '',
        p_ends_at: toIso(ends) ?? '',
        p_start_balance: toBalance(balance) ?? '',
        p_rules: rules,
        p_leverage_max: Number(leverage),
        p_symbols: allowed.length === 0 ? null : allowed,
        p_positions_max: positions.trim() === '' ? null : Number(positions),
        p_tutor_ids: [...tutors],
        p_members_see_each_other: isOpen,
      };
      const saved = await unwrap(
        rest.rpc('save_class', {
          ...terms,
          ...(edited
            ? { p_id: edited.id, p_version: edited.version }
            : { p_client_id: clientIdOf(JSON.stringify(terms)) }),
        }),
      );
      return () => {
        showToast('success', edited ? 'Class changed' : 'Class created');
        cache
          .invalidateQueries({ queryKey: classesKey })
          .catch((cause: unknown) => log.error('Refreshing the classes failed', cause));
        onSaved(saved);
      };
    },
    failed: failedWith('Failed to save the class'),
  });
  const { errorOf } = submission;
  const isFixed = (edited?.members ?? 0) > 0;
  const fixed = isFixed ? { readOnly: true, hint: 'Fixed, because the class has members.' } : {};
  return (
    <FormDialog
      title={edited ? `Change ${edited.name}` : 'New class'}
      description="Each member gets an account of the class with its own money and these rules."
      submission={submission}
      submit={edited ? 'Save class' : 'Create class'}
      size="wide"
      initialFocus={first}
      onClose={onClose}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField ref={first} name="name" label="Name" defaultValue={edited?.name} error={errorOf('name')} />
        <SelectField
          label="Rules"
          name="rules"
          value={rules}
          disabled={isFixed}
          onChange={(value) => setRules(ruleSetNames.find((name) => name === value) ?? 'standard')}
        >
          {ruleSetNames.map((name) => (
            <option key={name} value={name}>
              {ruleTexts[name]}
            </option>
          ))}
        </SelectField>
        <TextField
          name="begins"
          label="Begins"
          type="datetime-local"
          defaultValue={toLocal(edited?.begins_at ?? new Date(openedAt).toISOString())}
          error={errorOf('begins')}
        />
        <TextField
          name="ends"
          label="Ends"
          type="datetime-local"
          defaultValue={toLocal(edited?.ends_at ?? new Date(openedAt + monthMs).toISOString())}
          error={errorOf('ends')}
        />
        <TextField
          name="balance"
          label="Start balance, USDT"
          inputMode="decimal"
          defaultValue={edited?.start_balance ?? '10000'}
          error={errorOf('balance')}
          {...fixed}
        />
        <TextField
          name="leverage"
          label="Greatest leverage"
          inputMode="numeric"
          defaultValue={edited?.leverage_max ?? '20'}
          error={errorOf('leverage')}
          {...fixed}
        />
        <TextField
          name="symbols"
          label="Symbols"
          placeholder="BTCUSDT, ETHUSDT"
          defaultValue={edited?.symbols?.join(', ')}
          hint="Empty is every market."
          error={errorOf('symbols')}
        />
        <TextField
          name="positions"
          label="Most open positions"
          inputMode="numeric"
          defaultValue={edited?.positions_max ?? ''}
          hint="Empty is no limit."
          error={errorOf('positions')}
        />
      </div>
      {managers.length === 0 ? null : (
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1.5 text-13 font-medium">Tutors</legend>
          <div className="flex flex-wrap gap-x-5">
            {managers.map(({ id, username }) => (
              <Checkbox
                key={id}
                checked={tutors.includes(id)}
                onChange={(isOn) => setTutors(isOn ? [...tutors, id] : tutors.filter((one) => one !== id))}
              >
                <bdi>{username}</bdi>
              </Checkbox>
            ))}
          </div>
        </fieldset>
      )}
      <Checkbox checked={isOpen} onChange={setOpen}>
        Members see each other’s names and returns
      </Checkbox>
    </FormDialog>
  );
}
