/** The actions on a user: the frequent ones as buttons, all of them in a menu. */
import Ban from 'lucide-react/icons/ban';
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import SquarePen from 'lucide-react/icons/square-pen';
import Trash2 from 'lucide-react/icons/trash-2';
import UserCog from 'lucide-react/icons/user-cog';
import Wallet from 'lucide-react/icons/wallet';
import { Fragment } from 'react';
import { IconButton, Menu, MenuItem, MenuSeparator } from '../../../shared/ui/index.ts';
import {
  actionsFor,
  restrictLabel,
  type StaffArea,
  type UserAction,
  type UserSummary,
} from '../user-dialogs/index.ts';

interface ActionVariant {
  /** The label in the menu. */
  readonly label: string;
  /** The label of the button, before the username. */
  readonly of: string;
  readonly Icon: typeof Ban;
}

/** What each action on a user is called, and its icon. */
export const actionVariants = {
  edit: { label: 'Edit user…', of: 'Edit', Icon: SquarePen },
  positions: { label: 'View positions', of: 'View positions of', Icon: ChartCandlestick },
  funds: { label: 'Manage funds…', of: 'Manage funds of', Icon: Wallet },
  assign: { label: 'Assign manager…', of: 'Assign manager of', Icon: UserCog },
  impersonate: { label: 'Impersonate…', of: 'Impersonate', Icon: Eye },
  restrict: { label: 'Restrict…', of: 'Restrict', Icon: Ban },
  delete: { label: 'Delete user…', of: 'Delete', Icon: Trash2 },
} as const satisfies Record<UserAction, ActionVariant>;

/** The groups of the menu, divided by lines. */
const groups: readonly (readonly UserAction[])[] = [
  ['edit', 'positions', 'funds', 'assign'],
  ['impersonate', 'restrict'],
  ['delete'],
];

const menuLabel = (action: UserAction, user: UserSummary): string =>
  action === 'restrict' ? restrictLabel(user) : actionVariants[action].label;

interface RowMenuProps {
  readonly user: UserSummary;
  readonly area: StaffArea;
  /** The actions beside the menu; those that do not apply to the user are left out. */
  readonly buttons: readonly UserAction[];
  readonly onAction: (action: UserAction, user: UserSummary) => void;
}

export function RowMenu({ user, area, buttons, onAction }: RowMenuProps) {
  const offered = actionsFor(user, area);
  const shown = groups
    .map((group) => group.filter((action) => offered.includes(action)))
    .filter((g) => g.length > 0);
  const icon = 'text-text-3 group-hover/row:text-text';
  return (
    <span className="inline-flex items-center justify-end gap-0.5">
      {buttons
        .filter((action) => offered.includes(action))
        .map((action) => {
          const { of, Icon } = actionVariants[action];
          return (
            <IconButton
              key={action}
              label={`${of} ${user.username}`}
              className={`!size-7 max-md:!size-11 ${icon}`}
              onClick={() => onAction(action, user)}
            >
              <Icon size={15} aria-hidden="true" />
            </IconButton>
          );
        })}
      <Menu
        label={`Actions for ${user.username}`}
        align="end"
        trigger={
          <IconButton
            label={`More actions for ${user.username}`}
            className={`!size-7 data-[state=open]:bg-raised data-[state=open]:text-text data-[state=open]:outline-2 data-[state=open]:outline-accent max-md:!size-11 ${icon}`}
          >
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <p aria-hidden="true" className="max-w-52 truncate px-2.5 pt-1.5 pb-1 text-11 text-text-3">
          {user.username}
        </p>
        {shown.map((group, at) => (
          <Fragment key={group[0]}>
            {at === 0 ? null : <MenuSeparator />}
            {group.map((action) => {
              const { Icon } = actionVariants[action];
              return (
                <MenuItem key={action} onSelect={() => onAction(action, user)}>
                  <Icon
                    size={15}
                    aria-hidden="true"
                    className={action === 'delete' ? 'text-down' : 'text-text-2'}
                  />
                  <span className={action === 'delete' ? 'text-down' : ''}>{menuLabel(action, user)}</span>
                </MenuItem>
              );
            })}
          </Fragment>
        ))}
      </Menu>
    </span>
  );
}
