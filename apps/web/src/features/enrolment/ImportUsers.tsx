/**
 * Imports users from a file in two steps: a dry run with a verdict on each row, then the import. Invariant: the import of a file has one
 * id, so a repeat after a lost answer creates nobody twice and brings the missing links. Known limitation: an import whose page is left goes
 * on and its links arrive (`import-links.ts`), but a stop of it is not reported.
 */
import { texts } from '@fulcrum/contract/texts';
import { importColumns, importRowsMax, type ReadRow, readImportFile, toCsv } from '@fulcrum/domain';
import Download from 'lucide-react/icons/download';
import Upload from 'lucide-react/icons/upload';
import { useId, useMemo, useRef, useState } from 'react';
import { downloadText } from '../../shared/download/index.ts';
import { useRequest } from '../../shared/form/index.ts';
import { newUuid } from '../../shared/ids/index.ts';
import { log } from '../../shared/log/log.ts';
import { Amount } from '../../shared/numbers/index.ts';
import { getErrorMessage, unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { Badge, type BadgeTone, Button, EmptyState, FormError, Segmented } from '../../shared/ui/index.ts';
import { addLinks, beginImport } from './import-links.ts';
import { LinkFiles } from './LinkFiles.tsx';
import { type ImportedRow, inBatches, type LinkDelivery, type PreviewedRow } from './queries.ts';

type Verdict = PreviewedRow['verdict'] | ImportedRow['verdict'];

interface ShownRow {
  readonly id: string;
  readonly number: number;
  readonly email: string;
  readonly verdict: Verdict;
  readonly message: string | null;
  readonly startBalance: number | null;
}

const verdicts: Readonly<Record<Verdict, { readonly label: string; readonly tone: BadgeTone }>> = {
  refused: { label: 'Refused', tone: 'down' },
  exists: { label: 'Exists', tone: 'neutral' },
  new: { label: 'New', tone: 'accent' },
  created: { label: 'Created', tone: 'up' },
};
const order = Object.keys(verdicts);

const columns: readonly Column<ShownRow>[] = [
  {
    head: 'Line',
    width: '24px',
    numeric: true,
    className: 'w-16',
    card: 'line',
    cell: ({ number }) => number,
  },
  {
    head: 'Verdict',
    width: '56px',
    className: 'w-24',
    card: '1 end',
    cell: ({ verdict }) => <Badge tone={verdicts[verdict].tone}>{verdicts[verdict].label}</Badge>,
  },
  {
    head: 'Email',
    width: '180px',
    card: '1 start',
    tooltip: ({ email }) => email,
    cell: ({ email }) => (
      <span className="block max-w-64 truncate text-text">
        <bdi>{email === '' ? 'No email' : email}</bdi>
      </span>
    ),
  },
  {
    head: 'Start balance',
    width: '72px',
    numeric: true,
    card: 'line',
    cell: ({ startBalance }) => (startBalance === null ? null : <Amount value={startBalance} />),
  },
  {
    head: 'Why',
    width: '200px',
    className: 'w-full',
    card: 'wide line',
    cell: ({ message }) => message,
  },
];

interface ImportFile {
  readonly name: string;
  readonly rows: readonly ReadRow[];
  /** Of the import of this file, whatever is repeated. */
  readonly importId: string;
}

/** Rows that the file itself refuses, before the server sees them. */
const ownRefusals = (rows: readonly ReadRow[]): ShownRow[] =>
  rows.flatMap(({ number, row, objection }) =>
    objection === null
      ? []
      : [
          {
            ...{ id: `${number}`, number, email: row.email, verdict: 'refused', message: objection },
            startBalance: null,
          } as const,
        ],
  );

const byVerdict = (rows: readonly ShownRow[]): readonly ShownRow[] =>
  rows.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || a.number - b.number);

