/** The nine fields of an identity check (KYC-06), with their autocomplete tokens. */
import {
  type KycField,
  type KycFields,
  kycDocumentTypeLabels,
  kycDocumentTypes,
  kycLabels,
  kycLimits,
} from '@fulcrum/domain';
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ComponentProps } from 'react';
import { Field, TextField } from '../../../shared/ui/index.ts';
import { countriesWith } from './countries.ts';

interface DetailsProps {
  readonly fields: KycFields;
  readonly errorOf: (field: KycField) => string | undefined;
  readonly onType: (field: KycField, value: string) => void;
  /** The UTC day, `2026-11-21`. */
  readonly today: string;
}

interface Option {
  readonly value: string;
  readonly label: string;
}
const options = {
  documentTypes: kycDocumentTypes.map((value) => ({ value, label: kycDocumentTypeLabels[value] })),
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
    <Field {...fieldProps(field)}>
      {(ids) => (
        <div className="relative">
          <select
            {...ids}
            {...typed(field)}
            autoComplete={autoComplete}
            className="control h-11 w-full appearance-none pr-10 pl-3.5 text-14 max-md:text-16 pointer-coarse:text-16"
          >
            <option value="">Please choose</option>
            {from.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <ChevronDown
            size={16}
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3.5 my-auto text-text-2"
          />
        </div>
      )}
    </Field>
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
