/** Search, filters and order of the queue. */
import { kycAttemptFilters, kycDocumentTypeLabels, kycDocumentTypes } from '@fulcrum/domain';
import { type Option, optionsOf, Select } from '../../../shared/form/SelectField.tsx';
import { SearchField } from '../../../shared/table/SearchField.tsx';
import { Button } from '../../../shared/ui/index.ts';
import type { QueueFilter, QueuePage } from './cases.ts';
import { storeOrder } from './order.ts';
import { noFilter } from './useReviewParams.ts';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly all: string;
  readonly value: Value | null;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value | null) => void;
}

const selectStyles =
  'control h-8 min-w-0 max-w-44 px-2 text-12 max-md:h-11 max-md:max-w-none max-md:text-16 pointer-coarse:text-16';

function Choice<Value extends string>({ label, all, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <Select<Value | ''>
      aria-label={label}
      value={value ?? ''}
      options={[{ value: '', label: all }, ...options]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
      className={selectStyles}
    />
  );
}

const types = optionsOf(kycDocumentTypes, kycDocumentTypeLabels);
const attempts = optionsOf(kycAttemptFilters, { first: 'First attempt', repeated: 'Later attempts' });
const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
] as const;

interface QueueFiltersProps {
  readonly filter: QueueFilter;
  readonly isOldestFirst: boolean;
  readonly countries: QueuePage['countries'];
  readonly onChange: (change: Partial<QueueFilter>) => void;
}

export const isNarrowed = ({ search, country, type, attempt }: QueueFilter): boolean =>
  search !== '' || country !== null || type !== null || attempt !== null;

export function QueueFilters({ filter, isOldestFirst, countries, onChange }: QueueFiltersProps) {
  const { search, country, type, attempt } = filter;
  const listed = countries.map(({ country: name, checks }) => ({
    value: name,
    label: `${name} (${checks})`,
  }));
  const isListed = country === null || listed.some(({ value }) => value === country);
  return (
    <search className="flex flex-wrap items-center gap-2 max-md:grid max-md:grid-cols-2">
      <SearchField
        label="Search identity checks"
        placeholder="Name, email or document number"
        value={search}
        onSearch={(next) => onChange({ search: next })}
        className="w-72 max-lg:w-56 max-md:col-span-2 max-md:w-full"
      />
      <Choice
        label="Country"
        all="All countries"
        value={country}
        options={isListed ? listed : [...listed, { value: country, label: country }]}
        onChange={(next) => onChange({ country: next })}
      />
      <Choice
        label="Document"
        all="All documents"
        value={type}
        options={types}
        onChange={(next) => onChange({ type: next })}
      />
      <Choice
        label="Attempt"
        all="All attempts"
        value={attempt}
        options={attempts}
        onChange={(next) => onChange({ attempt: next })}
      />
      <Select
        aria-label="Order"
        value={isOldestFirst ? 'oldest' : 'newest'}
        options={orders}
        onChange={(order) => storeOrder(order === 'oldest')}
        className={selectStyles}
      />
      {isNarrowed(filter) ? (
        <Button tone="quiet" size="compact" className="!text-accent" onClick={() => onChange(noFilter)}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}