function summarize(rows: readonly ShownRow[]): string {
  const counts = Object.entries(verdicts).flatMap(([verdict, { label }]) => {
    const count = rows.filter((row) => row.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${label.toLowerCase()}`];
  });
  return counts.join(', ');
}

const counted = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`);

const linkOptions = [
  { value: 'mail', label: 'By mail to each user' },
  { value: 'file', label: 'As one file for me' },
] as const satisfies readonly { value: LinkDelivery; label: string }[];
const linkTexts: Readonly<Record<LinkDelivery, string>> = {
  mail: 'Each new user gets a mail with a link to choose a password. It works once, for seven days.',
  file: 'You download the links once, after the import. Each works once, for seven days: hand it to its user only.',
};

const template = toCsv(importColumns, [
  ['kira@school.example', 'kira', 'trader', '', '10000', '', ''],
  ['leo@school.example', 'leo', 'trader', '', '', '', ''],
]);

export function ImportUsers() {
  const { rest } = useSupabase();
  const input = useRef<HTMLInputElement>(null);
  const linksId = useId();
  const [file, setFile] = useState<ImportFile | null>(null);
  const [step, setStep] = useState<'preview' | 'import'>('preview');
  const [rows, setRows] = useState<readonly ShownRow[]>([]);
  const [answered, setAnswered] = useState(0);
  const [isComplete, setComplete] = useState(false);
  const [links, setLinks] = useState<LinkDelivery>('mail');
  const { run, pending, error, setError, isBusy } = useRequest<string>();
  const shown = useMemo(() => byVerdict(rows), [rows]);
  const newRows = rows.filter(({ verdict }) => verdict === 'new');
  const sum = newRows.reduce((total, { startBalance }) => total + (startBalance ?? 0), 0);

  const send = async (chosen: ImportFile, next: 'preview' | 'import') => {
    const sound = chosen.rows.filter(({ objection }) => objection === null);
    const found = ownRefusals(chosen.rows);
    let count = 0;
    const end = next === 'import' ? beginImport(chosen.importId) : () => {};
    setStep(next);
    setComplete(false);
    setRows(found);
    setAnswered(0);
    const isDone = await run(
      async () => {
        await inBatches<PreviewedRow | ImportedRow>(
          sound,
          async (batch) =>
            next === 'preview'
              ? (await unwrap(rest.rpc('preview_user_import', { p_rows: batch }))).rows
              : (
                  await unwrap(
                    rest.rpc('import_users', {
                      p_import_id: chosen.importId,
                      p_rows_in_all: chosen.rows.length,
                      p_links: links,
                      p_rows: batch,
                    }),
                  )
                ).rows,
          (batch) => {
            for (const row of batch) {
              const { number = 0 } = sound[count] ?? {};
              const startBalance = 'start_balance' in row && row.verdict === 'new' ? row.start_balance : null;
              const { email, verdict, message } = row;
              found.push({ id: `${number}`, number, email, verdict, message, startBalance });
              count += 1;
            }
            addLinks(
              chosen.importId,
              chosen.name,
              batch.filter((row) => 'link' in row),
            );
            setRows([...found]);
            setAnswered(count);
          },
        );
        return null;
      },
      (cause) => {
        log.warn('An import of users stopped', cause);
        return `${getErrorMessage(cause, texts.unexpectedError)} ${count} of ${counted(sound.length)} are answered; the same button goes on.`;
      },
    );
    end();
    setComplete(isDone);
  };

  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined || isBusy()) return;
    const read = readImportFile(await chosen.text());
    if ('objection' in read) {
      // The file before stays: its import may have to go on.
      setError(`${chosen.name}: ${read.objection}`);
      return;
    }
    const next = { name: chosen.name, rows: read.rows, importId: newUuid() };
    setFile(next);
    await send(next, 'preview');
  };

  return (
    <section aria-labelledby="import" className="panel overflow-hidden">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 id="import" className="grow text-14 font-semibold">
          Import users
        </h2>
        <Button size="compact" tone="quiet" onClick={() => downloadText('users.csv', template, 'text/csv')}>
          <Download size={14} aria-hidden="true" />
          Example file
        </Button>
        <Button
          size="compact"
          tone={file === null ? 'primary' : 'secondary'}
          muted={pending}
          onClick={() => input.current?.click()}
        >
          <Upload size={14} aria-hidden="true" />
          {file === null ? 'Choose file' : 'Choose another file'}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv"
          aria-label="File of users"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            void choose(event.target.files?.[0]);
            // The same file may be chosen again, after it was corrected.
            event.target.value = '';
          }}
        />
      </div>
      <LinkFiles />
      {file === null ? (
        <EmptyState title="No file chosen">
          A CSV file with a column email and, if you like, {importColumns.slice(1).join(', ')}; at most{' '}
          {importRowsMax} rows. You see a verdict on each row before anything is created.
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-col gap-3 border-b border-line px-4 py-3">
            <p role="status" className="figures text-13">
              <bdi className="font-medium">{file.name}</bdi>: {counted(file.rows.length)}
              {summarize(rows) === '' ? '' : `, ${summarize(rows)}`}
              {pending ? ` (${answered} answered)` : ''}.{' '}
              {step === 'preview' && sum > 0 ? (
                <>
                  The new users begin with <Amount value={sum} unit="USDT" /> in all.
                </>
              ) : null}
            </p>
            {step === 'preview' && newRows.length > 0 ? (
              <div className="flex max-w-[560px] flex-col gap-1.5">
                <span id={linksId} className="text-13 font-medium">
                  Links to choose a password
                </span>
                <Segmented
                  label="Links to choose a password"
                  options={linkOptions}
                  value={links}
                  onChange={setLinks}
                />
                <p className="text-12 text-text-2">{linkTexts[links]}</p>
              </div>
            ) : null}
            <FormError>{error}</FormError>
            <div className="flex flex-wrap gap-2 empty:hidden">
              {(step === 'preview' && isComplete && newRows.length > 0) ||
              (step === 'import' && !isComplete) ? (
                <Button tone="primary" pending={pending} onClick={() => void send(file, 'import')}>
                  {step === 'preview'
                    ? `Create ${newRows.length === 1 ? '1 user' : `${newRows.length} users`}`
                    : 'Go on with the import'}
                </Button>
              ) : null}
              {step === 'preview' && !isComplete && !pending ? (
                <Button onClick={() => void send(file, 'preview')}>Check again</Button>
              ) : null}
            </div>
          </div>
          <DataTable
            caption="Rows of the file, refused ones first"
            columns={columns}
            rows={shown}
            reading={{ isError: false, isFetching: pending, refetch: () => undefined }}
            failed=""
            empty={null}
            className="max-h-[60vh] overflow-y-auto"
          />
        </>
      )}
      {file === null && error !== null ? (
        <div className="px-4 pb-4">
          <FormError>{error}</FormError>
        </div>
      ) : null}
    </section>
  );
}
