/** The addresses of the account: their list, a new one with its secret shown once, and the end of one. */
import { checkHookName, signalHookNameMax, signalHooksMax } from '@fulcrum/domain';
import Plus from 'lucide-react/icons/plus';
import { useId, useRef, useState } from 'react';
import { CopyButton } from '../../shared/copy/CopyButton.tsx';
import { RequestDialog } from '../../shared/form/ConfirmDialog.tsx';
import { failedWith } from '../../shared/form/index.ts';
import { NameDialog } from '../../shared/form/NameDialog.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Button, EmptyState, ReadError, Section, Skeleton, showToast } from '../../shared/ui/index.ts';
import {
  createHook,
  type NewHook,
  revokeHook,
  type SignalHook,
  useHooks,
  useReadHooksAgain,
} from './queries.ts';

/** The one time that the address is shown. */
function NewAddress({ hook, onClose }: { readonly hook: NewHook; readonly onClose: () => void }) {
  const id = useId();
  return (
    <div
      role="status"
      className="flex flex-col gap-3 rounded-control border border-line-strong bg-inset px-3.5 py-3"
    >
      <p className="text-13">
        <strong className="font-semibold">{hook.name}</strong> is ready. Copy its address now: it is not shown
        again. Anyone who has it can trade in this account.
      </p>
      <label htmlFor={id} className="sr-only">
        Address of {hook.name}
      </label>
      <div className="flex items-center gap-2">
        <input
          id={id}
          readOnly
          value={hook.address}
          spellCheck={false}
          onFocus={({ target }) => target.select()}
          className="control figures h-9 min-w-0 grow px-3 text-12 max-md:h-11"
        />
        <CopyButton label="Address" text={hook.address} />
      </div>
      <div>
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </div>
  );
}

function HookRow({ hook, onRevoke }: { readonly hook: SignalHook; readonly onRevoke: () => void }) {
  return (
    <li className="flex min-h-13 items-center gap-3 border-b border-line/65 py-2 last:border-b-0 max-md:flex-wrap">
      <div className="min-w-0 grow">
        <p className="truncate text-13 font-medium">
          <bdi>{hook.name}</bdi>
        </p>
        <p className="flex flex-wrap gap-x-2 text-12 text-text-2">
          <span>
            <span className="text-text-3">Made</span> <DateTime iso={hook.createdAt} />
          </span>
          <span>
            {hook.lastUsedAt === null ? (
              <span className="text-text-3">No signal so far</span>
            ) : (
              <>
                <span className="text-text-3">Last signal</span> <DateTime iso={hook.lastUsedAt} />
              </>
            )}
          </span>
        </p>
      </div>
      <Button onClick={onRevoke}>
        Revoke<span className="sr-only"> {hook.name}</span>
      </Button>
    </li>
  );
}

function Content() {
  const signedIn = useSignedIn();
  const hooks = useHooks();
  const readAgain = useReadHooksAgain();
  const [isNaming, setNaming] = useState(false);
  const [made, setMade] = useState<NewHook | null>(null);
  const [revoked, setRevoked] = useState<SignalHook | null>(null);
  const create = useRef<HTMLButtonElement>(null);
  const limitId = useId();
  if (hooks.data === undefined) {
    return hooks.isError ? (
      <ReadError title="The addresses failed to load" reading={hooks} />
    ) : (
      <div aria-busy="true">
        <Skeleton className="h-13 w-full" />
      </div>
    );
  }
  const isFull = hooks.data.length >= signalHooksMax;
  const save = async (name: string) => {
    setMade(await createHook(signedIn, name));
    await readAgain();
  };
  const onRevoked = async () => {
    showToast('success', 'Address revoked');
    await readAgain();
    setRevoked(null);
  };
  const button = (
    <Button
      ref={create}
      tone={hooks.data.length === 0 ? 'primary' : 'secondary'}
      muted={isFull}
      aria-describedby={isFull ? limitId : undefined}
      onClick={() => setNaming(true)}
    >
      <Plus size={16} aria-hidden="true" />
      New address
    </Button>
  );
  return (
    <div className="flex flex-col gap-4">
      {made === null ? null : <NewAddress hook={made} onClose={() => setMade(null)} />}
      {hooks.data.length === 0 ? (
        <EmptyState title="No addresses yet" action={button}>
          Make one, and paste it as the webhook URL of an alert. Its signals trade in this account.
        </EmptyState>
      ) : (
        <>
          <ul aria-label="Addresses">
            {hooks.data.map((hook) => (
              <HookRow key={hook.id} hook={hook} onRevoke={() => setRevoked(hook)} />
            ))}
          </ul>
          <div className="flex flex-wrap items-center gap-3">
            {button}
            {isFull ? (
              <p id={limitId} className="text-12 text-text-3">
                An account has at most {signalHooksMax} addresses. Revoke one first.
              </p>
            ) : null}
          </div>
        </>
      )}
      {isNaming ? (
        <NameDialog
          title="New address"
          description="Name it after what will send the signals."
          submit="Make address"
          name=""
          maxLength={2 * signalHookNameMax}
          check={checkHookName}
          save={save}
          failed={failedWith('Failed to make the address')}
          onClose={() => setNaming(false)}
          fallbackFocus={() => create.current}
        />
      ) : null}
      {revoked === null ? null : (
        <RequestDialog
          title={`Revoke ${revoked.name}?`}
          description="Alerts that are sent to this address are refused from now on. What they have opened stays open."
          confirm="Revoke address"
          tone="down"
          send={() => revokeHook(signedIn, revoked.id)}
          failed="Failed to revoke the address"
          onDone={() => void onRevoked()}
          onClose={() => setRevoked(null)}
          fallbackFocus={() => create.current}
        />
      )}
    </div>
  );
}

export function HooksSection() {
  return (
    <Section
      title="Addresses"
      lead="Each takes signals for this account. Anyone who has it can trade here, so share it with your alert service only."
    >
      <Content />
    </Section>
  );
}
