/** The messages, one per row; on a phone each one is a block. The name is the button that opens it. */

import { DateTime } from '../../../shared/time/DateTime.tsx';
import { SkeletonRows, Table, Td, Th, Tr, usePhone } from '../../../shared/ui/index.ts';
import type { ContactForm } from './contact-forms.ts';
import { StatusBadge } from './StatusBadge.tsx';

interface FormRowsProps {
  /** Undefined while they are being read. */
  readonly forms: readonly ContactForm[] | undefined;
  readonly openId: string | null;
  readonly onOpen: (id: string) => void;
}

export const rowId = (id: string): string => `contact-form-${id}`;
const weight = ({ status }: ContactForm): string => (status === 'new' ? 'font-semibold' : 'font-medium');

function OpenButton({ form, onOpen }: { readonly form: ContactForm; readonly onOpen: (id: string) => void }) {
  return (
    <button
      type="button"
      id={rowId(form.id)}
      onClick={() => onOpen(form.id)}
      aria-label={`Open the message of ${form.name}: ${form.subject}`}
      className={`block max-w-full truncate text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent ${weight(form)}`}
    >
      {form.name}
    </button>
  );
}

/** The row shown in the other pane. On its background the accent is too weak for a badge's text. */
const current =
  '!bg-raised shadow-[inset_3px_0_0_var(--accent)] [&_.text-accent]:text-text [&_.text-text-3]:text-text-2';

function WideRows({ forms, openId, onOpen }: FormRowsProps) {
  // Beside an open message the subject needs the width more.
  const emailStyles = openId === null ? '' : 'max-xl:hidden';
  return (
    <Table
      caption="Messages of visitors, newest first"
      className="table-fixed"
      head={
        <>
          <Th className="w-[18%]">Name</Th>
          <Th className={`w-[24%] ${emailStyles}`}>Email</Th>
          <Th>Subject</Th>
          <Th className="w-28">Status</Th>
          <Th className="w-40" numeric>
            Received
          </Th>
        </>
      }
    >
      {forms === undefined ? (
        <SkeletonRows rows={8} widths={['60%', '80%', '70%', '64px', '104px']} numeric={[4]} height={37} />
      ) : (
        forms.map((form) => (
          <Tr
            key={form.id}
            aria-current={form.id === openId || undefined}
            className={`relative !h-[37px] ${form.id === openId ? current : ''}`}
          >
            <Td>
              <OpenButton form={form} onOpen={onOpen} />
            </Td>
            <Td title={form.email} className={`truncate text-text-2 ${emailStyles}`}>
              {form.email}
            </Td>
            <Td
              title={form.subject}
              className={`truncate ${form.status === 'new' ? 'font-medium' : 'text-text-2'}`}
            >
              {form.subject}
            </Td>
            <Td>
              <StatusBadge status={form.status} />
            </Td>
            <Td numeric className="text-12 text-text-2">
              <DateTime iso={form.created_at} />
            </Td>
          </Tr>
        ))
      )}
    </Table>
  );
}

function NarrowRows({ forms, openId, onOpen }: FormRowsProps) {
  if (forms === undefined) {
    return (
      <div aria-busy="true">
        {['a', 'b', 'c', 'd'].map((row) => (
          <div key={row} className="flex h-[88px] flex-col justify-center gap-2 border-b border-line/65 px-4">
            <span className="shimmer block h-3.5 w-1/2" />
            <span className="shimmer block h-3.5 w-4/5" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul aria-label="Messages of visitors, newest first">
      {forms.map((form) => (
        <li
          key={form.id}
          aria-current={form.id === openId || undefined}
          className="relative flex min-h-[88px] scroll-mt-28 flex-col justify-center gap-1 border-b border-line/65 px-4 py-2.5 last:border-b-0"
        >
          <div className="flex items-center justify-between gap-3 text-14">
            <OpenButton form={form} onOpen={onOpen} />
            <StatusBadge status={form.status} />
          </div>
          <p className="truncate text-13 text-text-2" title={form.subject}>
            {form.subject}
          </p>
          <p className="flex justify-between gap-3 text-12 text-text-2">
            <span className="truncate" title={form.email}>
              {form.email}
            </span>
            <DateTime iso={form.created_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

export function FormRows(props: FormRowsProps) {
  const phone = usePhone();
  return phone ? <NarrowRows {...props} /> : <WideRows {...props} />;
}
