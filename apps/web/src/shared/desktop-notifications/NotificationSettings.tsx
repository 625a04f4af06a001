/** The settings of desktop notifications and sound for one purpose, behind a bell. */
import Bell from 'lucide-react/icons/bell';
import BellOff from 'lucide-react/icons/bell-off';
import { useState } from 'react';
import { log } from '../log/log.ts';
import { setPreference, usePreference } from '../preferences/index.ts';
import { IconButton, Popover, Switch } from '../ui/index.ts';
import {
  getNotificationState,
  type Purpose,
  playTone,
  switchNotifications,
} from './desktop-notifications.ts';

const notes = {
  on: '',
  off: '',
  refused: 'This browser blocks notifications from this site. You can allow them in its site settings.',
  unavailable: 'Notifications need a secure connection (https) or are not supported by this browser.',
} as const;

interface NotificationSettingsProps {
  readonly label: string;
  readonly purpose: Purpose;
  /** When they come. */
  readonly note: string;
}

export function NotificationSettings({ label, purpose, note }: NotificationSettingsProps) {
  const chosen = usePreference(purpose.notifications);
  const sound = usePreference(purpose.sound);
  // The browser's permission is not React state.
  const [, setRenders] = useState(0);
  const state = getNotificationState(chosen);
  const Icon = state === 'on' || sound ? Bell : BellOff;
  const switchTo = (on: boolean) => {
    if (state === 'refused' || state === 'unavailable') return;
    switchNotifications(purpose, on)
      .catch((cause: unknown) => log.warn('The notification permission could not be requested', cause))
      .finally(() => setRenders((renders) => renders + 1));
  };
  const switchSound = (on: boolean) => {
    setPreference(purpose.sound, on);
    if (on) playTone().catch((cause: unknown) => log.info('The tone could not be played', cause));
  };
  const trigger = (
    <IconButton label={label}>
      <Icon size={16} aria-hidden="true" />
    </IconButton>
  );
  return (
    <Popover trigger={trigger} label={label} align="end">
      <div className="flex w-64 flex-col gap-1">
        <p className="text-12 text-text-2">{note}</p>
        <Switch label="Desktop notifications" checked={state === 'on'} onChange={switchTo} />
        <Switch label="Sound" checked={sound} onChange={switchSound} />
        {notes[state] === '' ? null : <p className="text-12 text-warn">{notes[state]}</p>}
      </div>
    </Popover>
  );
}
