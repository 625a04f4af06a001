/** How the agent is told of a message while looking elsewhere. */
import Bell from 'lucide-react/icons/bell';
import BellOff from 'lucide-react/icons/bell-off';
import { useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { prefer, usePreference } from '../../../shared/preferences/index.ts';
import { IconButton, Popover, Switch } from '../../../shared/ui/index.ts';
import { notificationState, playTone, switchNotifications } from './alerts.ts';

const notes = {
  on: '',
  off: '',
  refused: 'This browser refuses notifications of this site. Its site settings can allow them.',
  unavailable: 'This browser offers no notifications here; they need a secure connection.',
} as const;

export function AlertSettings() {
  const chosen = usePreference('chatNotifications');
  const sound = usePreference('chatSound');
  // What the browser answered is not a state of React.
  const [, setAsked] = useState(0);
  const state = notificationState(chosen);
  const Icon = state === 'on' || sound ? Bell : BellOff;
  const switchTo = (on: boolean) => {
    if (state === 'refused' || state === 'unavailable') return;
    switchNotifications(on)
      .catch((cause: unknown) => log.warn('Notifications could not be asked for', cause))
      .finally(() => setAsked((asked) => asked + 1));
  };
  const switchSound = (on: boolean) => {
    prefer('chatSound', on);
    if (on) playTone().catch((cause: unknown) => log.info('No tone was played', cause));
  };
  const trigger = (
    <IconButton label="How you are told of messages">
      <Icon size={16} aria-hidden="true" />
    </IconButton>
  );
  return (
    <Popover trigger={trigger} label="How you are told of messages" align="end">
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
