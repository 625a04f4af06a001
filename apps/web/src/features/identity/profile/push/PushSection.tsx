/** Push notifications: the switch of this browser, or why it has none, and the trader's devices with a button that removes each. */
import { type ReactNode, useRef } from 'react';
import { failedWith, useRequest } from '../../../../shared/form/index.ts';
import { OwnerSection } from '../../../../shared/owner-section/OwnerSection.tsx';
import { useSignedIn } from '../../../../shared/session/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import {
  Badge,
  Button,
  FormError,
  ReadError,
  Skeleton,
  Switch,
  showToast,
} from '../../../../shared/ui/index.ts';
import { parseDevice } from '../device.ts';
import {
  type BrowserState,
  type PushDevice,
  type PushState,
  removeDevice,
  switchOff,
  switchOn,
  usePushState,
} from './push-devices.ts';

/** What to do about a browser that has no switch. */
const obstacleTexts = {
  blocked:
    'This browser blocks notifications of this site. Allow them in the site settings beside the address, then switch them on here.',
  none: 'This server sends no push notifications. Notifications appear in the list behind the bell.',
  insecure: 'Push notifications need a secure address (https). Open Fulcrum at its https address.',
  install:
    'On an iPhone or iPad, add Fulcrum to the home screen with Share, then open it from there to switch push notifications on.',
  unsupported:
    'This browser cannot receive push notifications. Try a current Chrome, Edge, Firefox or Safari.',
} as const satisfies Record<Exclude<BrowserState, 'on' | 'off'>, string>;

function DeviceSwitch({
  state,
  onChanged,
}: {
  readonly state: PushState;
  readonly onChanged: () => Promise<unknown>;
}) {
  const { supabase } = useSignedIn();
  const { run, pending, error } = useRequest();
  const { browser, serverKey, devices } = state;
  if ((browser !== 'on' && browser !== 'off') || serverKey === null) {
    const reason = browser === 'on' || browser === 'off' ? 'none' : browser;
    return <p className="text-13 text-text-2">{obstacleTexts[reason]}</p>;
  }
  const isOn = browser === 'on';
  const toggle = async () => {
    await run(
      () => (isOn ? switchOff(supabase, devices) : switchOn(supabase, serverKey)),
      failedWith(
        isOn
          ? 'Failed to switch push notifications off'
          : 'Failed to switch push notifications on. The push service of the browser may be out of reach; try again later.',
      ),
    );
    await onChanged();
  };
  return (
    <div>
      <Switch
        label="Push notifications on this device"
        checked={isOn}
        onChange={() => void toggle()}
        note={pending ? (isOn ? 'Switching off…' : 'Switching on…') : null}
      />
      <p className="pr-12 text-12 text-text-2">
        Fills, alerts, stop losses, liquidations and other notifications reach you while Fulcrum is closed.
        They pass the browser’s push service encrypted. Logging out ends them.
      </p>
      <FormError>{error}</FormError>
    </div>
  );
}

interface DeviceRowProps {
  readonly device: PushDevice;
  /** The switch above removes this browser's own device. */
  readonly hasSwitch: boolean;
  readonly onRemoved: () => Promise<unknown>;
}

function DeviceRow({ device, hasSwitch, onRemoved }: DeviceRowProps) {
  const { supabase } = useSignedIn();
  const { run, pending, error } = useRequest();
  const { name } = parseDevice(device.userAgent);
  const remove = async () => {
    const isRemoved = await run(async () => {
      await removeDevice(supabase, device.id);
      return null;
    }, failedWith('Failed to remove the device'));
    if (!isRemoved) return;
    showToast('success', 'Device removed');
    await onRemoved();
  };
  return (
    <li className="border-b border-line/65 py-2.5 last:border-b-0">
      <div className="flex min-h-11 items-center gap-3.5">
        <div className="min-w-0 grow">
          <p className="flex items-center gap-2 text-13 font-medium">
            <span className="truncate">{name}</span>
            {device.current ? <Badge tone="accent">This device</Badge> : null}
          </p>
          <p className="text-12 text-text-2">
            <span className="text-text-3">Switched on</span> <DateTime iso={device.createdAt} />
            {device.lastSentAt === null ? null : (
              <>
                {' · '}
                <span className="text-text-3">last notification</span> <DateTime iso={device.lastSentAt} />
              </>
            )}
          </p>
        </div>
        {hasSwitch ? null : (
          <Button onClick={() => void remove()} pending={pending} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </div>
      <FormError>{error}</FormError>
    </li>
  );
}

function Content(): ReactNode {
  const push = usePushState();
  const list = useRef<HTMLUListElement>(null);
  const { data: state } = push;
  if (state === undefined) {
    return push.isError ? (
      <ReadError title="Failed to load push notifications" reading={push} />
    ) : (
      <div role="status">
        <span className="sr-only">Loading</span>
        <Skeleton className="h-6 w-full max-w-lg" />
      </div>
    );
  }
  const onRemoved = async () => {
    await push.refetch();
    list.current?.focus();
  };
  return (
    <div className="flex max-w-lg flex-col gap-4">
      <DeviceSwitch state={state} onChanged={() => push.refetch()} />
      {state.devices.length > 0 ? (
        <ul ref={list} tabIndex={-1} aria-label="Devices with push notifications" className="outline-none">
          {state.devices.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              hasSwitch={device.current && state.browser === 'on'}
              onRemoved={onRemoved}
            />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

export function PushSection() {
  return (
    <OwnerSection title="Push notifications" lead="On your devices, while Fulcrum is closed.">
      <Content />
    </OwnerSection>
  );
}
