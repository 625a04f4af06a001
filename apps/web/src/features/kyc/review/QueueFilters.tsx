/** Search, filters and order of the queue. */
import {
  type KycAttemptFilter,
  type KycDocumentType,
  kycAttemptFilters,
  kycDocumentTypeLabels,
  kycDocumentTypes,
} from '@fulcrum/domain';
import { SearchField } from '../../../shared/table/SearchField.tsx';
import { Button } from '../../../shared/ui/index.ts';
import type { QueueFilter, QueuePage } from './cases.ts';
import { storeOrder } from './order.ts';
import { noFilter } from './useReviewParams.ts';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly all: string;
  readonly value: Value | null;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value | null) => void;
}

const selectStyles =
  'control h-8 min-w-0 max-w-44 px-2 text-12 max-md:h-11 max-md:max-w-none max-md:text-16 pointer-coarse:text-16';

function Choice<Value extends string>({ label, all, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(options.find(([one]) => one === target.value)?.[0] ?? null)}
      className={selectStyles}
    >
      <option value="">{all}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

const types = kycDocumentTypes.map((type): readonly [KycDocumentType, string] => [
  type,
  kycDocumentTypeLabels[type],
]);
const attemptLabels = { first: 'First attempt', repeated: 'Later attempts' } as const;
const attempts = kycAttemptFilters.map((attempt): readonly [KycAttemptFilter, string] => [
  attempt,
  attemptLabels[attempt],
]);

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
  const listed = countries.map(({ country: name, checks }): readonly [string, string] => [
    name,
    `${name} (${checks})`,
  ]);
  const isListed = country === null || listed.some(([name]) => name === country);
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
        options={isListed ? listed : [...listed, [country, country]]}
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
      <select
        aria-label="Order"
        value={isOldestFirst ? 'oldest' : 'newest'}
        onChange={({ target }) => storeOrder(target.value === 'oldest')}
        className={selectStyles}
      >
        <option value="newest">Newest first</option>
        <option value="oldest">Oldest first</option>
      </select>
      {isNarrowed(filter) ? (
        <Button tone="quiet" size="compact" className="!text-accent" onClick={() => onChange(noFilter)}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}
