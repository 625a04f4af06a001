/** The playbooks of the account, each with what its trades have earned on average: in all, and by criterion met or not. */
import type { PlaybookResult, PlaybookResults } from '@fulcrum/contract';
import { useState } from 'react';
import { downloadText, formatDayStamp } from '../../shared/download/index.ts';
import { useSaving } from '../../shared/download/useSaving.ts';
import { RequestDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Pnl } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import type { Playbook } from '../../shared/supabase/index.ts';
import {
  Badge,
  Button,
  EmptyState,
  ErrorState,
  Skeleton,
  showToast,
  Table,
  Td,
  Th,
  Tr,
} from '../../shared/ui/index.ts';
import { Widget } from '../../shared/widget/index.ts';
import { PlaybookDialog } from './PlaybookDialog.tsx';
import { playbooksCsv, readAnsweredTrades } from './playbook-files.ts';
import { deletePlaybook, usePlaybookResults, usePlaybooks, useRefetchPlaybooks } from './playbooks.ts';

type Expectancy = PlaybookResult['all'];

const tradeCount = (trades: number): string => (trades === 1 ? '1 trade' : `${trades} trades`);

/** Says beside the number of trades that they are too few. */
function Trades({ trades, needed }: { readonly trades: number; readonly needed: number }) {
  const isEnough = trades >= needed;
  return (
    <span className="text-12 text-text-3">
      {tradeCount(trades)}
      {isEnough || trades === 0 ? null : <span className="text-warn">{`, ${needed} needed`}</span>}
    </span>
  );
}

/** USDT above R, above the number of trades, so that two of them fit a phone side by side. */
function Average({ of, needed }: { readonly of: Expectancy; readonly needed: number }) {
  return (
    <span className="flex flex-col items-end">
      {of.net === null ? <span className="text-text-3">–</span> : <Pnl value={of.net} />}
      {of.r === null ? null : <Pnl value={of.r} unit="R" className="text-12" />}
      <Trades trades={of.trades} needed={needed} />
    </span>
  );
}

function Criteria({ result, needed }: { readonly result: PlaybookResult; readonly needed: number }) {
  if (result.criteria.length === 0) return null;
  return (
    <div className="mt-2 [&_:is(td,th):first-child]:pl-0 [&_:is(td,th):last-child]:pr-0">
      <Table
        caption="Expectancy by criterion, USDT and R"
        head={
          <>
            <Th>Criterion</Th>
            <Th numeric>Met</Th>
            <Th numeric>Not met</Th>
          </>
        }
      >
        {result.criteria.map(({ criterion, met, unmet }) => (
          <Tr key={criterion}>
            <Td className="py-2 align-top wrap-anywhere">{criterion}</Td>
            <Td numeric className="py-2 align-top">
              <Average of={met} needed={needed} />
            </Td>
            <Td numeric className="py-2 align-top">
              <Average of={unmet} needed={needed} />
            </Td>
          </Tr>
        ))}
      </Table>
    </div>
  );
}

function Summary({ of, needed }: { readonly of: Expectancy; readonly needed: number }) {
  if (of.net === null)
    return (
      <p className="text-12 text-text-2">
        No closed trade has it yet. Choose it in the review of a closed trade.
      </p>
    );
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-13">
      <span>
        Expectancy <Pnl value={of.net} unit="USDT" className="font-semibold" />
      </span>
      {of.r === null ? null : (
        <span>
          <Pnl value={of.r} unit="R" className="font-semibold" />{' '}
          <span className="text-12 text-text-3">{`of ${of.r_trades} with a stop loss`}</span>
        </span>
      )}
      <span className="text-12 text-text-3">{tradeCount(of.trades)}</span>
      {of.trades < needed ? <Badge tone="warn">{`Too few: ${of.trades} of ${needed}`}</Badge> : null}
    </p>
  );
}

