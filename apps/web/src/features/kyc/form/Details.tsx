/** The nine fields of an identity check (KYC-06), with their autocomplete tokens. */
import {
  type KycField,
  type KycFields,
  kycDocumentTypeLabels,
  kycDocumentTypes,
  kycLabels,
  kycLimits,
} from '@fulcrum/domain';
import type { ComponentProps } from 'react';
import { type Option, optionsOf, SelectField } from '../../../shared/form/SelectField.tsx';
import { TextField } from '../../../shared/ui/index.ts';
import { countriesWith } from './countries.ts';

interface DetailsProps {
  readonly fields: KycFields;
  readonly errorOf: (field: KycField) => string | undefined;
  readonly onType: (field: KycField, value: string) => void;
  /** The UTC day, `2026-11-21`. */
  readonly today: string;
}

const options = {
  documentTypes: optionsOf(kycDocumentTypes, kycDocumentTypeLabels),
  countriesWith: (chosen: string): readonly Option[] =>
    countriesWith(chosen).map((country) => ({ value: country, label: country })),
};

export function Details({ fields, errorOf, onType, today }: DetailsProps) {
  const fieldProps = (field: KycField) => ({ label: kycLabels[field], error: errorOf(field) });
  const typed = (field: KycField) => ({
    name: field,
    required: true,
    value: fields[field],
    onChange: (event: { readonly target: { readonly value: string } }) => onType(field, event.target.value),
  });
  const text = (field: KycField, more: Omit<ComponentProps<'input'>, 'className' | 'id' | 'children'>) => (
    // One character more than allowed: a text that is too long is reported and not cut off.
    <TextField {...fieldProps(field)} {...typed(field)} maxLength={kycLimits[field] * 2 + 1} {...more} />
  );
  const choice = (field: KycField, from: readonly Option[], autoComplete: string) => (
    <SelectField
      {...fieldProps(field)}
      {...typed(field)}
      options={[{ value: '', label: 'Please choose' }, ...from]}
      onChange={(value) => onType(field, value)}
      autoComplete={autoComplete}
    />
  );
  return (
    <div className="grid items-start gap-x-4 gap-y-4 md:grid-cols-2">
      {text('first_name', { autoComplete: 'given-name' })}
      {text('last_name', { autoComplete: 'family-name' })}
      {text('date_of_birth', { type: 'date', autoComplete: 'bday', max: today })}
      {choice('country', options.countriesWith(fields.country), 'country-name')}
      <div className="md:col-span-2">{text('address', { autoComplete: 'street-address' })}</div>
      {text('city', { autoComplete: 'address-level2' })}
      {text('postal_code', { autoComplete: 'postal-code', autoCapitalize: 'characters' })}
      {choice('document_type', options.documentTypes, 'off')}
      {text('document_number', { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false })}
    </div>
  );
}
