/** The fields of a bulk action beside its reason: amount, class, or how links are sent. */
import { type Money, toDecimalString } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useId } from 'react';
import { DecimalField } from '../../../shared/decimals/DecimalField.tsx';
import { namedOptions, SelectField } from '../../../shared/form/SelectField.tsx';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Segmented } from '../../../shared/ui/index.ts';
import { classesQuery } from '../../classes/index.ts';
import { fundsGrid, parseFunds, stepFunds } from '../money/funds-amount.ts';
import type { BulkKind, FundsChange, LinkDelivery, ReasonedCommand } from './bulk.ts';

/** What the admin chose; each kind of action reads its own. */
export interface BulkTerms {
  readonly change: FundsChange;
  readonly amountText: string;
  /** Empty: none is chosen. */
  readonly classId: string;
  readonly links: LinkDelivery;
}
export const noTerms: BulkTerms = { change: 'add', amountText: '', classId: '', links: 'mail' };

export const amountOf = ({ change, amountText }: BulkTerms) =>
  parseFunds(amountText, change === 'set' ? 'allowed' : 'refused');

/** Null while a field is empty or invalid. */
export function toCommand(
  kind: Exclude<BulkKind, 'assign'>,
  terms: BulkTerms,
  inClass: string | null,
): ReasonedCommand | null {
  switch (kind) {
    case 'funds': {
      const { amount } = amountOf(terms);
      return amount === null
        ? null
        : { kind, inClass, change: terms.change, amount: toDecimalString(amount) };
    }
    case 'class':
      return terms.classId === '' ? null : { kind, inClass, classId: terms.classId };
    case 'reset':
      return { kind, inClass };
    case 'invite':
      return { kind, links: terms.links };
    default:
      return { kind };
  }
}

const changes = [
  { value: 'add', label: 'Add', tone: 'up' },
  { value: 'subtract', label: 'Subtract', tone: 'down' },
  { value: 'set', label: 'Set to' },
] as const;
const deliveries = [
  { value: 'mail', label: 'By mail to each user' },
  { value: 'file', label: 'In one file' },
] as const;

interface BulkFieldsProps {
  readonly kind: BulkKind;
  readonly terms: BulkTerms;
  readonly onChange: (terms: BulkTerms) => void;
  /** The class that they move from. */
  readonly inClass: string | null;
  /** Of the missing or invalid field. */
  readonly error: string | null;
  readonly field: RefObject<HTMLInputElement | null>;
}

export function BulkFields({ kind, terms, onChange, inClass, error, field }: BulkFieldsProps) {
  if (kind === 'funds') return <FundsFields {...{ terms, onChange, error, field }} />;
  if (kind === 'class') return <ClassField {...{ terms, onChange, inClass, error }} />;
  if (kind === 'invite') {
    return (
      <Segmented
        label="Links to choose a password"
        options={deliveries}
        value={terms.links}
        onChange={(links) => onChange({ ...terms, links })}
      />
    );
  }
  return null;
}

function FundsFields({
  terms,
  onChange,
  error,
  field,
}: Pick<BulkFieldsProps, 'terms' | 'onChange' | 'error' | 'field'>) {
  const errorId = useId();
  const { amount }: { readonly amount: Money | null } = amountOf(terms);
  return (
    <>
      <Segmented
        label="What to do"
        options={changes}
        value={terms.change}
        onChange={(change) => onChange({ ...terms, change })}
      />
      <DecimalField
        label={terms.change === 'set' ? 'Balance' : 'Amount'}
        field={field}
        text={terms.amountText}
        grid={fundsGrid}
        onType={(amountText) => onChange({ ...terms, amountText })}
        onStep={(steps) => onChange({ ...terms, amountText: stepFunds(amount, steps) })}
        unit="USDT"
        required
        invalid={error !== null}
        describedBy={error === null ? undefined : errorId}
      >
        <p id={errorId} role="status" className="min-h-4 text-12 text-down">
          {error}
        </p>
      </DecimalField>
    </>
  );
}

function ClassField({
  terms,
  onChange,
  inClass,
  error,
}: Pick<BulkFieldsProps, 'terms' | 'onChange' | 'inClass' | 'error'>) {
  const { data: classes } = useQuery(classesQuery(useSupabase()));
  const now = Date.now();
  const choices = classes?.filter(({ id, ends_at }) => id !== inClass && Date.parse(ends_at) > now);
  return (
    <div>
      <SelectField
        label="Class"
        value={terms.classId}
        options={namedOptions(
          choices?.length === 0 ? 'No class that takes members' : 'Choose a class',
          choices,
        )}
        onChange={(classId) => onChange({ ...terms, classId })}
      />
      <p role="status" className="min-h-4 text-12 text-down">
        {error}
      </p>
    </div>
  );
}
