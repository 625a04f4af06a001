/** The messages, one per row. The name is the button that opens it. */
import type { ReactNode } from 'react';
import { type Column, DataTable, type Reading } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { IconBadge } from '../../../shared/ui/index.ts';
import { type ContactForm, failedText } from './contact-forms.ts';
import { statusStyles } from './status-styles.ts';

interface FormRowsProps {
  /** Undefined while they are being read. */
  readonly forms: readonly ContactForm[] | undefined;
  readonly reading: Reading;
  readonly empty: ReactNode;
  readonly openId: string | null;
  readonly onOpen: (id: string) => void;
}

export const rowId = (id: string): string => `contact-form-${id}`;

const toColumns = ({ openId, onOpen }: FormRowsProps): readonly Column<ContactForm>[] => [
  {
    head: 'Name',
    width: '60%',
    className: 'w-[18%]',
    card: '1 start',
    cell: ({ id, name, subject, status }) => (
      <button
        type="button"
        id={rowId(id)}
        onClick={() => onOpen(id)}
        aria-label={`Open the message of ${name}: ${subject}`}
        className={`block max-w-full truncate text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent max-md:scroll-mt-28 ${status === 'new' ? 'font-semibold' : 'font-medium'}`}
      >
        {name}
      </button>
    ),
  },
  {
    head: 'Email',
    width: '80%',
    // Beside an open message the subject needs the width more.
    className: `w-[24%] ${openId === null ? '' : 'max-xl:hidden'}`,
    cellClassName: 'truncate text-text-2',
    card: '3 start',
    tooltip: ({ email }) => email,
    cell: ({ email }) => email,
  },
  {
    head: 'Subject',
    width: '70%',
    cellClassName: 'truncate',
    card: '2 start',
    tooltip: ({ subject }) => subject,
    cell: ({ subject, status }) => (
      <span className={status === 'new' ? 'font-medium' : 'text-text-2'}>{subject}</span>
    ),
  },
  {
    head: 'Status',
    width: '64px',
    className: 'w-28',
    card: '1 end',
    cell: ({ status }) => <IconBadge variant={statusStyles[status]} />,
  },
  {
    head: 'Received',
    width: '104px',
    numeric: true,
    className: 'w-40',
    cellClassName: '!text-12 text-text-2',
    card: '3 end',
    cell: ({ created_at: at }) => <DateTime iso={at} />,
  },
];

export function FormRows(props: FormRowsProps) {
  const { forms, reading, empty, openId } = props;
  return (
    <DataTable
      caption="Messages of visitors, newest first"
      columns={toColumns(props)}
      rows={forms}
      reading={reading}
      failed={failedText}
      empty={empty}
      currentId={openId}
      placeholders={8}
      rowHeight={37}
      cardHeight={88}
      className="min-h-64"
      tableClassName="table-fixed"
      cellClassName=""
    />
  );
}
