/**
 * Visitors' messages (CALL-80, CALL-81). The list with its filter is at the left, the opened message at the right; on
 * narrower screens it replaces the list. The address contains filter and message.
 */
import { contactStatuses } from '@fulcrum/domain';
import { useEffect, useRef } from 'react';
import { ExportButton } from '../../../shared/download/ExportButton.tsx';
import { WaitingChanges } from '../../../shared/table/index.ts';
import { SearchField } from '../../../shared/table/SearchField.tsx';
import { Button, EmptyState, ReadError, Segmented, Skeleton } from '../../../shared/ui/index.ts';
import {
  choiceField,
  defineUrlState,
  optionalField,
  textField,
  useUrlState,
} from '../../../shared/url-state/index.ts';
import type { ContactForm, FormsFilter, StatusFilter } from './contact-forms.ts';
import { FormDetail } from './FormDetail.tsx';
import { FormRows, rowId } from './FormRows.tsx';
import { statusStyles } from './status-styles.ts';
import { useContactForm, useContactForms } from './useContactForms.ts';

const filters: readonly { readonly value: StatusFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  ...contactStatuses.map((status) => ({ value: status, label: statusStyles[status].label })),
];

const urlState = defineUrlState({
  status: choiceField<StatusFilter>(['all', ...contactStatuses], 'all'),
  search: textField(100, 'q'),
  form: optionalField((id) => id),
});

function OpenForm({
  id,
  listed,
  onClose,
}: {
  readonly id: string;
  readonly listed: ContactForm | undefined;
  readonly onClose: () => void;
}) {
  const reading = useContactForm(id, listed);
  const { data: form, isError } = reading;
  if (form) return <FormDetail form={form} onClose={onClose} />;
  if (isError) return <ReadError title="Failed to fetch the message" reading={reading} />;
  if (form === null) {
    return (
      <EmptyState title="This message is gone" action={<Button onClick={onClose}>Back to the list</Button>}>
        It may have been deleted, or the address is incomplete.
      </EmptyState>
    );
  }
  return (
    <div aria-busy="true" className="flex flex-col gap-3 p-4">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}

function renderEmptyState({ status, search }: FormsFilter) {
  if (search !== '') {
    return (
      <EmptyState title="No message matches">{`No name, email or subject contains “${search}”.`}</EmptyState>
    );
  }
  if (status === 'all') {
    return (
      <EmptyState title="No messages yet">What visitors write on the contact page appears here.</EmptyState>
    );
  }
  return (
    <EmptyState title="No message matches">None is {statusStyles[status].label.toLowerCase()}.</EmptyState>
  );
}

export function ContactFormsTab() {
  const [{ status, search: typed, form: openId }, change] = useUrlState(urlState);
  const search = typed.trim();
  const filter = (next: StatusFilter) => change({ status: next }, { step: 'new' });
  const open = (form: string | null) => change({ form }, { step: 'new' });
  const { forms, pages, waiting, showNew } = useContactForms({ status, search });
  const list = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef<string | null>(null);

  // After closing, the focus moves to the message's row, else to the list.
  useEffect(() => {
    const before = wasOpen.current;
    wasOpen.current = openId;
    if (openId !== null || before === null) return;
    (document.getElementById(rowId(before)) ?? list.current)?.focus();
  }, [openId]);

  const retry = () => void pages.refetch();
  const more = () => void pages.fetchNextPage();
  const close = () => open(null);
  return (
    <div className="flex grow items-start gap-4 p-6 max-lg:p-4 max-md:p-3">
      <title>Contact Forms · Fulcrum</title>
      <section
        aria-labelledby="contact-forms"
        className={`min-w-0 grow ${openId === null ? '' : 'max-lg:hidden'}`}
      >
        <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
          <h1 ref={list} id="contact-forms" tabIndex={-1} className="text-20 font-semibold outline-none">
            Contact Forms
          </h1>
          <WaitingChanges
            count={waiting}
            what={['new message', 'new messages']}
            onShow={showNew}
            pending={pages.isRefetching}
          />
          <SearchField
            label="Search messages"
            placeholder="Name, email or subject"
            value={typed}
            onSearch={(next) => change({ search: next })}
            className="w-60 max-md:w-full"
          />
          <div className="ml-auto max-w-full overflow-x-auto max-md:ml-0 max-md:w-full">
            <Segmented label="Status" size="compact" options={filters} value={status} onChange={filter} />
          </div>
          <ExportButton
            what="contact messages"
            args={{ p_list: 'contact', p_status: status === 'all' ? null : status, p_search: search }}
          />
        </div>
        <div className="panel overflow-hidden">
          <FormRows
            forms={forms}
            reading={pages}
            empty={renderEmptyState({ status, search })}
            openId={openId}
            onOpen={open}
          />
          {forms !== undefined && forms.length > 0 ? (
            <div className="flex h-11 items-center justify-between gap-3 border-t border-line px-4 text-12 text-text-2">
              <span role="status" className="figures">
                {pages.isError ? 'The list may be out of date. ' : null}
                {pages.hasNextPage ? `${forms.length} shown` : `${forms.length} in all`}
              </span>
              {pages.isError ? (
                <Button size="compact" onClick={retry} pending={pages.isFetching}>
                  Retry
                </Button>
              ) : pages.hasNextPage ? (
                <Button size="compact" onClick={more} pending={pages.isFetchingNextPage}>
                  Load more
                </Button>
              ) : null}
            </div>
          ) : null}
        </div>
      </section>
      {/* The list with its heading is not rendered then. */}
      {openId === null ? null : <h1 className="sr-only lg:hidden">Contact Forms</h1>}
      {openId === null ? null : (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from wherever the focus is inside
        <div
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
          }}
          className="panel w-[460px] shrink-0 overflow-x-hidden max-xl:w-[400px] max-lg:w-full max-lg:shrink lg:sticky lg:top-[calc(var(--impersonation-height)+var(--nav-height)+61px)] lg:max-h-[calc(100dvh-var(--impersonation-height)-var(--nav-height)-77px)] lg:overflow-y-auto"
        >
          <OpenForm id={openId} listed={forms?.find(({ id }) => id === openId)} onClose={close} />
        </div>
      )}
    </div>
  );
}
