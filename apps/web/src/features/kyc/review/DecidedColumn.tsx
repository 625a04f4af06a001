/** The decision of a case with its reviewer, time and reasons; read-only. */
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { IconBadge } from '../../../shared/ui/index.ts';
import type { KycCase } from './cases.ts';
import { getDocumentLabel, getReasonLabel, statusStyles } from './labels.ts';

export function DecidedColumn({ opened }: { readonly opened: KycCase }) {
  const { verification, reviewer_name } = opened;
  const { status, reviewed_at, reject_type, reasons, private_note, document_type } = verification;
  return (
    <div className="flex flex-col gap-4 text-13">
      <section className="flex flex-col gap-2">
        <h3 className="text-12 font-semibold">Decision</h3>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <IconBadge variant={statusStyles[status]} />
          {reject_type === null ? null : (
            <span className="text-12 text-text-2">
              {reject_type === 'final'
                ? 'Final: the trader must contact support.'
                : 'The trader can submit again.'}
            </span>
          )}
        </p>
        <p className="text-12 text-text-2">
          <bdi>{reviewer_name ?? 'A deleted account'}</bdi>, <DateTime iso={reviewed_at} />
        </p>
      </section>
      {reasons.length === 0 ? null : (
        <section>
          <h3 className="mb-1 text-12 font-semibold">Text for the trader</h3>
          <ul className="flex flex-col gap-2">
            {reasons.map(({ document, code, text }) => (
              <li key={`${document} ${code}`} className="border-l-2 border-down pl-2.5">
                <span className="block text-11 text-text-3">
                  {`${getReasonLabel(code)}${document === null ? '' : ` (${getDocumentLabel(document, document_type)})`}`}
                </span>
                <bdi className="wrap-anywhere">{text}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className="mb-1 text-12 font-semibold">Private note</h3>
        <p className="wrap-anywhere whitespace-pre-wrap text-text-2">{private_note ?? 'None'}</p>
      </section>
    </div>
  );
}
