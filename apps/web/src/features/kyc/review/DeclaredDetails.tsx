/** The trader's declared details with copy buttons, other accounts with the same details, and earlier attempts. */
import { kycDocumentTypeLabels } from '@fulcrum/domain';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CopyButton } from '../../../shared/copy/CopyButton.tsx';
import { formatDay } from '../../../shared/time/dates.ts';
import { getAgeToday, isUnderage } from './age.ts';
import type { KycCase } from './cases.ts';
import { getDocumentLabel, statusStyles } from './labels.ts';
import { toCaseLink } from './useReviewParams.ts';

function Line({
  label,
  text,
  aside,
}: {
  readonly label: string;
  readonly text: string;
  readonly aside?: string;
}) {
  return (
    <div className="flex min-h-8 items-center gap-2 border-b border-line/65 last:border-b-0">
      <dt className="w-[92px] shrink-0 text-12 lg:max-xl:w-16 lg:max-xl:leading-4 text-text-3">{label}</dt>
      <dd className="flex min-w-0 grow items-center gap-2 text-13">
        <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-2">
          <bdi className="font-medium wrap-anywhere">{text}</bdi>
          {aside === undefined ? null : <span className="figures text-12 text-text-3">{aside}</span>}
        </span>
        <CopyButton label={label} text={text} />
      </dd>
    </div>
  );
}

const Heading = ({ children }: { readonly children: ReactNode }) => (
  <h3 className="mb-1 text-12 font-semibold">{children}</h3>
);

function CaseLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const [search] = useSearchParams();
  return (
    <Link to={toCaseLink(search, id)} className="font-medium text-accent underline-offset-2 hover:underline">
      {children}
    </Link>
  );
}

function Duplicates({ duplicates, verification }: Pick<KycCase, 'duplicates' | 'verification'>) {
  if (duplicates.length === 0) return null;
  return (
    <section
      aria-labelledby="kyc-duplicates"
      className="rounded-control border border-warn/45 bg-warn-weak p-3 text-12 lg:max-xl:order-first lg:max-xl:col-span-3 lg:max-xl:flex lg:max-xl:gap-4 lg:max-xl:py-1.5"
    >
      <h3 id="kyc-duplicates" className="flex shrink-0 items-start gap-2 font-semibold">
        <TriangleAlert size={14} aria-hidden="true" className="mt-[3px] shrink-0 text-warn" />
        {duplicates.length === 1
          ? 'Also on another account'
          : `Also in ${duplicates.length} checks of other accounts`}
      </h3>
      <ul className="mt-1 flex flex-col gap-1.5 pl-[22px] lg:max-xl:mt-0 lg:max-xl:pl-0">
        {duplicates.map(({ verification_id, username, status, submitted_at, same }) => (
          <li key={verification_id}>
            <CaseLink id={verification_id}>
              <bdi>{username}</bdi>
            </CaseLink>
            <span className="text-text-2">
              {`, ${statusStyles[status].label.toLowerCase()}, ${formatDay(submitted_at)}: ${same
                .map((what) =>
                  what === 'document_number'
                    ? 'the same document number'
                    : `the same picture as here (${getDocumentLabel(what, verification.document_type)})`,
                )
                .join(', ')}.`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const dots = { pending: 'bg-warn', approved: 'bg-up', rejected: 'bg-down' } as const;

function Attempts({ attempts, verification }: Pick<KycCase, 'attempts' | 'verification'>) {
  return (
    <section aria-labelledby="kyc-attempts">
      <h3 id="kyc-attempts" className="mb-1 text-12 font-semibold">
        History
      </h3>
      <ol className="flex flex-col gap-1.5 text-12">
        {attempts.map(({ id, attempt, status, submitted_at, reviewed_at }) => {
          const at = reviewed_at ?? submitted_at;
          const attemptLabel = `Attempt ${attempt} ${reviewed_at === null ? 'submitted' : statusStyles[status].label.toLowerCase()}`;
          return (
            <li key={id} className="flex items-baseline gap-2">
              <span
                aria-hidden="true"
                className={`size-1.5 shrink-0 self-center rounded-full ${dots[status]}`}
              />
              <span className="min-w-0 grow">
                {id === verification.id ? (
                  <span aria-current="true">{attemptLabel}</span>
                ) : (
                  <CaseLink id={id}>{attemptLabel}</CaseLink>
                )}
              </span>
              <time dateTime={at} title={at} className="figures shrink-0 text-text-3">
                {formatDay(at)}
              </time>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

export function DeclaredDetails({ opened }: { readonly opened: KycCase }) {
  const { verification, duplicates, attempts } = opened;
  const age = getAgeToday(verification.date_of_birth);
  return (
    <div className="flex flex-col gap-4 lg:max-xl:grid lg:max-xl:grid-cols-3 lg:max-xl:gap-x-6">
      <section>
        <Heading>Declared by the trader</Heading>
        <dl>
          <Line label="First name" text={verification.first_name} />
          <Line label="Last name" text={verification.last_name} />
          <Line
            label="Date of birth"
            // A date of birth has no time zone, so it is formatted as is.
            text={formatDay(`${verification.date_of_birth}T00:00:00`)}
            {...(age !== null && { aside: `${age} y` })}
          />
          {isUnderage(verification.date_of_birth, opened.min_age) ? (
            <div className="border-b border-line/65 py-1.5">
              <dt className="sr-only">Least age</dt>
              <dd className="flex items-center gap-2 text-12 font-medium text-down">
                <TriangleAlert size={14} aria-hidden="true" className="shrink-0" />
                {`${age} years old, below ${opened.min_age}`}
              </dd>
            </div>
          ) : null}
          <Line label="Country" text={verification.country} />
        </dl>
      </section>
      <section className="xl:-mt-4">
        <div className="max-lg:hidden xl:hidden">
          <Heading>Address</Heading>
        </div>
        <dl className="max-lg:-mt-4 xl:border-t xl:border-line/65">
          <Line label="Address" text={verification.address} />
          <Line label="City" text={verification.city} />
          <Line label="Postal code" text={verification.postal_code} />
        </dl>
      </section>
      <section>
        <Heading>Document</Heading>
        <dl>
          <Line label="Type" text={kycDocumentTypeLabels[verification.document_type]} />
          <Line label="Number" text={verification.document_number} />
        </dl>
      </section>
      <Duplicates duplicates={duplicates} verification={verification} />
      <Attempts attempts={attempts} verification={verification} />
    </div>
  );
}
