/** Below the conversation's header: its tags, the menu that sets them, and the menu that snoozes it. */
import BellOff from 'lucide-react/icons/bell-off';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Tag from 'lucide-react/icons/tag';
import { useState } from 'react';
import { failedWith } from '../../../shared/form/index.ts';
import { formatWeekdayAndClock } from '../../../shared/time/dates.ts';
import { Badge, Menu, MenuItem, MenuOption, MenuSeparator, showToast } from '../../../shared/ui/index.ts';
import { TagsDialog } from './TagsDialog.tsx';
import { type Inbox, snoozeOptions, useTeamTags, useTriageCommands } from './triage.ts';

interface TriageBarProps {
  readonly sessionId: string;
  readonly inbox: Inbox;
}

const trigger =
  'flex h-7 shrink-0 items-center gap-1.5 rounded-control px-2 text-12 font-medium whitespace-nowrap text-text-2 hover:bg-raised hover:text-text max-md:h-11';

export function TriageBar({ sessionId, inbox }: TriageBarProps) {
  const commands = useTriageCommands();
  const teamTags = useTeamTags();
  const [managesTags, setManagesTags] = useState(false);
  const tags = inbox.tagsOf(sessionId);
  const until = inbox.snoozedUntil(sessionId);
  const attempt = (change: Promise<void>, failed: string) =>
    change.catch((cause: unknown) => showToast('error', failedWith(failed)(cause)));
  const snooze = (end: number | null) =>
    attempt(commands.snooze(sessionId, end), 'The session was not snoozed. Please try again.');
  return (
    <div className="flex min-h-9 shrink-0 items-center gap-1 border-b border-line bg-surface px-3 max-md:px-1">
      <Menu
        label="Tags"
        trigger={
          <button type="button" className={trigger}>
            <Tag size={13} aria-hidden="true" />
            {tags.length === 0 ? 'Add a tag' : 'Tags'}
            <ChevronDown size={12} aria-hidden="true" />
          </button>
        }
      >
        <div className="max-h-72 overflow-y-auto">
          {teamTags.map((tag) => (
            <MenuOption
              key={tag}
              checked={tags.includes(tag)}
              onChange={(isOn) =>
                void attempt(commands.tag(sessionId, tag, isOn), 'The tag was not changed. Please try again.')
              }
            >
              {tag}
            </MenuOption>
          ))}
        </div>
        {teamTags.length === 0 ? null : <MenuSeparator />}
        <MenuItem onSelect={() => setManagesTags(true)}>Tags of the team…</MenuItem>
      </Menu>
      {tags.length === 0 ? null : (
        <ul aria-label="Tags of this session" className="flex min-w-0 gap-1 overflow-hidden">
          {tags.map((tag) => (
            <li key={tag}>
              <Badge tone="accent">{tag}</Badge>
            </li>
          ))}
        </ul>
      )}
      <span className="ml-auto">
        <Menu
          label="Snooze"
          align="end"
          trigger={
            <button type="button" className={`${trigger} ${until === null ? '' : '!text-warn'}`}>
              <BellOff size={13} aria-hidden="true" />
              {until === null ? 'Snooze' : `Snoozed until ${formatWeekdayAndClock(until)}`}
              <ChevronDown size={12} aria-hidden="true" />
            </button>
          }
        >
          {snoozeOptions(Date.now()).map(({ label, until: end }) => (
            <MenuItem key={label} onSelect={() => void snooze(end)}>
              {label}
              <span className="ml-auto pl-4 text-12 text-text-2">{formatWeekdayAndClock(end)}</span>
            </MenuItem>
          ))}
          {until === null ? null : (
            <>
              <MenuSeparator />
              <MenuItem onSelect={() => void snooze(null)}>Back to the list now</MenuItem>
            </>
          )}
          <p className="max-w-60 px-2.5 py-1.5 text-12 text-text-3">
            A message of the trader brings it back earlier.
          </p>
        </Menu>
      </span>
      {managesTags ? (
        <TagsDialog sessionId={sessionId} tags={teamTags} onClose={() => setManagesTags(false)} />
      ) : null}
    </div>
  );
}
