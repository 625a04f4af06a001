/** The agent's alert settings for messages that arrive while the page is in the background. */
import Bell from 'lucide-react/icons/bell';
import BellOff from 'lucide-react/icons/bell-off';
import { useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { setPreference, usePreference } from '../../../shared/preferences/index.ts';
import { IconButton, Popover, Switch } from '../../../shared/ui/index.ts';
import { getNotificationState, playTone, switchNotifications } from './alerts.ts';

const notes = {
  on: '',
  off: '',
  refused: 'This browser blocks notifications from this site. You can allow them in its site settings.',
  unavailable: 'Notifications need a secure connection (https) or are not supported by this browser.',
} as const;

export function AlertSettings() {
  const chosen = usePreference('chatNotifications');
  const sound = usePreference('chatSound');
  // The browser's permission is not React state.
  const [, setRenders] = useState(0);
  const state = getNotificationState(chosen);
  const Icon = state === 'on' || sound ? Bell : BellOff;
  const switchTo = (on: boolean) => {
    if (state === 'refused' || state === 'unavailable') return;
    switchNotifications(on)
      .catch((cause: unknown) => log.warn('The notification permission could not be requested', cause))
      .finally(() => setRenders((renders) => renders + 1));
  };
  const switchSound = (on: boolean) => {
    setPreference('chatSound', on);
    if (on) playTone().catch((cause: unknown) => log.info('The tone could not be played', cause));
  };
  const trigger = (
    <IconButton label="Message alerts">
      <Icon size={16} aria-hidden="true" />
    </IconButton>
  );
  return (
    <Popover trigger={trigger} label="Message alerts" align="end">
      <div className="flex w-64 flex-col gap-1">
        <p className="text-12 text-text-2">
          For a trader&rsquo;s message in a session that you do not have before you.
        </p>
        <Switch label="Desktop notifications" checked={state === 'on'} onChange={switchTo} />
        <Switch label="Sound" checked={sound} onChange={switchSound} />
        {notes[state] === '' ? null : <p className="text-12 text-warn">{notes[state]}</p>}
      </div>
    </Popover>
  );
}