interface PlaybookItemProps {
  readonly playbook: Playbook;
  readonly results: PlaybookResults | undefined;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function PlaybookItem({ playbook, results, onEdit, onDelete }: PlaybookItemProps) {
  const result = results?.playbooks.find((one) => one.playbook_id === playbook.id);
  return (
    <li className="min-w-0 p-4">
      <div className="mb-1 flex items-center justify-between gap-3">
        <h3 className="min-w-0 truncate text-13 font-semibold">{playbook.name}</h3>
        <span className="flex shrink-0 gap-1">
          <Button tone="quiet" size="compact" aria-label={`Edit ${playbook.name}`} onClick={onEdit}>
            Edit
          </Button>
          <Button tone="quiet" size="compact" aria-label={`Delete ${playbook.name}`} onClick={onDelete}>
            Delete
          </Button>
        </span>
      </div>
      {results === undefined ? <Skeleton className="h-10 w-full" /> : null}
      {results && result ? (
        <>
          <Summary of={result.all} needed={results.needed} />
          <Criteria result={result} needed={results.needed} />
        </>
      ) : null}
    </li>
  );
}

function DeleteDialog({ playbook, onEnd }: { readonly playbook: Playbook; readonly onEnd: () => void }) {
  const { accountId, supabase } = useSignedIn();
  const refetch = useRefetchPlaybooks();
  const remove = () => deletePlaybook(supabase, accountId, playbook.id);
  const onDone = () => {
    showToast('success', 'Playbook deleted');
    refetch();
    onEnd();
  };
  return (
    <RequestDialog
      title="Delete this playbook?"
      description={
        <p className="mt-2 text-14 wrap-anywhere">
          <bdi className="font-medium text-text">{playbook.name}</bdi> and the answers of its trades are
          deleted. The trades stay. It cannot be brought back.
        </p>
      }
      confirm="Delete playbook"
      send={remove}
      failed="Failed to delete the playbook"
      onDone={onDone}
      onClose={onEnd}
    />
  );
}

type Opened =
  | { readonly kind: 'edit'; readonly playbook: Playbook | null }
  | { readonly kind: 'delete'; readonly playbook: Playbook };

function ExportButton({ playbooks }: { readonly playbooks: readonly Playbook[] }) {
  const { user, accountId, supabase } = useSignedIn();
  const { save, pending } = useSaving('Failed to export the playbooks');
  const exportAll = () =>
    save(async () => {
      const trades = await readAnsweredTrades(supabase, accountId);
      const name = `playbooks_${user.username}_${formatDayStamp(new Date())}.csv`;
      downloadText(name, playbooksCsv(playbooks, trades), 'text/csv');
    });
  return (
    <Button tone="quiet" size="compact" onClick={exportAll} pending={pending}>
      Export
    </Button>
  );
}

function List() {
  const playbooks = usePlaybooks();
  const results = usePlaybookResults();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const make = () => setOpened({ kind: 'edit', playbook: null });
  const hasFailed = playbooks.isError || results.isError;
  const content = () => {
    if (hasFailed)
      return (
        <ErrorState
          title="Failed to load the playbooks"
          onRetry={() => Promise.all([playbooks.refetch(), results.refetch()])}
          retrying={playbooks.isFetching || results.isFetching}
        />
      );
    if (playbooks.data === undefined) return <Skeleton className="m-4 h-24" />;
    if (playbooks.data.length === 0)
      return (
        <EmptyState title="No playbooks yet" action={<Button onClick={make}>New playbook</Button>}>
          Name a setup that you trade and what has to be true for it. Choose it in the review of a closed
          trade, and see what each criterion is worth.
        </EmptyState>
      );
    return (
      <>
        <ul
          aria-label="Playbooks"
          className="grid gap-px border-t border-line bg-line xl:grid-cols-2 [&>*]:bg-surface xl:[&>*:last-child:nth-child(odd)]:col-span-2"
        >
          {playbooks.data.map((playbook) => (
            <PlaybookItem
              key={playbook.id}
              playbook={playbook}
              results={results.data}
              onEdit={() => setOpened({ kind: 'edit', playbook })}
              onDelete={() => setOpened({ kind: 'delete', playbook })}
            />
          ))}
        </ul>
        {results.data?.truncated ? (
          <p className="border-t border-line px-4 py-3 text-12 text-text-2">
            Only the latest trades count here; earlier ones are left out.
          </p>
        ) : null}
      </>
    );
  };
  return (
    <Widget
      title="Playbooks"
      aside={
        playbooks.data && playbooks.data.length > 0 ? (
          <>
            <ExportButton playbooks={playbooks.data} />
            <Button size="compact" onClick={make}>
              New playbook
            </Button>
          </>
        ) : null
      }
    >
      {content()}
      {opened?.kind === 'edit' ? <PlaybookDialog playbook={opened.playbook} onClose={close} /> : null}
      {opened?.kind === 'delete' ? <DeleteDialog playbook={opened.playbook} onEnd={close} /> : null}
    </Widget>
  );
}

/** Remounts for another account, so that no dialog of one stays open over another. */
export default function Playbooks() {
  const { accountId } = useSignedIn();
  return <List key={accountId} />;
}
